/** Statements and their values in the form that the driver takes. */
import { hash } from "node:crypto";
import type { QueryConfig } from "pg";
import type { Value } from "../sql/sql.ts";
import type { Scalar } from "../sql/table.ts";
import { toStorable } from "./storable-text.ts";

const names = new Map<string, string>();

/**
 * A statement that each connection prepares once, under a hash of its text. Statements without values are sent unprepared:
 * they are commands.
 */
export function prepare(text: string, values: Value[]): QueryConfig {
  if (values.length === 0) return { text };
  let name = names.get(text);
  if (name === undefined) names.set(text, (name = `triptych ${hash("sha1", text, "base64url")}`));
  return { name, text, values: values.map(bind) };
}

export function bind(value: Value): unknown {
  if (typeof value === "string") return toStorable(value);
  return typeof value === "object" && value !== null ? toStorable(formatArray(value)) : value;
}

const NEEDS_QUOTING = /["\\]/;

/** A PostgreSQL array literal, in one pass: this is how thousands of rows are sent. */
function formatArray(items: readonly Scalar[]): string {
  let array = "{";
  for (const item of items) {
    if (array.length > 1) array += ",";
    if (typeof item === "string") {
      array += NEEDS_QUOTING.test(item) ? `"${item.replace(/["\\]/g, "\\$&")}"` : `"${item}"`;
    } else array += item === null ? "NULL" : String(item);
  }
  return `${array}}`;
}
