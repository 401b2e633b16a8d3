/** Reads the rows of a table as one kind of record, with the columns that the user has named (`--as`, `--map`). */
import type { Collector, Importer, MappableKind, SourceDocument, SourceFile } from "#api/importer.ts";
import { unprotectFormula } from "#domain/csv.ts";
import type { RecordKind } from "#domain/record.ts";
import { type Fields, isFields } from "./capture/field-readers.ts";
import { MAPPED_TABLE } from "./merge.ts";
import type { ImportPlatform } from "./read-document.ts";

export interface TableMapping {
  platform: string;
  kind: RecordKind;
  /** Columns by field; null if the columns have the names of the fields. */
  columns: Readonly<Record<string, string>> | null;
}

/** A platform that reads every document with the mapping, and nothing by its format. */
export function mappedPlatform(
  platforms: readonly ImportPlatform[],
  { platform: name, kind, columns }: TableMapping,
): ImportPlatform {
  const platform = platforms.find((candidate) => candidate.name === name);
  const mappable = platform?.mappable[kind];
  if (platform === undefined || mappable === undefined) throw new Error(`${name}/${kind} cannot be mapped`);
  return { ...platform, importers: [mappedTable(mappable, columns)], recognise: () => false };
}

/** Columns by which an export is recognised: its CSV has apostrophes before formulas. */
const COLUMNS_OF_EXPORTS = ["platform", "captured_at", "source"];

function mappedTable(kind: MappableKind, columns: TableMapping["columns"]): Importer {
  const columnOf = columns ?? Object.fromEntries(kind.fields.map((field) => [field, field]));
  const mapped = Object.entries(columnOf);
  /** Whether the table has the columns, by file. */
  const checked = new WeakMap<SourceFile, boolean>();
  const exported = new WeakSet<SourceFile>();

  /** Checks the first row only: rows of a table may be short, and JSON objects may lack what is unknown. */
  function hasColumns(row: Fields, document: SourceDocument, file: SourceFile, collect: Collector): boolean {
    const known = checked.get(file);
    if (known !== undefined) return known;
    const missing = mapped.filter(([, column]) => readColumn(row, column) === undefined);
    const required = columns === null ? mapped.filter(([field]) => kind.idFields.includes(field)) : mapped;
    const names = Object.keys(row).slice(0, 40).join(", ");
    const isFit =
      columns === null
        ? required.some((entry) => !missing.includes(entry))
        : missing.length === 0 || document.kind === "json";
    if (!isFit) {
      const absent = (columns === null ? required : missing).map(([, column]) => column).join(", ");
      collect.refuse(`columns_missing: ${absent}; it has ${names}`);
      // Reports count refusals by code; this says what is possible.
      collect.skip(`no column ${absent}; the table has ${names}`);
    } else if (columns !== null && missing.length > 0) {
      collect.skip(`not in the first object: ${missing.map(([, column]) => column).join(", ")}; it has ${names}`);
    } else if (columns === null) {
      const unread = Object.keys(row).filter((name) => !kind.fields.includes(name));
      if (unread.length > 0) collect.skip(`columns that are not read: ${unread.slice(0, 40).join(", ")}`);
    }
    checked.set(file, isFit);
    if (document.kind === "row" && COLUMNS_OF_EXPORTS.every((name) => Object.hasOwn(row, name))) exported.add(file);
    return isFit;
  }

  return {
    name: MAPPED_TABLE,
    detects: ({ kind: form, value }) => form !== "text" && isFields(value),
    read(document, file, collect) {
      const { value: row } = document;
      if (!isFields(row) || !hasColumns(row, document, file, collect)) return;
      const isExported = exported.has(file);
      const cells: Record<string, unknown> = {};
      for (const [field, column] of mapped) {
        const cell = readColumn(row, column);
        cells[field] = isExported && typeof cell === "string" ? unprotectFormula(cell) : cell;
      }
      for (const field of kind.read(cells, collect)) {
        collect.skip(`a value of ${columnOf[field]} that cannot be read as ${field}`);
      }
    },
  };
}

/** By its name, or by the path to it: `author.name`. */
function readColumn(row: Fields, column: string): unknown {
  if (Object.hasOwn(row, column)) return row[column];
  let value: unknown = row;
  for (const step of column.split(".")) value = isFields(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  return value;
}
