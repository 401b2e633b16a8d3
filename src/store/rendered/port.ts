import type { PlatformName } from "#domain/record.ts";
import type { NonCommentKind, RecordRow } from "#store/write/record-row.ts";

/** The rendered JSON of records that were changed in their tables. Empty for a store that renders on every read. */
export interface RenderedTable {
  writeRecord: (platform: PlatformName, kind: NonCommentKind, record: RecordRow) => void;
  writeComment: (platform: PlatformName, postId: string, comment: RecordRow) => void;
}
