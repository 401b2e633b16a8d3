/** Decodes copied rows to records with their index fields, and lists the records each row refers to. */
import type { PlatformName, RecordKind } from "#domain/record.ts";
import type { SubtitleLine, SubtitleTrack } from "#domain/subtitle.ts";
import type { AnyRecord, EncodedRecord } from "./encoded-record.ts";
import { rowEncoder } from "./row-encoder.ts";
import type { CopyRow, CopyTableName } from "./table-copy.ts";

export interface CopyRecord {
  platform: PlatformName;
  kind: RecordKind;
  /** Comments only. */
  postId: string | null;
  encoded: EncodedRecord;
  version: number;
}

type RecordValues = [string, Exclude<RecordKind, "comment">, string, string, string, number, string, number];
type CommentValues = [string, string, string, string, string, number, string];
type TrackValues = [string, string, string, number, string, number, string];

export function decodeRecordRow(row: CopyRow): CopyRecord {
  const [platform, kind, id, header, native, capturedAt, source, version] = row as RecordValues;
  return {
    platform,
    kind,
    postId: null,
    version,
    encoded: withIndexFields(kind, id, header, native, capturedAt, source),
  };
}

export function decodeCommentRow(row: CopyRow): CopyRecord & { postId: string } {
  const [platform, postId, id, header, native, capturedAt, source] = row as CommentValues;
  const encoded = withIndexFields("comment", id, header, native, capturedAt, source);
  return { platform, kind: "comment", postId, version: 1, encoded };
}

function withIndexFields(
  kind: RecordKind,
  id: string,
  header: string,
  native: string,
  capturedAt: number,
  source: string,
): EncodedRecord {
  // Index fields never depend on the native object, so it need not be parsed.
  const fields = rowEncoder.indexFields(kind, JSON.parse(header) as AnyRecord);
  return { id, header, native, capturedAt, source, ...fields };
}

export function decodeTrackRow(row: CopyRow): SubtitleTrack & { platform: PlatformName } {
  const [platform, postId, language, automatic, json, capturedAt, source] = row as TrackValues;
  const lines = JSON.parse(json) as SubtitleLine[];
  return { platform, postId, language, automatic: automatic === 1, lines, capturedAt, source };
}

/** A record that a row refers to. The row is skipped if the record was erased in the target. */
export interface Subject {
  platform: PlatformName;
  kind: RecordKind;
  id: string | null;
}

export function subjectsOfRecord({ platform, kind, postId, encoded: { id, authorId } }: CopyRecord): Subject[] {
  const subjects: Subject[] = [{ platform, kind, id }];
  if (kind === "comment") subjects.push({ platform, kind: "post", id: postId });
  if (kind === "comment" || kind === "post") subjects.push({ platform, kind: "account", id: authorId });
  return subjects;
}

/** For the tables other than records and comments. */
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
