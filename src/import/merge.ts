/**
 * Merges a capture into a stored record, field by field: exact before approximate, then the newer known value wins;
 * absence never erases, a partial object never replaces a full one. Pure, and independent of the order of imports, except
 * where a count falls to what an older one is rounded. Between two captures of the same instant the larger value wins, so
 * that importing both again changes nothing; between two readings of a mapped table the later one.
 */
import type { Observed } from "#api/importer.ts";
import { weakerCounters } from "#domain/approximate.ts";
import { blankRecord } from "#domain/blank-record.ts";
import type { FieldAge, Margins, PlatformName, RecordKind } from "#domain/record.ts";
import type { AnyRecord } from "#store/write/encoded-record.ts";
import { type Fields, isFields } from "./capture/field-readers.ts";

/** The source of records of tables that were read with a mapping. */
export const MAPPED_TABLE = "mapped table";

/** One capture of a record, with its provenance. */
export type Capture = Omit<Observed<AnyRecord>, "capturedAt"> & { capturedAt: number; source: string };

/** Captures contain these lists in part, so the record has the union. */
const UNIONED_LISTS = new Set(["taggedIds", "coauthorIds", "hashtags"]);

/** Far more than platforms allow: such a list grows no further, however many captures add to it. */
const MAX_UNION = 2_000;

/** Of two estimates the finer is the better, not the newer: of a time that never changes, a text, a list of pictures. */
const FINER_WINS = new Set([
  "publishedAt",
  "text",
  "native.thumbnails",
  "native.image_versions2.candidates",
  "native.video_versions",
  "native.carousel_media",
]);

/** Lists of links that people change: the newer wins, and some tools keep only the URLs of those that stayed. */
const LISTS_BY_URL = new Set(["native.bio_links"]);

/** The fields that are merged one by one. */
function withoutProvenance(record: AnyRecord): object {
  const { id: _id, capturedAt: _time, source: _source, ages: _ages, approximate: _margins, ...fields } = record;
  return fields;
}

