import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { comment, NOW, PLATFORM, post, SECOND } from "#testing/sample-records.ts";
import { encodeRecord } from "../row-encoder.ts";
import { MIGRATIONS } from "./migrations.ts";
import { openSqliteStore, STORE_FILE } from "./store.ts";

test("a store of the first version is searched like a new one after it was opened once", async () => {
  const path = mkdtempSync(join(tmpdir(), "triptych-sqlite-"));
  try {
    const old = new DatabaseSync(join(path, STORE_FILE));
    old.exec(MIGRATIONS[0] as string);
    old.exec("PRAGMA application_id = 1416784240; PRAGMA user_version = 1");
    const insert = old.prepare("INSERT INTO records VALUES (?, 'post', ?, ?, ?, ?, 'test', 1)");
    for (let number = 0; number < 2_500; number++) {
      const { id, header, native } = encodeRecord("post", post(`p${number}`, { text: `soup number${number}` }));
      insert.run(PLATFORM, id, header, native, NOW);
    }
    const said = encodeRecord("comment", comment("c1", { text: "best soup" }));
    old
      .prepare("INSERT INTO comments VALUES (?, 'p1', 'c1', NULL, NULL, 0, 0, ?, ?, ?, 'test')")
      .run(PLATFORM, said.header, said.native, NOW);
    old
      .prepare("INSERT INTO subtitles VALUES (?, 'p1', 'en', 1, ?, ?, 'test')")
      .run(PLATFORM, JSON.stringify([{ startS: 4, durationS: 1, text: "more soup" }]), NOW);
    old.close();

    const ask = { offset: 0, limit: 5, now: SECOND };
    for (const opening of ["first", "second"]) {
      const store = openSqliteStore(path);
      const reader = store.reader(PLATFORM);
      assert.deepEqual(
        (await reader.searchPosts({ ...ask, text: "soup number2499" })).items.map(({ id }) => id),
        ["p2499"],
        opening,
      );
      const { facets } = await reader.search("post", { ...ask, text: "soup" });
      assert.ok(facets.counted > 100 && facets.counted < 2_500 && !facets.complete, `${facets.counted}`);
      assert.equal((await reader.search("comment", { ...ask, text: "best" })).hits.length, 1);
      const [spoken] = (await reader.search("subtitle", { ...ask, text: "soup" })).hits;
      assert.equal(spoken?.kind === "subtitle" && spoken.line.startS, 4);
      assert.deepEqual(await store.verify(), []);
      await store.close();
    }
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
});
