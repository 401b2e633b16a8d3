/**
 * Nothing is stored that cannot be read: walks the tables of a store with the demo world, a small world and every fixture
 * of the importers, and asks an operation for rows of each table, platform and kind.
 */
import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { importFiles } from "#import/import-files.ts";
import { readFiles } from "#import/read-files.ts";
import { PLATFORMS } from "#platforms/registry.ts";
import { toUnit } from "#store/write/batch-changes.ts";
import type { Store } from "#store/store.ts";
import { TABLES, type TableName, type TableRow } from "#store/copy/port.ts";
import { startTestServer, query, type TestServer } from "./test-server.ts";
import { WORLD } from "./world.ts";

/** Of each kind of row on each platform. */
const SAMPLES = 12;

const FIXTURES = globSync("src/platforms/*/importers/fixtures/*", { cwd: resolve(import.meta.dirname, "..") })
  .toSorted()
  .map((path) => resolve(import.meta.dirname, "..", path));

/** What belongs to the service and not to a platform. */
const OWN_TABLES: ReadonlySet<TableName> = new Set([
  "erased",
  "tokens",
  "jobs",
  "job_files",
  "job_rejects",
  "job_records",
  "retention",
  "watches",
]);

/** A page of results, comments or accounts. */
interface PageBody {
  results: { id: string }[];
  comments: { id: string }[];
  accounts: { id: string | null; name: string | null }[];
  continuation_token: string;
}

type Row = Record<string, string | number | null>;