/** A record that is known from one capture only. */
export function fromCapture(kind: RecordKind, capture: Capture): AnyRecord {
  const record: Record<string, unknown> = blankRecord(kind);
  const captured: Fields = capture;
  for (const key in captured) {
    const value = captured[key];
    if (isKnown(value)) record[key] = UNIONED_LISTS.has(key) && Array.isArray(value) ? [...new Set(value)] : value;
  }
  record["native"] = isFields(capture.native) ? removeUnknown(capture.native) : {};
  delete record["approximate"];
  const margins = Object.entries(capture.approximate ?? {}).filter(([path]) => isKnown(valueAt(record, path)));
  // Sorted, as merging writes them: the same record must give the same text.
  if (margins.length > 0) record["approximate"] = Object.fromEntries(margins.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return record as unknown as AnyRecord;
}

function valueAt(record: object, path: string): unknown {
  return path.split(".").reduce<unknown>((value, key) => (isFields(value) ? value[key] : undefined), record);
}

/** Removes unknown members at any depth of objects; lists stay as they are. */
function removeUnknown(object: Fields): Fields {
  const known: Record<string, unknown> = {};
  for (const key in object) {
    const value = object[key];
    const cleaned = isFields(value) ? removeUnknown(value) : value;
    if (isKnown(cleaned) && key !== "__proto__") known[key] = cleaned;
  }
  return known;
}

export function merge(kind: RecordKind, stored: AnyRecord | null, capture: Capture, platform: PlatformName): AnyRecord {
  const incoming = fromCapture(kind, capture);
  if (stored === null) return incoming;
  // Time and source are those of what is known: comments and subtitles only mention their post.
  if (isMention(stored) !== isMention(incoming)) return isMention(stored) ? incoming : stored;
  const storedAge: FieldAge =
    stored.ages === undefined ? stored.capturedAt : { at: stored.capturedAt, parts: stored.ages };
  const margins: MergedMargins = {
    isReread: stored.source === MAPPED_TABLE && capture.source === MAPPED_TABLE,
    stored: { ...stored.approximate, ...weakerCounters(platform, stored, incoming) },
    incoming: { ...incoming.approximate, ...weakerCounters(platform, incoming, stored) },
    merged: {},
  };
  const { value, age } = mergeFields(
    withoutProvenance(stored),
    storedAge,
    withoutProvenance(incoming),
    capture.capturedAt,
    margins,
  );
  const isNewer = isAfter([capture.capturedAt, capture.source], [stored.capturedAt, stored.source]);
  const { capturedAt, source } = isNewer ? capture : stored;
  const merged = { ...value, id: capture.id, capturedAt, source } as unknown as AnyRecord;
  if (Object.keys(margins.merged).length > 0) merged.approximate = margins.merged;
  if (typeof age === "object") merged.ages = age.parts;
  return merged;
}

/** Whether nothing is known of the record but that it exists. The post of a comment is part of the comment's key. */
function isMention(record: AnyRecord): boolean {
  return Object.entries(withoutProvenance(record)).every(([key, value]) => key === "postId" || !isKnown(value));
}

interface MergedMargins {
  /** Whether both are of mapped tables, which people read again with a better mapping: of one instant the later import wins. */
  isReread: boolean;
  stored: Margins;
  incoming: Margins;
  /** Of the values that were chosen. */
  merged: Margins;
}

/** Merges each field on its own, and records the age of those that are older than the newest. */
function mergeFields(
  stored: object,
  storedAge: FieldAge,
  incoming: object,
  incomingAt: number,
  margins: MergedMargins,
  parent = "",
): { value: Record<string, unknown>; age: FieldAge } {
  const storedAt = timeOf(storedAge);
  const storedAges = typeof storedAge === "number" ? {} : storedAge.parts;
  const latest = Math.max(storedAt, incomingAt);
  const value: Record<string, unknown> = { ...stored };
  const newValues: Record<string, unknown> = { ...incoming };
  const ages: Record<string, FieldAge> = {};
  const keys = [...new Set([...Object.keys(stored), ...Object.keys(incoming)])].filter((key) => key !== "__proto__");
  for (const key of keys.toSorted()) {
    const path = `${parent}${key}`;
    const field = mergeField(path, value[key], storedAges[key] ?? storedAt, newValues[key], incomingAt, margins);
    if (field.value !== undefined) value[key] = field.value;
    if (field.age !== latest && isKnown(field.value)) ages[key] = field.age;
  }
  return { value, age: Object.keys(ages).length === 0 ? latest : { at: latest, parts: ages } };
}

function mergeField(
  path: string,
  stored: unknown,
  storedAge: FieldAge,
  incoming: unknown,
  incomingAt: number,
  margins: MergedMargins,
): { value: unknown; age: FieldAge } {
  const storedAt = timeOf(storedAge);
  if (isKnown(stored) && isKnown(incoming)) {
    if (UNIONED_LISTS.has(path) && Array.isArray(stored) && Array.isArray(incoming)) {
      const union = stored.length < MAX_UNION ? [...new Set([...stored, ...incoming])] : stored;
      return { value: union, age: Math.max(storedAt, incomingAt) };
    }
    if (LISTS_BY_URL.has(path) && Array.isArray(stored) && Array.isArray(incoming)) {
      const [older, newer] = isAfter([incomingAt, incoming], [storedAt, stored])
        ? [stored, incoming]
        : [incoming, stored];
      return { value: completeLinks(newer, older), age: Math.max(storedAt, incomingAt) };
    }
    if (isFields(stored) && isFields(incoming))
      return mergeFields(stored, storedAge, incoming, incomingAt, margins, `${path}.`);
  }
  const isReplaced =
    isKnown(incoming) && (!isKnown(stored) || replaces(path, [incomingAt, incoming], [storedAt, stored], margins));
  keepMargins(path, isReplaced ? margins.incoming : margins.stored, margins.merged);
  return isReplaced ? { value: incoming, age: incomingAt } : { value: stored, age: storedAge };
}

interface Link {
  url?: string;
}

/** With what the older list says of the same URLs. */
function completeLinks(newer: readonly Link[], older: readonly Link[]): Link[] {
  const olderByUrl = new Map<string | undefined, Link>();
  for (const link of older) if (link.url !== undefined && !olderByUrl.has(link.url)) olderByUrl.set(link.url, link);
  return newer.map((link) => ({ ...olderByUrl.get(link.url), ...link }));
}

/** Of the field, or of those below it if it was taken as a whole. */
function keepMargins(path: string, from: Margins, to: Margins): void {
  for (const key in from) {
    const margin = from[key];
    if ((key === path || key.startsWith(`${path}.`)) && margin !== undefined) to[key] = margin;
  }
}

/** A value, with the time at which it was captured. */
type Timed = readonly [at: number, value: unknown];

/** Whether the incoming one of two known values replaces the stored one. */
function replaces(path: string, incoming: Timed, stored: Timed, margins: MergedMargins): boolean {
  const storedMargin = margins.stored[path] ?? 0;
  const incomingMargin = margins.incoming[path] ?? 0;
  const isOneExact = (storedMargin === 0) !== (incomingMargin === 0);
  if (isOneExact || (storedMargin !== incomingMargin && FINER_WINS.has(path))) return incomingMargin < storedMargin;
  return (margins.isReread && incoming[0] === stored[0]) || isAfter(incoming, stored);
}

/** The newer one; of the same instant the larger one, in any order of comparison. */
function isAfter([at, value]: Timed, [otherAt, other]: Timed): boolean {
  if (at !== otherAt || value === other) return at > otherAt;
  if (typeof value === "number" && typeof other === "number") return value > other;
  const [text, otherText] = [JSON.stringify(value), JSON.stringify(other)];
  if (text.length !== otherText.length) return text.length > otherText.length;
  const [folded, otherFolded] = [text.toLowerCase(), otherText.toLowerCase()];
  // A name is written with capitals, and looked up without.
  return folded === otherFolded ? text < otherText : folded > otherFolded;
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
