import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { DOCUMENTS_VERSION } from "#search/documents.ts";
import { comment, NOW, PLATFORM, post, SECOND } from "#testing/sample-records.ts";
import type { SearchKind } from "#domain/record.ts";
import type { SourceFacets } from "./port.ts";
import { toUnit } from "#store/write/batch-changes.ts";
import { STORE_FILE } from "#store/sql/store-file.ts";
import { openSqliteStore } from "#store/sqlite/store.ts";

test("the index of a store with a newer version of the documents is left as it is, and the store is refused", async () => {
  const path = mkdtempSync(join(tmpdir(), "triptych-sqlite-"));
  try {
    await openSqliteStore(path).close();
    const file = new DatabaseSync(join(path, STORE_FILE));
    file.prepare("UPDATE search_state SET documents_version = ?").run(DOCUMENTS_VERSION + 1);
    assert.throws(() => openSqliteStore(path), {
      name: "StoreOpenError",
      message: /written by a newer Triptych \(search documents version/,
    });
    const state = file.prepare("SELECT documents_version FROM search_state").get();
    file.close();
    assert.equal(state?.["documents_version"], DOCUMENTS_VERSION + 1);
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
});

test("the index of a store with an older version of the documents is rebuilt when it is opened", async () => {
  const path = mkdtempSync(join(tmpdir(), "triptych-sqlite-"));
  try {
    const written = openSqliteStore(path);
    await written.writer.write([
      toUnit(PLATFORM, {
        posts: Array.from({ length: 2_500 }, (_, number) => post(`p${number}`, { text: `soup number${number}` })),
        comments: [comment("c1", { text: "best soup" })],
        subtitles: [
          {
            postId: "p1",
            language: "en",
            automatic: true,
            lines: [{ startS: 4, durationS: 1, text: "more soup" }],
            capturedAt: NOW,
            source: "test",
          },
        ],
      }),
    ]);
    await written.close();
    const file = new DatabaseSync(join(path, STORE_FILE));
    file.exec(`DELETE FROM search_docs; DELETE FROM search_words; UPDATE search_state SET documents_version = 0;
      INSERT INTO search_index (search_index) VALUES ('delete-all')`);
    file.close();

    const query = { limit: 5, now: SECOND };
    for (const opening of ["first", "second"]) {
      const store = openSqliteStore(path);
      const reader = store.reader(PLATFORM);
      assert.deepEqual(
        (await reader.searchPosts({ ...query, offset: 0, text: "soup number2499" })).items.map(({ id }) => id),
        ["p2499"],
        opening,
      );
      const search = (kind: SearchKind, text: string) =>
        store.search({ ...query, text, sources: [{ platform: PLATFORM, kind }] });
      const facets = (await search("post", "soup")).facets[0] as SourceFacets;
      assert.ok(facets.counted > 100 && facets.counted < 2_500 && !facets.complete, `${facets.counted}`);
      assert.equal((await search("comment", "best")).hits.length, 1);
      const [spoken] = (await search("subtitle", "soup")).hits;
      assert.equal(spoken?.kind === "subtitle" && spoken.line.startS, 4);
      assert.deepEqual(await store.verify(), []);
      await store.close();
    }
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
});
