/** Lists the records of a document: it is one record, a list of records, or one element of a large list. */
import type { SourceFile } from "#api/importer.ts";
import { type Fields, isFields, readObjectAt } from "./field-readers.ts";

/** The items of the list, which a tool may wrap in a member of one of these names; or the document itself. */
export function listRecords(value: unknown, ...wrappers: string[]): readonly unknown[] {
  if (Array.isArray(value)) return value;
  for (const wrapper of wrappers) {
    const inside = readObjectAt(value)[wrapper];
    if (Array.isArray(inside)) return inside;
  }
  return [value];
}

const SAMPLE_SIZE = 20;

/** Whether any of the first records has a shape: lists may begin with an error or an empty record. */
export function hasRecord(records: readonly unknown[], isOfShape: (record: Fields) => boolean): boolean {
  return records.slice(0, SAMPLE_SIZE).some((record) => isFields(record) && isOfShape(record));
}

/** The last segment of the file's path: some formats keep the post's id or language there. */
export function baseName(file: SourceFile): string {
  return file.segments.at(-1) ?? file.name;
}
