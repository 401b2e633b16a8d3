/** What of a batch is refused or changed since it, its post or somebody in it was erased. Asked of records as they come in. */
import { isTelling } from "#domain/display-name.ts";
import type { ReportKind } from "#domain/job.ts";
import { parseJsonText } from "#domain/json-text.ts";
import type { Post } from "#domain/post.ts";
import type { RecordKind } from "#domain/record.ts";
import { countResult } from "#store/write/batch-changes.ts";
import { displayNameKey } from "./keys.ts";
import { authorsOf } from "#store/lists/port.ts";
import { artistKeys, scrubRecord, scrubTrack } from "./scrub.ts";
import type { Changes, RecordChange, WriteCounts } from "#store/write/port.ts";

type IsErasedRecord = (kind: RecordKind, id: string) => boolean;

/** The changes without those that are erased, and without what others say about erased people. Counts what is left out. */
export function withoutErased(changes: Changes, isErased: IsErasedRecord, counts: WriteCounts): Changes {
  const isKept = (kind: ReportKind, ofErased: boolean): boolean => {
    if (ofErased) countResult(counts, kind, "erased");
    return !ofErased;
  };
  const { records, subtitles, follows, chartEntries, history = [] } = changes;
  return {
    ...changes,
    records: records
      .filter((change) => isKept(change.kind, isErasedRecord(change, isErased)))
      .map((change) => ({ ...change, incoming: scrubRecord(change.kind, change.incoming, isErased) })),
    subtitles: subtitles
      .filter(({ postId }) => isKept("subtitles", isErased("post", postId)))
      .map((track) => scrubTrack(track, isErased)),
    follows: follows.filter(({ accountId, followerId }) =>
      isKept("follow", isErased("account", accountId) || isErased("account", followerId)),
    ),
    chartEntries: chartEntries.filter(({ postId }) => isKept("chart", isErased("post", postId))),
    history: history.filter(({ kind, id }) => !isErased(kind, id)),
  };
}

function isErasedRecord({ kind, postId, incoming }: RecordChange, isErased: IsErasedRecord): boolean {
  if (isErased(kind, incoming.id)) return true;
  if (postId !== null && isErased("post", postId)) return true;
  return makersOf({ kind, incoming }).some((key) => isErased("account", key));
}

/** The ids of the authors of a post or comment, or the key of the name shown for them; the keys of a sound's artist. */
export function makersOf({ kind, incoming }: Pick<RecordChange, "kind" | "incoming">): string[] {
  const { authorId, lists, header, native } = incoming;
  if (kind === "sound") return artistKeys(parseJsonText(header));
  if (kind !== "post" && kind !== "comment") return [];
  const authors = lists.flatMap(([list, key]) => (list === "author" ? key : []));
  if (authorId !== null) authors.unshift(authorId);
  return authors.length > 0 ? authors : shownAuthorKeys(parseJsonText(native));
}

/** The same of a record as it is stored. */
export function makerKeys(kind: ReportKind, header: object, getNative: () => object): string[] {
  if (kind === "sound") return artistKeys(header);
  if (kind !== "post" && kind !== "comment") return [];
  const authors = authorsOf(header as Post);
  return authors.length > 0 ? authors : shownAuthorKeys(getNative());
}

/** Captures without any id of the author show a name at most. Of one that many share, nobody can tell whose it is. */
function shownAuthorKeys(native: object): string[] {
  const name = shownAuthor(native);
  return name !== undefined && isTelling(name) ? [displayNameKey(name)] : [];
}

type NamedFields = Partial<Record<"channelTitle" | "authorName" | "nickname" | "full_name", unknown>>;

/** The name that is shown for the author of a post or comment, by the fields that the platforms have for it. */
export function shownAuthor(native: object): string | undefined {
  const { channelTitle, authorName, author, user } = native as NamedFields & Record<"author" | "user", NamedFields>;
  const names = [channelTitle, authorName, author?.nickname, user?.nickname, user?.full_name];
  return names.find((name) => typeof name === "string");
}
