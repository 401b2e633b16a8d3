/**
 * Merges a capture into a stored record, field by field: the newer known value wins, absence never erases, a partial
 * object never replaces a full one. Pure, and independent of the order of imports, except where two captures of the same
 * instant disagree.
 */
import type { Observed } from "#api/importer.ts";
import { blankRecord } from "#domain/blank-record.ts";
import type { FieldAge, RecordKind } from "#domain/record.ts";
import type { AnyRecord } from "#store/encoded-record.ts";
import { isFields } from "./capture/field-readers.ts";

/** One capture of a record, with its provenance. */
export type Capture = Omit<Observed<AnyRecord>, "capturedAt"> & { capturedAt: number; source: string };

/** Captures contain these lists in part, so the record has the union. */
const UNIONED_LISTS = new Set(["taggedIds", "hashtags"]);

/** The fields that are merged one by one. */
function withoutProvenance({ id: _id, capturedAt: _time, source: _source, ages: _ages, ...fields }: AnyRecord): object {
  return fields;
}

/** A record that is known from one capture only. */
export function fromCapture(kind: RecordKind, capture: Capture): AnyRecord {
  const record: Record<string, unknown> = blankRecord(kind);
  for (const key in capture) {
    const value: unknown = capture[key as keyof Capture];
    if (isKnown(value)) record[key] = UNIONED_LISTS.has(key) ? [...new Set(value as string[])] : value;
  }
  record["native"] = removeUnknown(capture.native ?? {});
  return record as unknown as AnyRecord;
}

/** Removes unknown members at any depth of objects; lists stay as they are. */
function removeUnknown(object: object): object {
  const known: Record<string, unknown> = {};
  for (const key in object) {
    const value = (object as Record<string, unknown>)[key];
    const cleaned = isFields(value) ? removeUnknown(value) : value;
    if (isKnown(cleaned) && key !== "__proto__") known[key] = cleaned;
  }
  return known;
}

export function merge(kind: RecordKind, stored: AnyRecord | null, capture: Capture): AnyRecord {
  if (stored === null) return fromCapture(kind, capture);
  const storedAge: FieldAge =
    stored.ages === undefined ? stored.capturedAt : { at: stored.capturedAt, parts: stored.ages };
  const incoming = withoutProvenance(fromCapture(kind, capture));
  const { value, age } = mergeFields(withoutProvenance(stored), storedAge, incoming, capture.capturedAt);
  const { capturedAt, source } = capture.capturedAt >= stored.capturedAt ? capture : stored;
  const merged = { ...value, id: capture.id, capturedAt, source } as unknown as AnyRecord;
  if (typeof age === "object") merged.ages = age.parts;
  return merged;
}

/** Merges each field on its own, and records the age of those that are older than the newest. */
function mergeFields(
  stored: object,
  storedAge: FieldAge,
  incoming: object,
  incomingAt: number,
): { value: Record<string, unknown>; age: FieldAge } {
  const storedAt = timeOf(storedAge);
  const storedAges = typeof storedAge === "number" ? {} : storedAge.parts;
  const latest = Math.max(storedAt, incomingAt);
  const value: Record<string, unknown> = { ...stored };
  const newValues: Record<string, unknown> = { ...incoming };
  const ages: Record<string, FieldAge> = {};
  const keys = [...new Set([...Object.keys(stored), ...Object.keys(incoming)])].filter((key) => key !== "__proto__");
  for (const key of keys.toSorted()) {
    const field = mergeField(key, value[key], storedAges[key] ?? storedAt, newValues[key], incomingAt);
    if (field.value !== undefined) value[key] = field.value;
    if (field.age !== latest && isKnown(field.value)) ages[key] = field.age;
  }
  return { value, age: Object.keys(ages).length === 0 ? latest : { at: latest, parts: ages } };
}

function mergeField(
  key: string,
  stored: unknown,
  storedAge: FieldAge,
  incoming: unknown,
  incomingAt: number,
): { value: unknown; age: FieldAge } {
  if (!isKnown(incoming)) return { value: stored, age: storedAge };
  if (!isKnown(stored)) return { value: incoming, age: incomingAt };
  const storedAt = timeOf(storedAge);
  if (UNIONED_LISTS.has(key)) {
    const union = [...new Set([...(stored as string[]), ...(incoming as string[])])];
    return { value: union, age: Math.max(storedAt, incomingAt) };
  }
  if (isFields(stored) && isFields(incoming)) return mergeFields(stored, storedAge, incoming, incomingAt);
  return incomingAt >= storedAt ? { value: incoming, age: incomingAt } : { value: stored, age: storedAge };
}

function timeOf(age: FieldAge): number {
  return typeof age === "number" ? age : age.at;
}

/** An empty list or object counts as unknown. */
function isKnown(value: unknown): boolean {
  if (value === null || value === undefined) return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}

/** Only whole numbers from zero are counts, whatever an importer passes. */
export function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
