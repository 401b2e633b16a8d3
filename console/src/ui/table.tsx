/** A table with its headings. Where it is wider than the page, it scrolls by itself. */
import type { ReactNode } from "react";
import { ScrollBox } from "./scroll-box.tsx";

/** The heading of a column; `number` if it has numbers, `hidden` if only a screen reader needs it. */
type Column = string | { number: ReactNode } | { hidden: string };

interface TableProps {
  label: string;
  columns: readonly Column[];
  className?: string;
  /** The rows. */
  children: ReactNode;
}

export function Table({ label, columns, className, children }: TableProps) {
  return (
    <ScrollBox className="scroll" label={label}>
      <table className={className}>
        <thead>
          <tr>{columns.map(toHeading)}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </ScrollBox>
  );
}

function toHeading(column: Column, index: number): ReactNode {
  if (typeof column === "string")
    return (
      <th key={index} scope="col">
        {column}
      </th>
    );
  if ("number" in column)
    return (
      <th key={index} scope="col" className="number">
        {column.number}
      </th>
    );
  return (
    <th key={index} scope="col">
      <span className="visually-hidden">{column.hidden}</span>
    </th>
  );
}
