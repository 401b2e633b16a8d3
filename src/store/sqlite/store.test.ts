import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { account, NOW, post, SECOND } from "#testing/sample-records.ts";
import { SAMPLE_PROJECTIONS } from "../conformance/rendering.ts";
import { storeSuite } from "../conformance/store.ts";
import { allTrends } from "../conformance/trends.ts";
import { StoreOpenError } from "../store-open-error.ts";
import { MIGRATIONS } from "./migrations.ts";
import { openSqliteStore, STORE_FILE } from "./store.ts";

function folder(): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), "triptych-sqlite-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

storeSuite("SQLite", async (clock) => {
  const { path, remove } = folder();
  const store = openSqliteStore(path, "full", clock, SAMPLE_PROJECTIONS);
  return {
    store,
    async close() {
      await store.close();
      remove();
    },
  };
});

test("a store that is damaged, of a newer version or of another program is refused in one sentence", async () => {
  const { path, remove } = folder();
  const file = join(path, STORE_FILE);
  const refusal = (pattern: RegExp) =>
    assert.throws(
      () => openSqliteStore(path),
      (error) => error instanceof StoreOpenError && pattern.test(error.message) && !error.message.includes("\n"),
    );
  writeFileSync(file, "this is not a database, whatever its name says ".repeat(100));
  refusal(/damaged or not a store/);
  rmSync(file);
  const other = new DatabaseSync(file);
  other.exec("CREATE TABLE somebody (id)");
  other.close();
  refusal(/another program/);
  rmSync(file);
  await openSqliteStore(path).close();
  const newer = new DatabaseSync(file);
  newer.exec("PRAGMA user_version = 999");
  newer.close();
  refusal(/newer Triptych/);
  remove();
});

test("a token's limit of an older store keeps its value under its new name", async () => {
  const { path, remove } = folder();
  const token = { keyId: "k", digest: "d", label: "l", scopes: [], createdAt: 1, expiresAt: null, revokedAt: null };
  const store = openSqliteStore(path);
  await store.tokens.writeToken({ ...token, limits: { burst: 5 }, replacedBy: null });
  await store.close();
  const older = new DatabaseSync(join(path, STORE_FILE));
  older.exec(`UPDATE tokens SET limits = '{"burst":5,"parallel":2}'`);
  older.exec(`PRAGMA user_version = ${MIGRATIONS.findIndex((migration) => migration.includes('"concurrency":'))}`);
  older.close();
  const opened = openSqliteStore(path);
  assert.deepEqual((await opened.tokens.getToken("k"))?.limits, { burst: 5, concurrency: 2 });
  await opened.close();
  remove();
});

test("a folder that cannot be made is refused in one sentence", () => {
  const { path, remove } = folder();
  writeFileSync(join(path, "occupied"), "");
  assert.throws(() => openSqliteStore(join(path, "occupied")), StoreOpenError);
  remove();
});

test("a store that has records and no rankings yet computes them when it is opened", async () => {
  const { path, remove } = folder();
  const clock = () => NOW;
  const store = openSqliteStore(path, "full", clock);
  const posts = Array.from({ length: 300 }, (_, index) =>
    post(`p${index}`, {
      publishedAt: SECOND - index * 86_400,
      hashtags: [`h${index % 7}`, `h${index % 3}`],
      soundId: `s${index % 5}`,
      country: ["US", "ES", null][index % 3] as string | null,
      counters: { views: 100 + index },
      capturedAt: NOW - (index % 250) * 80_000_000,
    }),
  );
  await store.writer.write("shortvideo", { posts });
  await store.writer.write("shortvideo", {
    posts: posts.map((held) => ({ ...held, counters: { views: 900 }, capturedAt: NOW })),
  });
  const kept = await allTrends(store);
  await store.close();
  const file = new DatabaseSync(join(path, STORE_FILE));
  for (const table of ["sums", "days", "ranks", "heads", "uncounted", "state"]) file.exec(`DELETE FROM trend_${table}`);
  file.close();
  const again = openSqliteStore(path, "full", clock);
  assert.deepEqual(await allTrends(again), kept);
  await again.close();
  remove();
});

test("erased words leave no bytes in the files", async () => {
  const { path, remove } = folder();
  const store = openSqliteStore(path);
  await store.writer.write("shortvideo", {
    accounts: [account("1", { name: "zanzibarina", displayName: "Zanzibarina", bio: "quokkasecret" })],
    posts: Array.from({ length: 40 }, (_, index) =>
      post(`p${index}`, {
        text: `quokkasecret number ${index}`,
        hashtags: ["quokkasecrettag"],
        native: { deep: "quokkasecret" },
      }),
    ),
  });
  await store.writer.erase("shortvideo", "account", "1");
  for (const name of readdirSync(path)) {
    const bytes = readFileSync(join(path, name));
    for (const word of ["quokkasecret", "zanzibarina"]) assert.ok(!bytes.includes(word), `${word} is still in ${name}`);
  }
  await store.close();
  remove();
});
