/** The records of each kind. */
import type { Account } from "./account.ts";
import type { Comment } from "./comment.ts";
import type { Hashtag } from "./hashtag.ts";
import type { Place } from "./place.ts";
import type { Post } from "./post.ts";
import type { RecordKind, StoredRecord } from "./record.ts";
import type { Sound } from "./sound.ts";

export interface Records {
  account: Account;
  post: Post;
  comment: Comment;
  sound: Sound;
  hashtag: Hashtag;
  place: Place;
}

/** A record without its id, its provenance and the platform's own object, which are stored beside it. */
export type Header<Kind extends RecordKind = RecordKind> = {
  [Each in Kind]: Omit<Records[Each], Exclude<keyof StoredRecord<object>, "ages" | "approximate">>;
}[Kind];
