/**
 * How a held record and what one capture shows become one. Field by field: the newer known value wins, absence never
 * erases, a partial object never replaces a full one. Pure, and the same whatever the order of imports, save where two
 * captures of the same instant disagree.
 */
import type { Found } from "#contract/importer.ts";
import type { Account } from "#domain/account.ts";
import type { Comment } from "#domain/comment.ts";
import type { Hashtag } from "#domain/hashtag.ts";
import type { Place } from "#domain/place.ts";
import type { Post } from "#domain/post.ts";
import type { Counters, RecordKind } from "#domain/record.ts";
import type { Sound } from "#domain/sound.ts";
import type { Counted } from "#store/store.ts";

/** A found record with its provenance settled. */
export type Capture = Omit<Found<Counted>, "capturedAt"> & { capturedAt: number; source: string };

type Header<Record> = Omit<Record, "id" | "native" | "capturedAt" | "source">;

/** What is known of a record of which nothing is known. */
const BLANK: { [Kind in RecordKind]: object } = {
  account: {
    name: null,
    displayName: null,
    bio: null,
    verified: null,
    private: null,
    createdAt: null,
    language: null,
    country: null,
    counters: {},
  } satisfies Header<Account>,
  post: {
    authorId: null,
    publishedAt: null,
    title: null,
    text: null,
    language: null,
    country: null,
    hashtags: [],
    soundId: null,
    taggedIds: [],
    placeId: null,
    category: null,
    durationS: null,
    counters: {},
  } satisfies Header<Post>,
  comment: {
    postId: "",
    parentId: null,
    authorId: null,
    text: null,
    publishedAt: null,
    counters: {},
  } satisfies Header<Comment>,
  sound: { title: null, artistName: null, artistId: null, durationS: null, counters: {} } satisfies Header<Sound>,
  hashtag: { name: "", platformId: null, counters: {} } satisfies Header<Hashtag>,
  place: { name: "", latitude: null, longitude: null, address: null, city: null, counters: {} } satisfies Header<Place>,
};

/** Lists that captures show in part: what any of them showed belongs to the record. */
const GATHERED = new Set(["taggedIds", "hashtags"]);

const PROVENANCE = new Set(["id", "native", "counters", "capturedAt", "source"]);

/** A record of which one capture is all that is known. */
export function fresh(kind: RecordKind, capture: Capture): Counted {
  return merge(kind, null, capture);
}

export function merge(kind: RecordKind, held: Counted | null, capture: Capture): Counted {
  const newer = held === null || capture.capturedAt >= held.capturedAt;
  const merged: Record<string, unknown> = { ...BLANK[kind], ...held };
  for (const [key, value] of Object.entries(capture)) {
    if (PROVENANCE.has(key) || !isKnown(value)) continue;
    const before = merged[key];
    if (GATHERED.has(key)) merged[key] = [...new Set([...(before as string[]), ...(value as string[])])];
    else if (newer || !isKnown(before) || before === "") merged[key] = value;
  }
  merged["id"] = capture.id;
  merged["counters"] = mergeCounters(held?.counters ?? {}, capture.counters ?? {}, newer);
  merged["native"] = mergeNative(held?.native ?? {}, capture.native ?? {}, newer);
  merged["capturedAt"] = newer ? capture.capturedAt : held.capturedAt;
  merged["source"] = newer ? capture.source : held.source;
  return merged as unknown as Counted;
}

/** An empty list says as little as none. */
function isKnown(value: unknown): boolean {
  return value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0);
}

function mergeCounters(held: Counters, found: Counters, newer: boolean): Counters {
  return newer ? { ...held, ...found } : { ...found, ...held };
}

/** Whatever a reader lets through, only whole numbers from zero are counts. */
export function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function mergeNative(held: unknown, found: unknown, newer: boolean): unknown {
  if (!isKnown(found)) return held;
  if (!isKnown(held)) return found;
  if (isPlainObject(held) && isPlainObject(found)) {
    const merged: Record<string, unknown> = { ...held };
    for (const [key, value] of Object.entries(found)) {
      if (key !== "__proto__") merged[key] = mergeNative(merged[key], value, newer);
    }
    return merged;
  }
  return newer ? found : held;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
