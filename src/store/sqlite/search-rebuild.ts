/** Rebuilds the search index of a store that was written with another version of the documents. */
import type { SubtitleLine } from "#domain/subtitle.ts";
import { documentOf, subtitleDocument } from "#search/documents.ts";
import { commentDocId, subtitleDocId } from "../search-doc-ids.ts";
import type { Database } from "./database.ts";
import { eachRow } from "./each-row.ts";
import type { CommentsRow, RecordsRow, SearchStateRow, SubtitlesRow } from "./rows.ts";
import { SearchIndex } from "./search-index.ts";

/** Raise it whenever the tokens of a document change. */
const DOCUMENTS_VERSION = 3;

export function rebuildSearchIndex(db: Database): void {
  const state = db.get<Pick<SearchStateRow, "documents_version">>("SELECT documents_version FROM search_state");
  if (state?.documents_version === DOCUMENTS_VERSION) return;
  const index = new SearchIndex(db);
  const flush = () => index.finish();
  db.transaction(() => {
    index.begin();
    eachRow<Pick<RecordsRow, "platform" | "kind" | "id" | "header">>(
      db,
      "records",
      "platform, kind, id, header",
      ({ platform, kind, id, header }) => index.put(platform, kind, id, documentOf(kind, JSON.parse(header) as object)),
      flush,
    );
    eachRow<Pick<CommentsRow, "platform" | "post_id" | "id" | "header">>(
      db,
      "comments",
      "platform, post_id, id, header",
      ({ platform, post_id, id, header }) =>
        index.put(platform, "comment", commentDocId(post_id, id), documentOf("comment", JSON.parse(header) as object)),
      flush,
    );
    eachRow<Pick<SubtitlesRow, "platform" | "post_id" | "language" | "automatic" | "lines">>(
      db,
      "subtitles",
      "platform, post_id, language, automatic, lines",
      ({ platform, post_id: postId, language, automatic, lines: json }) => {
        const lines = JSON.parse(json) as SubtitleLine[];
        const track = { postId, language, automatic: automatic === 1, lines, capturedAt: 0, source: "" };
        index.put(platform, "subtitle", subtitleDocId(postId, language, track.automatic), subtitleDocument(track));
      },
      flush,
    );
    db.run("UPDATE search_state SET documents_version = ?", DOCUMENTS_VERSION);
  });
}
