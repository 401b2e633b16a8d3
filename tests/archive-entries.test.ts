/** An archive of very many small files: they share transactions, so that none of them waits for the disk by itself. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { importFiles } from "#import/import-files.ts";
import { readFiles } from "#import/read-files.ts";
import { PLATFORMS } from "#platforms/registry.ts";
import { openSqliteStore } from "#store/sqlite/store.ts";
import type { Store } from "#store/store.ts";
import { budget } from "#testing/budget.ts";
import { reportClaim } from "#testing/claims.ts";
import { zipOf } from "#testing/sample-archives.ts";
import { aPostObject, postId, pushedLine } from "./spawn-import.ts";
import { openFreshStore } from "./postgres/fresh-store.ts";
import { temporaryFolder } from "./test-server.ts";

const ENTRIES = budget("archiveEntries");
/** One entry in this many has a post. */
const POST_EVERY = 100;

/** Counts transactions. */
function counting(store: Store): { store: Store; commits: () => number } {
  let commits = 0;
  const writer: Store["writer"] = {
    ...store.writer,
    write(units, options) {
      commits++;
      return store.writer.write(units, options);
    },
  };
  return { store: { ...store, writer }, commits: () => commits };
}

test(`an archive of ${ENTRIES} empty entries takes few transactions, and what is among them is imported`, async () => {
  const folder = temporaryFolder();
  const opened = openSqliteStore(folder.path);
  try {
    const path = join(folder.path, "many.zip");
    const entries = Array.from({ length: ENTRIES }, (_, index) => ({
      name: `folder/${index}.json`,
      data: index % POST_EVERY === 0 ? pushedLine(aPostObject(index / POST_EVERY)) : "",
    }));
    writeFileSync(path, zipOf(entries));
    const { store, commits } = counting(opened);
    const began = performance.now();
    const { files, total } = await importFiles(
      { store, read: (request) => readFiles(PLATFORMS, store.encoder, request), dataDir: folder.path },
      { paths: [path], origin: "command" },
    );
    const seconds = (performance.now() - began) / 1000;
    const posts = ENTRIES / POST_EVERY;
    assert.equal(files.length, ENTRIES);
    assert.equal(total.records.post?.new, posts);
    assert.equal((await store.reader("shortvideo").getPosts([postId(0), postId(posts - 1)])).length, 2);
    // One in half a second at most, or in a thousand files.
    assert.ok(commits() <= 2 + ENTRIES / 500 + 3 * seconds, `${commits()} transactions`);
    reportClaim(
      "an archive of many small files is written in few transactions",
      `${ENTRIES.toLocaleString("en")} entries in ${commits()} transactions and ${seconds.toFixed(1)} s`,
    );
  } finally {
    await opened.close();
    folder.remove();
  }
});

test("entries with names of any length are imported and listed one by one, on PostgreSQL too", async () => {
  const folder = temporaryFolder();
  const { store, close } = await openFreshStore();
  try {
    const path = join(folder.path, "names.zip");
    const long = randomBytes(2_000).toString("hex");
    const names = ["first.ndjson", `${long}/a.ndjson`, `${long}/b.ndjson`, `../${long}`, "last.ndjson"];
    const entries = names.map((name, index) => ({ name, data: pushedLine(aPostObject(index)) }));
    writeFileSync(path, zipOf([...entries, { name: `${long}.zip`, data: zipOf([{ ...entries[0]!, name: long }]) }]));
    const { files, total } = await importFiles(
      { store, read: (request) => readFiles(PLATFORMS, store.encoder, request), dataDir: folder.path },
      { paths: [path], origin: "command" },
    );
    assert.equal(files.length, names.length + 1);
    assert.deepEqual([total.records.post?.new, total.refused], [4, { unsafe_name: 1 }]);
    assert.ok(files.every(({ name }) => name.startsWith(`${path}!`) && name.length < path.length + 700));
  } finally {
    await close();
    folder.remove();
  }
});
