import type { ReportKind } from "#domain/job.ts";
import { parseJsonText } from "#domain/json-text.ts";
import type { SearchKind } from "#domain/record.ts";
import { batchesOf, step } from "#store/sql/sql.ts";
import type { RowKey } from "#store/undo/port.ts";
import type { Concern } from "#store/write/concern.ts";
import { commentDocId, subtitleDocId } from "./doc-ids.ts";

export const search: Concern = {
  *forget(unit, { platform, kind, rows }) {
    const documents = DOCUMENTS[kind];
    if (documents === null) return;
    for (const batch of batchesOf(rows)) {
      const ids = batch.map(({ key }) => documents.idOf(key));
      yield* step(unit.documents.remove(platform, documents.kind, ids));
    }
  },
};

interface Documents {
  kind: SearchKind;
  /** Given the key of a row in the undo log. */
  idOf: (key: string) => string;
}

const ofRecords = (kind: SearchKind): Documents => ({ kind, idOf: (id) => id });

const DOCUMENTS: Record<ReportKind, Documents | null> = {
  account: ofRecords("account"),
  post: ofRecords("post"),
  sound: ofRecords("sound"),
  hashtag: ofRecords("hashtag"),
  place: ofRecords("place"),
  comment: {
    kind: "comment",
    idOf: (key: RowKey<"comment">) => {
      const [postId, id] = parseJsonText(key);
      return commentDocId(postId, id);
    },
  },
  subtitles: {
    kind: "subtitle",
    idOf: (key: RowKey<"subtitles">) => {
      const [postId, language, automatic] = parseJsonText(key);
      return subtitleDocId(postId, language, automatic);
    },
  },
  follow: null,
  chart: null,
};
