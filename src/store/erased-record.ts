/** What of a batch is refused or changed since it, its post or somebody in it was erased. Asked of records as they come in. */
import type { ReportKind } from "#domain/job.ts";
import type { Post } from "#domain/post.ts";
import type { RecordKind } from "#domain/record.ts";
import type { Sound } from "#domain/sound.ts";
import { countResult } from "./batch-changes.ts";
import { authorsOf } from "./post-lists.ts";
import { artistKeys, scrubRecord, scrubTrack } from "./scrub.ts";
import type { Changes, RecordChange, WriteCounts } from "./writer.ts";

type IsErased = (kind: RecordKind, id: string) => boolean;

/** The changes without those that are erased, and without what others say about erased people. Counts what is left out. */
export function withoutErased(changes: Changes, isErased: IsErased, counts: WriteCounts): Changes {
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

function isErasedRecord({ kind, postId, incoming }: RecordChange, isErased: IsErased): boolean {
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
export function makerKeys(kind: ReportKind, header: object): string[] {
  if (kind === "sound") return artistKeys(header);
  return kind === "post" || kind === "comment" ? authorsOf(header as Post) : [];
}
