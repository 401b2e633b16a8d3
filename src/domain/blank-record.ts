/** Records with every field unknown. */
import type { Account } from "./account.ts";
import type { Comment } from "./comment.ts";
import type { Hashtag } from "./hashtag.ts";
import type { Place } from "./place.ts";
import type { Post } from "./post.ts";
import type { RecordKind } from "./record.ts";
import type { Sound } from "./sound.ts";

type Header<Record> = Omit<Record, "id" | "native" | "capturedAt" | "source" | "ages" | "approximate">;

const BLANK = {
  account: (): Header<Account> => ({
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
  post: (): Header<Post> => ({
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
  comment: (): Header<Comment> => ({
    postId: "",
    parentId: null,
    authorId: null,
    text: null,
    publishedAt: null,
    counters: {},
  }),
  sound: (): Header<Sound> => ({ title: null, artistName: null, artistId: null, durationS: null, counters: {} }),
  hashtag: (): Header<Hashtag> => ({ name: "", platformId: null, counters: {} }),
  place: (): Header<Place> => ({ name: "", latitude: null, longitude: null, address: null, city: null, counters: {} }),
} satisfies { [Kind in RecordKind]: () => object };

/** Without id, native object and provenance. */
export function blankRecord<Kind extends RecordKind>(kind: Kind): ReturnType<(typeof BLANK)[Kind]> {
  return BLANK[kind]() as ReturnType<(typeof BLANK)[Kind]>;
}
