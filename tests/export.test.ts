/** Exports from the command line and over HTTP: the same values in every format and from both stores, and as the API has them. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, before, describe, test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { fastify } from "fastify";
import { parquetReadObjects } from "hyparquet";
import Papa from "papaparse";
import { blankRecord } from "#domain/blank-record.ts";
import type { Expiry } from "#domain/retention.ts";
import { EXPORT_KINDS, type ExportColumn, type ExportKind } from "#export/kinds.ts";
import type { Manifest } from "#export/export-rows.ts";
import { type ExportServices, limitExports, registerExports } from "#http/export-routes.ts";
import { writeWhole } from "#export/whole-file.ts";
import { PLATFORMS } from "#platforms/registry.ts";
import { withoutExpired } from "#privacy/retention.ts";
import type { Permit } from "#rate-limit/admission.ts";
import { NO_MATCH } from "#search/match.ts";
import { toUnit } from "#store/write/batch-changes.ts";
import type { TableReader } from "#store/copy/port.ts";
import type { Batch } from "#store/write/port.ts";
import { until } from "#testing/until.ts";
import { toCsv } from "../console/src/ui/csv.ts";
import { requestOperation } from "./http-client.ts";
import { oddWorlds } from "./mixed-world.ts";
import { freshStoreDatabase } from "./postgres/databases.ts";
import { runCommand } from "./run-command.ts";
import { startTestServer, temporaryFolder, type TestServer } from "./test-server.ts";
import { openTokenIssuer } from "./test-tokens.ts";
import { aComment, anAccount, aPost, aSound } from "./world.ts";

const FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "'-1", "''@x"];

/** What spreadsheets would run, and people who mention each other. */
const MORE: Batch = {
  accounts: [
    anAccount("801", "Ines.Pardo", { displayName: "Inés Pardo" }),
    anAccount("802", "bo_k", { displayName: "Bo", counters: { followers: 4, saves: 90 } }),
  ],
  posts: [
    ...FORMULAS.map((text, index) => aPost(`f${index}`, { text, title: null, authorId: "801", counters: {} })),
    aPost("m1", {
      text: "with @Bo_K, @ines.pardo. and @nobody.known; @mary-jane, mail me@example.org: 撮影@ines.pardo ＠ines.pardo .@ines.pardo, together @ines.pardo@bo_k@ines.pardo, with @.dotty here",
      authorId: "802",
      taggedIds: ["801", "@ghost.writer"],
    }),
    aPost("m3", {
      text: "今日は@ines.pardoさんと一緒に。@ines.pardo.Great show @ghost.writerさんも @bo_k.elsewhere @Bo_K.Elsewhere @なまえ. @.",
      authorId: "802",
    }),
  ],
  sounds: [
    aSound("s801", { title: "original sound - ines.pardo", artistName: "ines.pardo", artistId: "801" }),
    aSound("s802", { title: "original sound - Bo - official", artistName: "Bo - official", artistId: "802" }),
    aSound("s803", { title: "Bo", artistName: "Bo", artistId: "802" }),
    aSound("s804", { title: "Originalton – ines.pardo", artistName: "Inés Pardo", artistId: "801" }),
    aSound("s805", { title: "Limbo", artistName: "bo", artistId: "802" }),
  ],
  comments: [aComment("m2", "m1", { text: "@ines.pardo hi", authorId: "@ghost.writer" })],
};

/** As TikTok shows it: exact at one time, rounded at others. */
const ROUNDED: Batch = {
  history: [
    {
      kind: "post",
      id: "m1",
      points: [12_300, 12_345, 12_300].map((views, day) => ({
        capturedAt: Date.UTC(2026, 9, 1 + day),
        counters: { views },
      })),
    },
  ],
};

/** More people of one name than a search looks up. */
const TWINS: Batch = {
  accounts: Array.from({ length: 21 }, (_, index) =>
    anAccount(`9${index}`, `twin.${index}`, { displayName: "Iv Twin" }),
  ),
  posts: Array.from({ length: 21 }, (_, index) => aPost(`t${index}`, { text: "skates", authorId: `9${index}` })),
};

/** Words to which others are joined. */
const JOINED: Batch = {
  posts: [
    "서울 맛집",
    "서울에서 찾은 맛집들",
    "남서울맛집 투어",
    "맛집은 서울 밖에",
    "서울맛집, 부산",
    "臺北夜市美食",
  ].map((title, index) => aPost(`j${index}`, { title, text: null })),
};

/** Authors of whom a capture shows the displayed name only, and one whose account is not stored. */
const NAMED: Batch = {
  posts: [
    aPost("n1", { native: { channelTitle: "Ada Tester", author: { nickname: "Ada Tester" } } }),
    aPost("n2", {
      authorId: "803",
      coauthorIds: ["804"],
      native: { channelTitle: "Kit Gone", author: { nickname: "Kit Gone" }, user: { pk: "803", username: "kit.gone" } },
    }),
  ],
  comments: [aComment("n3", "n1", { native: { authorName: "Ada Tester", user: { nickname: "Ada Tester" } } })],
};

/** As pages show them: "26K views", "2 years ago". */
const ROUGH: Batch = {
  accounts: [
    anAccount("804", "rough", { counters: { followers: 1200, posts: 3 }, approximate: { "counters.followers": 100 } }),
  ],
  posts: [
    aPost("r1", {
      text: "excerpt",
      counters: { views: 26_000, likes: 7 },
      approximate: { "counters.views": 1000, "native.thumbnails": 1, publishedAt: 31_536_000, text: 1 },
    }),
  ],
  comments: [aComment("r2", "r1", { approximate: { publishedAt: 604_800 } })],
};

