/** A document is one record, a list of records, or one element of a list that was too large for a document. */
import { type Fields, isFields, readObjectAt } from "./field-readers.ts";

/** The records of a document: those of its list, below the given name where the tool wraps it, or the document itself. */
export function listRecords(value: unknown, ...wrappers: string[]): readonly unknown[] {
  if (Array.isArray(value)) return value;
  for (const wrapper of wrappers) {
    const inside = readObjectAt(value)[wrapper];
    if (Array.isArray(inside)) return inside;
  }
  return [value];
}

const SAMPLE_SIZE = 20;

/** Whether any of the first records is of a shape: lists may begin with an error or an empty record. */
export function hasRecord(records: readonly unknown[], isOfShape: (record: Fields) => boolean): boolean {
  return records.slice(0, SAMPLE_SIZE).some((record) => isFields(record) && isOfShape(record));
}
