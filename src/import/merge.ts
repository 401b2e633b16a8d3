/**
 * How a held record and what one capture shows become one. Field by field: the newer known value wins, absence never
 * erases, a partial object never replaces a full one. Pure, and the same whatever the order of imports, save where two
 * captures of the same instant disagree.
 */
import type { Observed } from "#api/importer.ts";
import { blankRecord } from "#domain/blank-record.ts";
import type { FieldAge, RecordKind } from "#domain/record.ts";
import type { AnyRecord } from "#store/store.ts";

/** A found record with its provenance settled. */
export type Capture = Omit<Observed<AnyRecord>, "capturedAt"> & { capturedAt: number; source: string };

/** Lists that captures show in part: what any of them showed belongs to the record. */
const UNIONED_LISTS = new Set(["taggedIds", "hashtags"]);

/** What is settled for the record as a whole, not part by part. */
function bare({ id: _id, capturedAt: _capturedAt, source: _source, ages: _ages, ...parts }: AnyRecord): object {
  return parts;
}

/** A record of which one capture is all that is known. */
export function fromCapture(kind: RecordKind, capture: Capture): AnyRecord {
  const record: Record<string, unknown> = blankRecord(kind);
  for (const key in capture) {
    const value: unknown = capture[key as keyof Capture];
    if (isKnown(value)) record[key] = UNIONED_LISTS.has(key) ? [...new Set(value as string[])] : value;
  }
  record["native"] = onlyKnown(capture.native ?? {});
  return record as unknown as AnyRecord;
}

/** Without what is not known, at any depth of objects; lists are left as they are. */
function onlyKnown(object: object): object {
  const known: Record<string, unknown> = {};
  for (const key in object) {
    const value = (object as Record<string, unknown>)[key];
    const cleaned = isPlainObject(value) ? onlyKnown(value) : value;
    if (isKnown(cleaned) && key !== "__proto__") known[key] = cleaned;
  }
  return known;
}

export function merge(kind: RecordKind, held: AnyRecord | null, capture: Capture): AnyRecord {
  if (held === null) return fromCapture(kind, capture);
  const heldAge: FieldAge = held.ages === undefined ? held.capturedAt : { at: held.capturedAt, parts: held.ages };
  const { value, age } = mergeParts(bare(held), heldAge, bare(fromCapture(kind, capture)), capture.capturedAt);
  const { capturedAt, source } = capture.capturedAt >= held.capturedAt ? capture : held;
  const merged = { ...value, id: capture.id, capturedAt, source } as unknown as AnyRecord;
  if (typeof age === "object") merged.ages = age.parts;
  return merged;
}

interface Aged {
  value: Record<string, unknown>;
  age: FieldAge;
}

/** Part by part: each keeps the newest value that any capture knew, and remembers of when that is. */
function mergeParts(held: object, heldAge: FieldAge, found: object, foundAt: number): Aged {
  const heldAt = typeof heldAge === "number" ? heldAge : heldAge.at;
  const heldParts = typeof heldAge === "number" ? {} : heldAge.parts;
  const latest = Math.max(heldAt, foundAt);
  const value: Record<string, unknown> = { ...held };
  const parts: Record<string, FieldAge> = {};
  const keys = [...new Set([...Object.keys(held), ...Object.keys(found)])].filter((key) => key !== "__proto__");
  for (const key of keys.toSorted()) {
    const part = mergePart(key, value[key], heldParts[key] ?? heldAt, (found as Record<string, unknown>)[key], foundAt);
    if (part.value !== undefined) value[key] = part.value;
    if (part.age !== latest && isKnown(part.value)) parts[key] = part.age;
  }
  return { value, age: Object.keys(parts).length === 0 ? latest : { at: latest, parts } };
}

function mergePart(
  key: string,
  held: unknown,
  heldAge: FieldAge,
  found: unknown,
  foundAt: number,
): { value: unknown; age: FieldAge } {
  if (!isKnown(found)) return { value: held, age: heldAge };
  if (!isKnown(held)) return { value: found, age: foundAt };
  const heldAt = typeof heldAge === "number" ? heldAge : heldAge.at;
  if (UNIONED_LISTS.has(key)) {
    return { value: [...new Set([...(held as string[]), ...(found as string[])])], age: Math.max(heldAt, foundAt) };
  }
  if (isPlainObject(held) && isPlainObject(found)) return mergeParts(held, heldAge, found, foundAt);
  return foundAt >= heldAt ? { value: found, age: foundAt } : { value: held, age: heldAge };
}

/** An empty list or object says as little as none. */
function isKnown(value: unknown): boolean {
  if (value === null || value === undefined) return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}

/** Whatever a reader lets through, only whole numbers from zero are counts. */
export function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