/** People known by name only, and a post with the id of an account. */
const COUNTED: Batch = {
  accounts: [
    anAccount("@cleo.one", "cleo.one", { counters: { followers: 90_000_031 } }),
    anAccount("@dario.two", "dario.two", { counters: { followers: 90_000_032 } }),
    anAccount("805", "edda.three", { counters: { followers: 90_000_033 } }),
  ],
  posts: [aPost("805", { counters: { views: 90_000_034 } })],
};

const UNDATED = { capturedAt: 0, source: "undated" };
const NATIVE = { counters: { posts: 2 }, native: {}, ...UNDATED };

/** Of every kind: captures of which nobody knows the time. */
const AT_UNKNOWN_TIMES: Batch = {
  accounts: [anAccount("u1", "uma", { counters: { followers: 1 }, ...UNDATED })],
  posts: [aPost("u2", UNDATED)],
  comments: [aComment("u3", "u2", UNDATED)],
  follows: [{ accountId: "u1", followerId: "801", since: null, ...UNDATED }],
  subtitles: [
    {
      postId: "u2",
      language: "en",
      automatic: false,
      lines: [{ startS: 0, durationS: 1, text: "spoken" }],
      ...UNDATED,
    },
  ],
  chartEntries: [{ country: "US", section: "undated", day: "2026-01-01", rank: 1, postId: "u2", ...UNDATED }],
  sounds: [aSound("u4", UNDATED)],
  hashtags: [{ id: "undated", name: "undated", platformId: null, ...NATIVE }],
  places: [{ ...blankRecord("place"), id: "u5", name: "Undated Pier", ...NATIVE }],
};

/** A video whose id begins with a sign of formulas, as one in 64 does. */
const DASHED_ID = "-969MTWsRTc";
const DASHED: Batch = {
  posts: [aPost(DASHED_ID, { title: "-5 degrees", counters: { views: 3 } })],
  comments: [aComment("d1", DASHED_ID, { text: "-1 for this" })],
  subtitles: [
    {
      postId: DASHED_ID,
      language: "en",
      automatic: false,
      lines: [{ startS: 0, durationS: 1, text: "- yes" }],
      ...UNDATED,
    },
  ],
  chartEntries: [{ country: "US", section: "dashed", day: "2026-01-01", rank: 1, postId: DASHED_ID, ...UNDATED }],
};

const WORLD = [
  ...oddWorlds(),
  { platform: "shortvideo", batch: AT_UNKNOWN_TIMES },
  { platform: "shortvideo", batch: COUNTED },
  { platform: "longvideo", batch: ROUGH },
  { platform: "longvideo", batch: DASHED },
  { platform: "shortvideo", batch: MORE },
  { platform: "shortvideo", batch: ROUNDED },
  { platform: "shortvideo", batch: NAMED },
  { platform: "longvideo", batch: NAMED },
  { platform: "photoshare", batch: NAMED },
  { platform: "shortvideo", batch: TWINS },
  // The id of somebody else on another platform.
  { platform: "longvideo", batch: { ...JOINED, accounts: [anAccount("801", "someone.else")] } },
];

type Row = Record<string, unknown>;

