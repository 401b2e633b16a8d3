/** Documents come whole, as a list, or as one element of a list that was too large to hold: all are read alike. */
import { type Fields, fieldsOf, isFields, listOf } from "../recognise/field-readers.ts";

/** The records of a document: its list's, below the given name where the tool wraps it, or the one record it is. */
export function recordsOf(value: unknown, ...wrappers: string[]): readonly unknown[] {
  if (Array.isArray(value)) return value;
  for (const wrapper of wrappers) {
    const inside = fieldsOf(value)[wrapper];
    if (Array.isArray(inside)) return inside;
  }
  return [value];
}

const SAMPLE = 20;

/** Whether any of the first records is of a shape: lists of some tools begin with what could not be fetched. */
export function anyOf(records: readonly unknown[], fits: (record: Fields) => boolean): boolean {
  return listOf(records)
    .slice(0, SAMPLE)
    .some((record) => isFields(record) && fits(record));
}
