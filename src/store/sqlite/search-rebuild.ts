/** Rebuilds the search index of a store that was written with another version of the documents. */
import type { PlatformName, RecordKind } from "#domain/record.ts";
import type { SubtitleLine } from "#domain/subtitle.ts";
import { documentOf, DOCUMENTS_VERSION, subtitleDocument } from "#search/documents.ts";
import { endingKey } from "#search/word-endings.ts";
import { commentDocId, subtitleDocId } from "../search-doc-ids.ts";
import { assertNotNewer, type Database } from "./database.ts";
import { eachRow } from "./each-row.ts";
import { SearchIndex } from "./search-index.ts";

/** `file` is what error messages call the store. */
export function rebuildSearchIndex(db: Database, file: string): void {
  const state = db.get<{ documents_version: number }>("SELECT documents_version FROM search_state");
  const version = state?.documents_version ?? 0;
  assertNotNewer("search documents", version, DOCUMENTS_VERSION, file);
  if (version === DOCUMENTS_VERSION) return;
  const index = new SearchIndex(db);
  const flush = () => index.finish();
  db.transaction(() => {
    index.begin();
    reverseWords(db);
    eachRow<{ platform: PlatformName; kind: RecordKind; id: string; header: string }>(
      db,
      "records",
      "platform, kind, id, header",
      ({ platform, kind, id, header }) => index.put(platform, kind, id, documentOf(kind, JSON.parse(header) as object)),
      flush,
    );
    eachRow<{ platform: PlatformName; post_id: string; id: string; header: string }>(
      db,
      "comments",
      "platform, post_id, id, header",
      ({ platform, post_id, id, header }) =>
        index.put(platform, "comment", commentDocId(post_id, id), documentOf("comment", JSON.parse(header) as object)),
      flush,
    );
    eachRow<{ platform: PlatformName; post_id: string; language: string; automatic: 0 | 1; lines: string }>(
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

/** For words that were counted before they could be looked up by their end. */
function reverseWords(db: Database): void {
  type Key = { partition: number; word: string };
  for (let last: Key | undefined = { partition: 0, word: "" }; last !== undefined;) {
    const words: Key[] = db.all<Key>(
      "SELECT partition, word FROM search_words WHERE (partition, word) > (?, ?) ORDER BY partition, word LIMIT 2000",
      last.partition,
      last.word,
    );
    for (const { partition, word } of words) {
      const key = endingKey(word);
      if (key !== null)
        db.run("UPDATE search_words SET reversed = ? WHERE partition = ? AND word = ?", key, partition, word);
    }
    last = words.at(-1);
  }
}