describe("exports", () => {
  const home = temporaryFolder();
  let server: TestServer;
  let token: string;
  let url: string;
  let drop: () => Promise<void>;

  before(async () => {
    server = await startTestServer(WORLD, { DEMO: "off" });
    ({ url, drop } = await freshStoreDatabase());
    const args = ["copy", "--from", server.env["STORE_URL"] ?? server.dataDir, "--to", url];
    const outcome = await runCommand(args, {});
    assert.equal(outcome.code, 0, outcome.stderr);
    const scopes = "export,read:shortvideo,read:longvideo";
    const created = await runCommand(["token", "create", "--label", "x", "--scopes", scopes, "--json"], server.env);
    token = (JSON.parse(created.stdout) as { token: string }).token;
  });
  after(async () => {
    await server.close();
    await drop();
    home.remove();
  });

  async function exported(
    kind: string,
    name: string,
    ...options: string[]
  ): Promise<{ file: string; manifest: Manifest }> {
    const file = join(home.path, name);
    const { code, stderr } = await runCommand(["export", kind, "-o", file, "--force", ...options], server.env);
    assert.equal(code, 0, stderr);
    assert.equal(existsSync(`${file}.partial`), false);
    const manifest = JSON.parse(readFileSync(`${file}.manifest.json`, "utf8")) as Manifest;
    assert.equal(manifest.sha256, sha256(readFileSync(file)));
    return { file, manifest };
  }

  async function rowsOf(kind: string, ...options: string[]): Promise<Row[]> {
    const { file } = await exported(kind, `${kind}.ndjson`, ...options);
    const text = readFileSync(file, "utf8");
    return text === ""
      ? []
      : text
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line) as Row);
  }

  test("counters of an account leave out the likes that it gave, which are no saves", async () => {
    const counters = (await rowsOf("counters")).filter(({ kind, id }) => kind === "account" && id === "802");
    assert.deepEqual(
      counters.map(({ counter, value }) => [counter, value]),
      [["followers", 4]],
    );
  });

  test("counters of an account have its name, by which those without an id are told apart", async () => {
    const counters = async (...options: string[]) =>
      (await rowsOf("counters", "--platform", "shortvideo", ...options))
        .filter(({ value }) => (value as number) > 90_000_000)
        .map(({ kind, id, name, value }) => [kind, id, name, value]);
    assert.deepEqual(await counters(), [
      ["account", "805", "edda.three", 90_000_033],
      ["account", null, "cleo.one", 90_000_031],
      ["account", null, "dario.two", 90_000_032],
      ["post", "805", null, 90_000_034],
    ]);
    const [edda = [], cleo = [], dario = [], post] = await counters("--pseudonymise");
    for (const [, id, name] of [edda, cleo, dario]) {
      assert.match(String(id), /^p_[\w-]{22}$/);
      assert.equal(name, id);
    }
    assert.equal(new Set([edda[1], cleo[1], dario[1]]).size, 3);
    assert.deepEqual(post, ["post", "805", null, 90_000_034]);
  });

  test("counters that are those beside them rounded are exported as the history shows them", async () => {
    type History = { points: { captured_at: string; counters: Row }[] };
    const { points } = await server.json<History>("/api/history?platform=shortvideo&kind=post&id=m1&until=2026-10-10");
    const shown = points.map(({ captured_at, counters }) => [captured_at, counters["views"]]);
    assert.deepEqual(shown, [["2026-10-01T00:00:00.000Z", 12_345]]);
    const rows = (await rowsOf("counters")).filter(
      (row) => row["id"] === "m1" && String(row["captured_at"]) < "2026-10-10",
    );
    assert.deepEqual(
      rows.map((row) => [row["captured_at"], row["value"]]),
      shown,
    );
  });

  for (const kind of EXPORT_KINDS) {
    test(`${kind.name} have the same values in every format, and the same bytes from PostgreSQL`, async () => {
      const rows = await rowsOf(kind.name);
      assert.ok(rows.length > 0, "nothing to compare");
      const names = kind.columns.map(({ name }) => name);
      for (const row of rows) assert.deepEqual(Object.keys(row), names);
      const { file: csv, manifest } = await exported(kind.name, `${kind.name}.csv`, "--bom");
      assert.equal(manifest.rows, rows.length);
      assert.deepEqual(readCsv(kind, csv), rows);
      assert.deepEqual(await readParquet(kind, (await exported(kind.name, `${kind.name}.parquet`)).file), rows);
      assert.deepEqual(readSqlite(kind, (await exported(kind.name, `${kind.name}.sqlite`)).file), rows);
      const other = join(home.path, "postgres.ndjson");
      const args = ["export", kind.name, "--force", "-o", other];
      const { code, stderr } = await runCommand(args, { ...server.env, STORE_URL: url });
      assert.equal(code, 0, stderr);
      assert.equal(sha256(readFileSync(other)), sha256(readFileSync(join(home.path, `${kind.name}.ndjson`))));
    });
  }

  test("JSON has the contract's own shapes, as the API returns them with unknown values as null", async () => {
    const { file } = await exported("posts", "posts.json");
    const { items, rows } = JSON.parse(readFileSync(file, "utf8")) as { items: Row[]; rows: number };
    assert.equal(items.length, rows);
    const operations: Record<string, (item: Row) => [operation: string, parameters: Record<string, string>]> = {
      shortvideo: (item) => ["shortvideo/post/detail", { videoId: itemId(item) }],
      longvideo: ({ video_id: id }) => ["longvideo/video/details", { video_id: id as string }],
    };
    let compared = 0;
    for (const { platform, item } of items as { platform: string; item: Row }[]) {
      const operation = operations[platform];
      if (operation === undefined || compared > 150) continue;
      const [name, parameters] = operation(item);
      const { status, text } = await requestOperation(server.url, name, parameters, { prefer: "unknown=null" });
      assert.equal(status, 200, `${name} ${JSON.stringify(parameters)}: ${text}`);
      assert.deepEqual(item, JSON.parse(text));
      compared++;
    }
    assert.ok(compared > 100);
  });

  test("JSON shows the author of a photo-sharing post, and what a short-video comment belongs to", async () => {
    const itemsOf = async (kind: string, platform: string) => {
      const { file } = await exported(kind, `${kind}.json`, "--platform", platform);
      return (JSON.parse(readFileSync(file, "utf8")) as { items: { item: Row }[] }).items;
    };
    const parameters = { username_or_url: "amara.petrovic", amount: "100" };
    const { text } = await requestOperation(server.url, "photoshare/get-posts", parameters, { prefer: "unknown=null" });
    const posts = (JSON.parse(text) as { posts: { node: Row }[] }).posts.map(({ node }) => node);
    assert.ok(posts.length > 5);
    const items = (await itemsOf("posts", "photoshare")).map(({ item }) => item);
    for (const post of posts)
      assert.deepEqual(
        items.find(({ pk }) => pk === post["pk"]),
        post,
      );
    assert.deepEqual(items.find(({ pk }) => pk === "n2")?.["user"], {
      pk: "803",
      username: null,
      full_name: null,
      is_verified: null,
      profile_pic_url: null,
    });
    assert.equal(items.find(({ pk }) => pk === "n1")?.["user"], null);
    const rows = await rowsOf("comments", "--platform", "shortvideo");
    assert.ok(rows.some(({ parent_id: parent }) => parent !== null));
    assert.deepEqual(
      (await itemsOf("comments", "shortvideo")).map(({ item, ...beside }) => ({ ...beside, id: item["cid"] })),
      rows.map(({ platform, post_id, parent_id, id }) => ({ platform, post_id, parent_id, id })),
    );
  });

  test("a name stands beside an id, and unknown is never zero", async () => {
    const posts = await rowsOf("posts", "--platform", "shortvideo");
    const formula = posts.find(({ id }) => id === "f0");
    assert.deepEqual(
      [formula?.["author_id"], formula?.["author_name"], formula?.["author_display_name"]],
      ["801", "Ines.Pardo", "Inés Pardo"],
    );
    assert.deepEqual([formula?.["views"], formula?.["title"]], [null, null]);
    assert.deepEqual(posts.find(({ id }) => id === "m1")?.["tagged_ids"], ["801"], "without ids that are names");
    const ghost = (await rowsOf("comments")).find(({ id }) => id === "m2");
    assert.deepEqual([ghost?.["author_id"], ghost?.["author_name"]], [null, null]);
  });

  test("an author known by the displayed name only has it, and a pseudonym of it", async () => {
    const authorsOf = async (kind: string, ...options: string[]) =>
      (await rowsOf(kind, ...options))
        .filter(({ id }) => ["n1", "n2", "n3"].includes(id as string))
        .map((row) => [row["id"], row["author_id"], row["author_name"], row["author_display_name"]]);
    for (const platform of ["shortvideo", "longvideo"]) {
      const options = ["--platform", platform];
      assert.deepEqual(await authorsOf("posts", ...options), [
        ["n1", null, null, "Ada Tester"],
        ["n2", "803", null, null],
      ]);
      assert.deepEqual(await authorsOf("comments", ...options), [["n3", null, null, "Ada Tester"]]);
      const [[, , , pseudonym] = [], kit = []] = await authorsOf("posts", ...options, "--pseudonymise");
      assert.match(pseudonym as string, /^p_[\w-]{22}$/);
      assert.deepEqual(kit.slice(2), [kit[1], kit[1]]);
      assert.deepEqual(await authorsOf("comments", ...options, "--pseudonymise"), [["n3", null, null, pseudonym]]);
    }
    const { file } = await exported("comments", "named.json", "--platform", "longvideo");
    const { items } = JSON.parse(readFileSync(file, "utf8")) as { items: Row[] };
    assert.equal(items.find(({ id }) => id === "n3")?.["author_display_name"], "Ada Tester");
  });

  test("the time of a capture is empty where it is unknown", async () => {
    for (const { name, columns } of EXPORT_KINDS) {
      const rows = await rowsOf(name);
      const undated = rows.filter((row) => row["captured_at"] === null);
      assert.ok(undated.length > 0, name);
      assert.equal(JSON.stringify(rows).includes("1970-01-01"), false, name);
      if (columns.some((column) => column.name === "source"))
        assert.deepEqual(new Set(undated.map(({ source }) => source)), new Set(["undated"]), name);
    }
    const got = await runCommand(["get", "shortvideo/post/detail", "videoId=u2", "--verbose"], server.env);
    assert.deepEqual([got.code, got.stderr.includes("1970-01-01")], [0, false], got.stderr);
  });

  test("the columns whose values are only known roughly are named", async () => {
    const approximate = async (kind: string) =>
      (await rowsOf(kind, "--platform", "longvideo")).find(({ id }) => ["804", "r1", "r2"].includes(id as string))?.[
        "approximate"
      ];
    assert.deepEqual(await approximate("accounts"), ["followers"]);
    assert.deepEqual(await approximate("posts"), ["views", "published_at", "text"]);
    assert.deepEqual(await approximate("comments"), ["published_at"]);
    const exact = (await rowsOf("posts")).find(({ id }) => id === "f0");
    assert.deepEqual(exact?.["approximate"], []);
  });

  test("a CSV cell that a spreadsheet would run begins with a quote mark", async () => {
    const { file } = await exported("posts", "formulas.csv", "--where", "from:ines.pardo");
    const { data } = Papa.parse<Row>(readFileSync(file, "utf8"), { header: true, skipEmptyLines: true });
    assert.deepEqual(
      data.map(({ text }) => text),
      FORMULAS.map((text) => `'${text}`),
    );
  });

  test("exports are joined on ids, which CSV never alters; texts beside them are protected", async () => {
    const ids = async (kind: string, column: string) => {
      const { file } = await exported(kind, `joined-${kind}.csv`, "--platform", "longvideo");
      const { data } = Papa.parse<Row>(readFileSync(file, "utf8"), { header: true, skipEmptyLines: true });
      return data.filter((row) => row[column] === DASHED_ID).map(({ title, text }) => title ?? text ?? null);
    };
    assert.deepEqual(await ids("posts", "id"), ["'-5 degrees"]);
    assert.deepEqual(await ids("comments", "post_id"), ["'-1 for this"]);
    assert.deepEqual(await ids("subtitles", "post_id"), ["'- yes"]);
    assert.deepEqual(await ids("charts", "post_id"), [null]);
    assert.deepEqual(await ids("counters", "id"), [null]);
    const { stdout } = await runCommand(
      ["get", "longvideo/video/details", `video_id=${DASHED_ID}`, "--csv"],
      server.env,
    );
    const [printed] = Papa.parse<Row>(stdout, { header: true }).data;
    assert.deepEqual([printed?.["video_id"], printed?.["title"]], [DASHED_ID, "'-5 degrees"]);
    const ofConsole = toCsv([{ post_id: DASHED_ID, text: "-1 for this", captured_at: 0 }]);
    assert.equal(ofConsole, `post_id,text,captured_at\r\n${DASHED_ID},'-1 for this,1970-01-01T00:00:00.000Z\r\n`);
  });

  test("a query chooses what a search finds, all of it", async () => {
    const store = await server.openStore();
    try {
      for (const text of [
        "lantern",
        "tea",
        '"lantern market"',
        "tea -lantern",
        "lantern OR tea",
        "since:2023-11 tea",
        "min_likes:1",
        "서울",
        "서울 맛집 -부산",
        '"서울 맛집"',
        "夜市",
      ]) {
        const chosen = await rowsOf("posts", "--where", text);
        for (const platform of ["shortvideo", "longvideo", "photoshare"]) {
          const sources = [{ platform, kind: "post" as const }];
          const found = await store.search({
            sources,
            text: `${text} `,
            limit: 1_000,
            now: 1_800_000_000,
            asTyped: true,
          });
          const expected = found.hits.map(({ record }) => (record as { id: string }).id);
          const ids = chosen.filter((row) => row["platform"] === platform).map(({ id }) => id as string);
          assert.deepEqual(ids.toSorted(), expected.toSorted(), `${platform}: ${text}`);
        }
      }
    } finally {
      await store.close();
    }
    const idsOf = async (...where: string[]) => (await rowsOf("posts", ...where)).map(({ id }) => id as string);
    const all = await idsOf();
    for (const text of ["lantern", "from:ines.pardo", '"lantern market"']) {
      const without = new Set(await idsOf("--where", text));
      assert.ok(without.size > 0, text);
      assert.deepEqual(
        await idsOf("--where", `-${text}`),
        all.filter((id) => !without.has(id)),
        `-${text}`,
      );
    }
    assert.deepEqual(await idsOf("--where", "!!! -"), []);
    assert.deepEqual(await rowsOf("posts", "--where", "from:nobody.at.all"), []);
    assert.equal((await rowsOf("posts", "--where", 'from:"Iv Twin"')).length, 21);
    const refused = await runCommand(["export", "charts", "--where", "x"], server.env);
    assert.deepEqual(
      [refused.code, refused.stderr],
      [2, "triptych: --where must be absent: charts are not searched\n"],
    );
  });

  test("pseudonyms are stable, the same for a person everywhere, and hide ids, names and mentions", async () => {
    const named = await rowsOf("accounts");
    const accounts = await rowsOf("accounts", "--pseudonymise");
    const pseudonymOf = (platform: string, id: string) =>
      accounts[named.findIndex((row) => row["platform"] === platform && row["id"] === id)]?.["id"] as string;
    const pseudonym = pseudonymOf("shortvideo", "801");
    const other = pseudonymOf("shortvideo", "802");
    assert.match(pseudonym, /^p_[\w-]{22}$/);
    assert.match(pseudonymOf("longvideo", "801"), new RegExp(`^(?!${pseudonym})p_[\\w-]{22}$`));
    const posts = await rowsOf("posts", "--platform", "shortvideo", "--pseudonymise");
    const formula = posts.find(({ id }) => id === "f0");
    assert.deepEqual([formula?.["author_id"], formula?.["author_name"]], [pseudonym, pseudonym]);
    const mentioning = posts.find(({ id }) => id === "m1");
    assert.match(
      mentioning?.["text"] as string,
      new RegExp(
        `^with @${other}, @${pseudonym}\\. and @p_[\\w-]{22}; @p_[\\w-]{22}, mail me@example\\.org: 撮影@${pseudonym} @${pseudonym} \\.@${pseudonym}, together @${pseudonym}@${other}@${pseudonym}, with @p_[\\w-]{22} here$`,
      ),
    );
    const anybody = `@(?!${other})p_[\\w-]{22}`;
    assert.match(
      posts.find(({ id }) => id === "m3")?.["text"] as string,
      new RegExp(
        `^今日は@${pseudonym}さんと一緒に。@${pseudonym}\\.Great show ${anybody}さんも (${anybody}) \\1 ${anybody}\\. @\\.$`,
      ),
      "what follows a name stays, unless it may be more of the name",
    );
    const comment = (await rowsOf("comments", "--platform", "shortvideo", "--pseudonymise")).find(
      ({ id }) => id === "m2",
    );
    assert.match(String(comment?.["author_id"]), /^p_/);
    assert.deepEqual(mentioning?.["tagged_ids"], [pseudonym, comment?.["author_id"]]);
    assert.equal(comment?.["text"], `@${pseudonym} hi`);
    const sounds = (await rowsOf("sounds", "--pseudonymise")).filter(({ id }) => (id as string).startsWith("s80"));
    assert.deepEqual(
      sounds.map(({ title, artist_name }) => [title, artist_name]),
      [
        [`original sound - ${pseudonym}`, pseudonym],
        [`original sound - ${other}`, other],
        [other, other],
        [`Originalton – ${pseudonym}`, pseudonym],
        ["Limbo", other],
      ],
      "titles made of a name",
    );
    const ids = new Set(named.flatMap(({ id, name, display_name }) => [id, name, display_name]));
    for (const row of [...accounts, ...(await rowsOf("followers", "--pseudonymise"))]) {
      for (const [column, value] of Object.entries(row)) {
        if (value !== null && column !== "source") assert.ok(!ids.has(value), `${column}: ${JSON.stringify(value)}`);
      }
    }
    const json = await runCommand(["export", "posts", "--format", "json", "--pseudonymise"], server.env);
    assert.equal(json.code, 2);
  });

  test("the commands of docs/export.md and of --help run", async () => {
    const page = readFileSync(join(import.meta.dirname, "../docs/export.md"), "utf8");
    const help = (await runCommand(["export", "--help"], {})).stdout;
    const commands = `${page}\n${help}`.matchAll(/^(?: {2}\$ npx )?triptych (export [^|\n]+ -o (\S+))$/gm);
    const outputs: string[] = [];
    for (const [, line = "", output = ""] of commands) {
      const args = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
      args[args.indexOf("-o") + 1] = join(home.path, output);
      const { code, stderr } = await runCommand([...args, "--force"], server.env);
      assert.equal(code, 0, `${line}: ${stderr}`);
      outputs.push(output);
    }
    const documented = ["posts.csv", "counters.parquet", "accounts.sqlite"];
    assert.deepEqual(outputs, [...documented, ...documented]);
  });

  test("a file that exists is replaced only with --force, and only by a whole one", async () => {
    const file = join(home.path, "kept.csv");
    writeFileSync(file, "by hand");
    const run = (...args: string[]) => runCommand(["export", "posts", "-o", file, ...args], server.env);
    assert.deepEqual(await run(), {
      code: 2,
      stdout: "",
      stderr: `triptych: ${file} exists; name another file, or add --force to replace it\n`,
    });
    assert.deepEqual([readFileSync(file, "utf8"), existsSync(`${file}.manifest.json`)], ["by hand", false]);
    await assert.rejects(
      writeWhole(file, true, (partial) => {
        writeFileSync(partial, "half");
        return Promise.reject(new Error("the disk is gone"));
      }),
      /the disk is gone/,
    );
    assert.equal(readFileSync(file, "utf8"), "by hand");
    // A file that appears while the export runs.
    await assert.rejects(
      writeWhole(file, false, async (partial) => writeFileSync(partial, "late")),
      { code: "EEXIST", path: file },
    );
    assert.deepEqual([readFileSync(file, "utf8"), existsSync(`${file}.partial`)], ["by hand", false]);
    assert.equal((await run("--force")).code, 0);
    assert.match(readFileSync(file, "utf8"), /^platform,id,/);
  });

  test("a file that was cut off does not pass for a whole one", async () => {
    for (const format of ["csv", "ndjson", "json", "parquet", "sqlite"]) {
      const { file, manifest } = await exported("posts", `cut.${format}`);
      const whole = readFileSync(file);
      const half = whole.subarray(0, Math.floor(whole.length / 2));
      assert.notEqual(sha256(half), manifest.sha256);
      if (format === "json") assert.throws(() => JSON.parse(half.toString()));
      if (format === "parquet") await assert.rejects(parquetReadObjects({ file: toArrayBuffer(half) }));
      if (format !== "sqlite") continue;
      writeFileSync(file, half);
      assert.throws(() => new DatabaseSync(file).prepare("SELECT rows FROM export").get());
    }
  });

  test("an export that cannot be meant is refused before anything is written", async () => {
    const refused = async (args: string[], sentence: RegExp) => {
      const { code, stderr } = await runCommand(["export", "posts", ...args], server.env);
      assert.equal(code, 2, stderr);
      assert.match(stderr, sentence);
    };
    for (const empty of ["", " "])
      await refused(["--where", empty], /^triptych: --where must not be empty; leave it out to export everything$/m);
    await refused(["--platform", "tiktok"], /^triptych: --platform must be one of shortvideo, .*, not tiktok$/m);
    for (const format of ["parquet", "sqlite"])
      await refused(["--format", format], new RegExp(`^triptych: ${format} is not text: name a file with -o$`, "m"));
    const mistyped = await runCommand(["export", "post"], server.env);
    assert.match(mistyped.stderr, /^triptych: cannot export post; did you mean posts\? \(kinds: accounts, posts, /);
    for (const filter of [
      "since:yesterday",
      "UNTIL:2026-02-30",
      "-since:2026",
      "min_views:many",
      "lang:english",
      "since:",
      "sort:views",
    ])
      await refused(
        ["--where", `tea ${filter}`],
        new RegExp(`^triptych: --where has ${filter}, which (?:must be|cannot be|is not) `, "m"),
      );
    assert.deepEqual(await rowsOf("posts", "--where", '"since:yesterday" from: sincerely:'), []);
    await refused(["-o", join(home.path, "posts.xlsx")], /^triptych: \.xlsx is no format of an export; use \.csv, /m);
    await refused(["-o", join(home.path, "posts.csv.gz")], /^triptych: \.gz is no format of an export/m);
    await refused(["-o", home.path], /is a directory; name a file$/m);
    const device = join(home.path, "device");
    const listener = createServer().listen(device);
    await once(listener, "listening");
    await refused(["-o", device], /device is not a regular file; leave -o out to write to standard output$/m);
    assert.ok(statSync(device).isSocket(), "was not replaced");
    listener.close();
    await once(listener, "close");
    assert.deepEqual(
      [".xlsx", ".csv.gz", ".manifest.json", ".partial"].filter((end) =>
        existsSync(`${join(home.path, "posts")}${end}`),
      ),
      [],
    );
    assert.ok(!existsSync(`${home.path}.manifest.json`));
    const path = join(home.path, "missing", "posts.csv");
    const { code, stderr } = await runCommand(["export", "posts", "-o", path], server.env);
    assert.deepEqual(
      [code, stderr],
      [1, `triptych: cannot use ${path}: no such file or directory (ENOENT)\n`],
      "names what was typed",
    );
  });

  function download(path: string, bearer = token): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      get(`${server.url}/api/export/${path}`, { headers: { authorization: `Bearer ${bearer}` } }, resolve).on(
        "error",
        reject,
      );
    });
  }

  test("over HTTP trailers prove that a download is whole, and scopes choose the platforms", async () => {
    for (const format of ["csv", "ndjson", "json", "parquet", "sqlite"]) {
      const response = await download(`posts?format=${format}&platform=longvideo`);
      assert.deepEqual([response.statusCode, response.headers.trailer], [200, "Content-Digest, Triptych-Rows"]);
      assert.equal(response.headers["cache-control"], "no-store");
      const body = await bodyOf(response);
      const { file, manifest } = await exported("posts", `same.${format}`, "--platform", "longvideo");
      if (format !== "sqlite") assert.equal(sha256(body), sha256(readFileSync(file)), format);
      const digest = createHash("sha256").update(body).digest("base64");
      assert.deepEqual(response.trailers, {
        "content-digest": `sha-256=:${digest}:`,
        "triptych-rows": String(manifest.rows),
      });
    }
    const all = (await bodyOf(await download("posts"))).toString().trimEnd().split("\n");
    const platforms = new Set(all.map((line) => (JSON.parse(line) as Row)["platform"]));
    assert.deepEqual(platforms, new Set(["shortvideo", "longvideo"]));
    const statusOf = async (path: string, bearer?: string) => {
      const response = await download(path, bearer);
      response.resume();
      return response.statusCode;
    };
    const head = await fetch(`${server.url}/api/export/charts`, {
      method: "HEAD",
      headers: { authorization: `Bearer ${token}` },
    });
    const named = head.headers.get("content-disposition");
    assert.deepEqual(
      [named, head.headers.get("trailer")],
      ['attachment; filename="charts.ndjson"', null],
      "reads nothing",
    );
    const issuer = await openTokenIssuer(server);
    const { token: limited } = await issuer.issue({ scopes: ["export", "read:longvideo"], limits: { daily: 9 } });
    await issuer.close();
    assert.deepEqual(
      [await statusOf("charts", limited), await statusOf("charts", limited)],
      [200, 429],
      "5 units each",
    );
    assert.equal(await statusOf("posts?platform=photoshare"), 403);
    assert.equal(await statusOf("posts?platform=elsewhere"), 400);
    assert.equal(await statusOf("charts?where=tea"), 400);
    assert.equal(await statusOf("posts?format=xls"), 400);
    assert.equal(await statusOf("persons"), 404);
    const { detail } = JSON.parse((await bodyOf(await download("post"))).toString()) as { detail: string };
    assert.equal(detail, "no such path: /api/export/post; did you mean /api/export/posts?");
    assert.equal(await statusOf("posts", "token-for-tests-only-0123456789"), 403);
  });

  test("a download with a parameter that is mistyped is refused, so that no name gets out by a typo", async () => {
    const detailOf = async (path: string) => {
      const response = await download(path);
      assert.equal(response.statusCode, 400, path);
      return (JSON.parse((await bodyOf(response)).toString()) as { detail: string }).detail;
    };
    assert.equal(
      await detailOf("accounts?pseudonymize=true"),
      "pseudonymize in the query string is unknown; did you mean pseudonymise?",
    );
    assert.equal(
      await detailOf("posts?since=2026"),
      "since in the query string is unknown; an export takes platform, where, format, bom, pseudonymise",
    );
    assert.equal(
      await detailOf("charts?where=tea"),
      "where in the query string must be absent: charts are not searched",
    );
    assert.equal(
      await detailOf("posts?where=tea%20since:yesterday"),
      "where in the query string has since:yesterday, which must be a year, month, day or time from 1970 on, such as 2026, 2026-01, 2026-01-31 or 2026-01-31T18:30; quote it to search for its words (docs/search.md)",
    );
  });

  test("a download that fails before its first byte is a problem response, with no header of a file", async () => {
    const { TMPDIR } = process.env;
    // The format needs a temporary file.
    process.env["TMPDIR"] = join(home.path, "nowhere");
    try {
      const response = await fetch(`${server.url}/api/export/posts?format=sqlite`, {
        headers: { authorization: `Bearer ${token}` },
      });
      const { code } = (await response.json()) as { code: string };
      assert.deepEqual([response.status, code], [500, "internal"]);
      assert.equal(response.headers.get("content-type"), "application/problem+json; charset=utf-8");
      for (const name of ["content-disposition", "trailer", "transfer-encoding"])
        assert.equal(response.headers.get(name), null, name);
    } finally {
      if (TMPDIR === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = TMPDIR;
    }
  });

  test("a download that is broken off has no trailers and frees its place; only some run at a time", async () => {
    // Larger than what sockets buffer, so that an export waits for its reader.
    const store = await server.openStore();
    const text = "x".repeat(20_000);
    await store.writer.write([
      toUnit("longvideo", {
        posts: Array.from({ length: 700 }, (_, index) => aPost(`big-${index}`, { text })),
      }),
    ]);
    await store.close();
    const [one, two] = [await download("posts"), await download("posts")];
    const third = await download("posts");
    third.resume();
    assert.deepEqual([third.statusCode, third.headers["retry-after"]], [429, "10"]);
    const table = await fetch(`${server.url}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "export_table", arguments: { kind: "charts" } },
      }),
    });
    assert.match(await table.text(), /\(too_many_concurrent\)/);
    one.destroy();
    two.destroy();
    assert.deepEqual(one.trailers, {});
    await until(async () => {
      const again = await download("charts");
      again.resume();
      return again.statusCode === 200;
    });
  });
});

test("two exports run at a time; one that is refused, or is released again, keeps no place", () => {
  let admitted = 0;
  const admit = () => {
    admitted++;
    return { ok: true, release: () => admitted--, refundDaily: () => undefined };
  };
  const acquire = limitExports({ acquire: admit } as never);
  const start = () => acquire({} as never) as Permit;
  const [first] = [start(), start()];
  const refused = { ok: false, code: "too_many_concurrent", retryAfterS: 10 };
  assert.deepEqual([start(), admitted], [refused, 2]);
  first?.release();
  first?.release();
  assert.equal(start().ok, true);
  assert.deepEqual(start(), refused);
});

test("a download that is broken off frees its place, however much is left to read and little to send", async (t) => {
  const ended = new AbortController();
  let batches = 0;
  const account = anAccount("801", "ines.pardo");
  const row = ["shortvideo", "account", "801", JSON.stringify(account), "null", 1, "test"];
  const reader: TableReader = {
    async *read() {
      for (; !ended.signal.aborted; batches++) {
        yield [row as never];
        await setImmediate();
      }
    },
    getAccountRows: async () => new Map(),
    getAccountIds: async () => new Map(),
    resolveQuery: async () => ({ match: NO_MATCH, ngrams: { match: NO_MATCH, phrases: [] }, allBut: null, bounds: {} }),
  };
  let expiries: Expiry[] = [];
  let running = 0;
  const services: Partial<ExportServices> = {
    platforms: PLATFORMS,
    tokens: { verify: async () => ({ keyId: "test", scopes: new Set(["export", "read:shortvideo"]) }) } as never,
    limiter: { headers: () => ({}) } as never,
    acquireExport: () => {
      running++;
      return { ok: true, release: () => running--, refundDaily: () => undefined };
    },
    store: { tables: { snapshot: (work) => work(reader) } },
    // What is due is looked up before the first row.
    withoutExpired: (from) => withoutExpired(from, expiries),
    recordExport: async () => undefined,
  };
  const app = fastify();
  registerExports(app, services as ExportServices);
  t.after(async () => {
    ended.abort();
    await app.close();
  });
  const address = await app.listen();
  const queries = ["format=sqlite", "format=parquet&where=x", "format=ndjson&where=x", "format=json&where=x"];
  for (const query of [...queries, "format=csv"]) {
    expiries = query === "format=csv" ? [{ kind: "account", source: null, except: [], before: 2 }] : [];
    batches = 0;
    const request = get(`${address}/api/export/accounts?${query}`, { headers: { authorization: "Bearer test" } });
    request.on("error", () => undefined);
    await until(async () => running === 1 && batches > 1);
    request.destroy();
    await until(async () => running === 0, 20_000);
  }
});

async function bodyOf(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function itemId({ itemInfo }: Row): string {
  return (itemInfo as { itemStruct: { id: string } }).itemStruct.id;
}

function toArrayBuffer(bytes: Buffer): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}

/** As NDJSON has the cells. */
function convert({ columns }: ExportKind, row: Row, toValue: (value: unknown, column: ExportColumn) => unknown): Row {
  return Object.fromEntries(columns.map((column) => [column.name, toValue(row[column.name] ?? null, column)]));
}

function readCsv(kind: ExportKind, file: string): Row[] {
  const text = readFileSync(file, "utf8");
  assert.equal(text[0], "\uFEFF");
  const { data } = Papa.parse<Row>(text.slice(1), { header: true, skipEmptyLines: true });
  return data.map((row) =>
    convert(kind, row, (value, { type }) => {
      if (value === "") return type === "text" ? emptyText : null;
      if (type === "integer" || type === "number") return Number(value);
      if (type === "boolean") return value === "true";
      if (type === "list") return JSON.parse(value as string) as unknown;
      return type === "text" ? (value as string).replace(/^'(?='*[=+\-@\t\r])/, "") : value;
    }),
  );
}

/** CSV has one way to write an empty text and an unknown one. */
const emptyText = null;

async function readParquet(kind: ExportKind, file: string): Promise<Row[]> {
  const rows = await parquetReadObjects({ file: toArrayBuffer(readFileSync(file)) });
  return rows.map((row) =>
    convert(kind, row as Row, (value) => {
      if (typeof value === "bigint") return Number(value);
      return value instanceof Date ? value.toISOString() : value;
    }),
  );
}

function readSqlite(kind: ExportKind, file: string): Row[] {
  const db = new DatabaseSync(file, { readOnly: true });
  const rows = db.prepare(`SELECT * FROM ${kind.name}`).all();
  assert.deepEqual({ ...db.prepare("SELECT * FROM export").get() }, { kind: kind.name, rows: rows.length });
  db.close();
  return rows.map((row) =>
    convert(kind, row, (value, { type }) => {
      if (type === "boolean" && value !== null) return value === 1;
      return type === "list" && value !== null ? (JSON.parse(value as string) as unknown) : value;
    }),
  );
}
