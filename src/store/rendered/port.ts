import type { RawJsonText } from "#domain/projection.ts";
import type { PlatformName, RecordKind } from "#domain/record.ts";
import type { NonCommentKind, RecordRow } from "#store/write/record-row.ts";
import type { EncodedRecord, IndexFields } from "#store/write/encoded-record.ts";

export type RenderableRecord = Omit<EncodedRecord, keyof IndexFields>;

/** The JSON of the stored projections, as the write sides of other concerns maintain it. */
export interface RenderedWriter {
  /** `number` is that of the record's row. */
  write(platform: PlatformName, kind: RecordKind, number: number, record: RenderableRecord): void;
  /** For the columns of the comment's row; null without a stored projection. */
  renderComment(platform: PlatformName, comment: RenderableRecord): RawJsonText | null;
}

/** The rendered JSON of records that were changed in their tables. Empty for a store that renders on every read. */
export interface RenderedTable {
  writeRecord: (platform: PlatformName, kind: NonCommentKind, record: RecordRow) => void;
  writeComment: (platform: PlatformName, postId: string, comment: RecordRow) => void;
}
