/** Records with every field unknown. */
import type { RecordKind } from "./record.ts";
import type { Records } from "./records.ts";

type Header<Record> = Omit<Record, "id" | "native" | "capturedAt" | "source" | "ages" | "approximate">;

const BLANK: { readonly [Kind in RecordKind]: () => Header<Records[Kind]> } = {
  account: () => ({
    name: null,
    displayName: null,
    bio: null,
    verified: null,
    private: null,
    createdAt: null,
    language: null,
    country: null,
    counters: {},
  }),
  post: () => ({
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
  }),
  comment: () => ({
    postId: "",
    parentId: null,
    authorId: null,
    text: null,
    publishedAt: null,
    counters: {},
  }),
  sound: () => ({ title: null, artistName: null, artistId: null, durationS: null, counters: {} }),
  hashtag: () => ({ name: "", platformId: null, counters: {} }),
  place: () => ({ name: "", latitude: null, longitude: null, address: null, city: null, counters: {} }),
};

/** Without id, native object and provenance. */
export function blankRecord<Kind extends RecordKind>(kind: Kind): Header<Records[Kind]> {
  return BLANK[kind]();
}
