/** Whether a record is refused since it, its post or somebody who made it was erased. Asked of a record as it comes in. */
import type { Post } from "#domain/post.ts";
import type { RecordKind } from "#domain/record.ts";
import type { Sound } from "#domain/sound.ts";
import type { TouchKind } from "./job-touches.ts";
import { authorsOf } from "./post-lists.ts";
import { artistKeys } from "./scrub.ts";
import type { RecordChange } from "./writer.ts";

export function isErasedRecord(
  { kind, postId, incoming }: Pick<RecordChange, "kind" | "postId" | "incoming">,
  isErased: (kind: RecordKind, id: string) => boolean,
): boolean {
  if (isErased(kind, incoming.id)) return true;
  if (postId !== null && isErased("post", postId)) return true;
  return makersOf({ kind, incoming }).some((key) => isErased("account", key));
}

/** The ids of the authors of a post or comment; the keys of a sound's artist. */
export function makersOf({ kind, incoming }: Pick<RecordChange, "kind" | "incoming">): string[] {
  const { authorId, lists, header } = incoming;
  if (kind === "sound") return artistKeys(JSON.parse(header) as Sound);
  const authors = lists.flatMap(([list, key]) => (list === "author" ? key : []));
  return authorId === null ? authors : [authorId, ...authors];
}

/** The same of a record as it is stored. */
export function makerKeys(kind: TouchKind, header: object): string[] {
  if (kind === "sound") return artistKeys(header as Sound);
  return kind === "post" || kind === "comment" ? authorsOf(header as Post) : [];
}