describe("every stored record can be read", { timeout: 300_000 }, () => {
  let server: TestServer;
  let store: Store;
  before(async () => {
    server = await startTestServer("demo", { RATE_LIMIT: "off" });
    store = await server.openStore();
    for (const { platform, batch } of WORLD) await store.writer.write([toUnit(platform, batch)]);
    const { dataDir } = server;
    await importFiles(
      { store, read: (files) => readFiles(PLATFORMS, store.encoder, files), dataDir },
      { paths: FIXTURES, origin: "command", subject: "amara.petrovic" },
    );
  });
  after(async () => {
    await store.close();
    await server.close();
  });

  async function read<Body>(path: string, parameters: Record<string, string>): Promise<Body> {
    const response = await server.get(`/api/${path}?${query(parameters)}`);
    const text = await response.text();
    assert.equal(response.status, 200, `${path} ${JSON.stringify(parameters)}: ${text}`);
    return JSON.parse(text) as Body;
  }

  /** Reads pages until one has what is looked for. */
  async function pages(
    path: string,
    parameters: Record<string, string>,
    has: (body: PageBody) => boolean,
  ): Promise<void> {
    for (let token = ""; ;) {
      const body = await read<PageBody>(path, { ...parameters, limit: "50", continuation_token: token });
      if (has(body)) return;
      assert.notEqual(body.continuation_token, "", `${path} ${JSON.stringify(parameters)} does not have it`);
      token = body.continuation_token;
    }
  }

  const READERS: Readonly<Record<string, (row: Row) => Promise<unknown>>> = {
    async "records account"({ platform, id }) {
      const body = await read<{ account: { id: string | null; name: string } }>(
        "posts",
        strings({ platform, account: id }),
      );
      assert.equal(body.account.id ?? `@${body.account.name.toLowerCase()}`, id);
    },
    async "records post"({ platform, id }) {
      assert.equal((await read<{ post: { id: string } }>("post", strings({ platform, id }))).post.id, id);
    },
    "records sound": (row) => history(row, "sound"),
    "records hashtag": (row) => history(row, "hashtag"),
    async "records place"({ platform, id, header }) {
      const { name } = JSON.parse(String(header)) as { name: string };
      await pages("search", strings({ platform, kind: "place", q: name }), ({ results }) =>
        results.some((result) => result.id === id),
      );
    },
    async account_names({ platform, name }) {
      const body = await read<{ account: { name: string } }>("posts", strings({ platform, account: name }));
      assert.ok(body.account.name !== null, String(name));
    },
    async comments({ platform, post_id, id, header }) {
      const { parentId } = JSON.parse(String(header)) as { parentId: string | null };
      const parameters = { platform, id: post_id, ...(parentId === null ? {} : { replies_to: parentId }) };
      await pages("post", strings(parameters), ({ comments }) => comments.some((one) => one.id === id));
    },
    async subtitles({ platform, post_id, language, automatic, lines }) {
      const body = await read<{ tracks: object[]; language: string; lines: object[] }>(
        "subtitles",
        strings({ platform, id: post_id, lang: language }),
      );
      assert.ok(body.tracks.some((track) => isDeepStrictEqual(track, { language, automatic: automatic === 1 })));
      assert.equal(body.language, language);
      // Of two tracks in one language, the manual one is returned.
      const isOnly = body.tracks.filter((track) => (track as Row)["language"] === language).length === 1;
      if (isOnly) assert.equal(body.lines.length, (JSON.parse(String(lines)) as unknown[]).length);
    },
    async follows({ platform, account_id, follower_id }) {
      const has = (other: unknown) => (body: PageBody) =>
        body.accounts.some(({ id, name }) => (id ?? `@${name?.toLowerCase()}`) === other);
      await pages("follows", strings({ platform, account: account_id }), has(follower_id));
      await pages("follows", strings({ platform, account: follower_id, direction: "following" }), has(account_id));
    },
    async chart_entries({ platform, country, section, day, post_id }) {
      const { ranks } = await read<{ ranks: Record<string, string>[] }>(
        "charts/history",
        strings({ platform, video_id: post_id, country }),
      );
      assert.ok(ranks.some((rank) => rank["section"] === section && rank["day"] === day));
    },
    async counter_points(row) {
      const points = await history(row, String(row["kind"]));
      const captured = new Date(Number(row["captured_at"])).toISOString();
      const shown = points.findLast(({ captured_at }) => captured_at <= captured);
      // A capture that repeats the one before it has no point of its own.
      if (shown?.captured_at !== captured) {
        assert.deepEqual(
          shown?.counters,
          JSON.parse(String(row["counters"])),
          `${row["kind"]} ${row["id"]} ${captured}`,
        );
      }
    },
  };

  async function history({ platform, id }: Row, kind: string): Promise<{ captured_at: string; counters: object }[]> {
    type History = { points: { captured_at: string; counters: object }[] };
    return (await read<History>("history", strings({ platform, kind, id }))).points;
  }

  async function walk(table: TableName): Promise<Map<string, Row[]>> {
    const groups = new Map<string, Row[]>();
    await store.tables.snapshot(async (reader) => {
      for await (const rows of reader.read(table)) {
        for (const values of rows) {
          const row = toRow(table, values);
          const key = [row["platform"], table === "records" ? `records ${row["kind"]}` : table].join(": ");
          const group = groups.get(key);
          if (group === undefined) groups.set(key, [row]);
          else group.push(row);
        }
      }
    });
    return groups;
  }

  for (const table of (Object.keys(TABLES) as TableName[]).filter((name) => !OWN_TABLES.has(name))) {
    test(`rows of ${table}`, async () => {
      const groups = await walk(table);
      assert.ok(groups.size > 0, `no rows of ${table}: the test would prove nothing`);
      for (const [key, rows] of groups) {
        const reader = READERS[key.replace(/^[^:]*: /, "")] ?? assert.fail(`no operation reads ${key}`);
        const step = Math.max(1, Math.floor(rows.length / SAMPLES));
        const samples = rows.filter((_, index) => index % step === 0);
        await Promise.all(samples.map(reader));
      }
    });
  }
});

function toRow(table: TableName, values: TableRow): Row {
  return Object.fromEntries(TABLES[table].map((column, index) => [column, values[index] ?? null]));
}

function strings(parameters: Readonly<Record<string, Row[string] | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, String(value)]));
}
