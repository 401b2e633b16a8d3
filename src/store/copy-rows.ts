/** Copied rows as the records they hold, with all that is derived from them, and whom each row speaks of. */
import type { PlatformName, RecordKind } from "#domain/record.ts";
import type { SubtitleLine, SubtitleTrack } from "#domain/subtitle.ts";
import type { CopyTableName, CopyRow } from "./table-copy.ts";
import { createRowEncoder } from "./row-encoder.ts";
import type { AnyRecord, EncodedRecord } from "./store.ts";

/** A record or comment as it is written: its texts as they are, with all that is derived from them. */
export interface CopyRecord {
  platform: PlatformName;
  kind: RecordKind;
  /** Of a comment. */
  postId: string | null;
  prepared: EncodedRecord;
  version: number;
}

export function recordOfRow(row: CopyRow): CopyRecord {
  const [platform, kind, id, header, native, capturedAt, source, version] = row as RecordValues;
  return { platform, kind, postId: null, version, prepared: prepared(kind, id, header, native, capturedAt, source) };
}

type RecordValues = [string, Exclude<RecordKind, "comment">, string, string, string, number, string, number];

export function commentOfRow(row: CopyRow): CopyRecord & { postId: string } {
  const [platform, postId, id, header, native, capturedAt, source] = row as CommentValues;
  return {
    platform,
    kind: "comment",
    postId,
    version: 1,
    prepared: prepared("comment", id, header, native, capturedAt, source),
  };
}

type CommentValues = [string, string, string, string, string, number, string];

function prepared(
  kind: RecordKind,
  id: string,
  header: string,
  native: string,
  capturedAt: number,
  source: string,
): EncodedRecord {
  // Nothing is derived from the native object, so it is not even parsed.
  const derived = createRowEncoder.indexFields(kind, JSON.parse(header) as AnyRecord);
  return { id, header, native, capturedAt, source, ...derived };
}

export function trackOfRow(row: CopyRow): SubtitleTrack & { platform: PlatformName } {
  const [platform, postId, language, automatic, lines, capturedAt, source] = row as TrackValues;
  const spoken = JSON.parse(lines) as SubtitleLine[];
  return { platform, postId, language, automatic: automatic === 1, lines: spoken, capturedAt, source };
}

type TrackValues = [string, string, string, number, string, number, string];

/** Of whom a row speaks: if one of them was erased, it is left out. */
export interface Subject {
  platform: PlatformName;
  kind: RecordKind;
  id: string | null;
}

export function subjectsOfRecord({ platform, kind, postId, prepared: { id, authorId } }: CopyRecord): Subject[] {
  const subjects: Subject[] = [{ platform, kind, id }];
  if (kind === "comment") subjects.push({ platform, kind: "post", id: postId });
  if (kind === "comment" || kind === "post") subjects.push({ platform, kind: "account", id: authorId });
  return subjects;
}

/** Of the tables that hold no records. */
export function subjectsOfRow(name: CopyTableName, row: CopyRow): Subject[] {
  const [platform, second, third] = row as [string, string, string];
  switch (name) {
    case "counter_points":
      return [{ platform, kind: second as RecordKind, id: third }];
    case "account_names":
      return [{ platform, kind: "account", id: third }];
    case "subtitles":
      return [{ platform, kind: "post", id: second }];
    case "follows":
      return [second, third].map((id) => ({ platform, kind: "account", id }));
    case "chart_entries":
      return [{ platform, kind: "post", id: row[5] as string }];
    default:
      return [];
  }
}
