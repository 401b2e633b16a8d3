/** `import --as … --map …`: any table, from its columns to the responses; and what is said where a mapping is wrong. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { RecordKind } from "#domain/record.ts";
import { parseMapping } from "#cli/table-mapping.ts";
import { loadImportPlatforms } from "#import/read-document.ts";
import type { ImportReport } from "#import/report.ts";
import { PLATFORMS } from "#platforms/registry.ts";
import type { Batch } from "#store/write/port.ts";
import { zipOf } from "#testing/sample-archives.ts";
import { importInto } from "./import-fixtures.ts";
import { type CommandOutcome, runCommand } from "./run-command.ts";
import { startTestServer, type TestServer } from "./test-server.ts";
import { aComment, anAccount, aPost, aSound, CAPTURED_AT, T0 } from "./world.ts";

const folder = mkdtempSync(join(tmpdir(), "triptych-mapped-"));
let server: TestServer;
before(async () => {
  server = await startTestServer([]);
});
after(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const PROVENANCE = { capturedAt: CAPTURED_AT, source: "test" };

const UNKNOWN = { prefer: "unknown=null" };

const POSTS = file(
  "posts.csv",
  `video_id,caption,plays,who,posted,tags
7411000000000000901,"Hello, harbour #boats","1,204",lina.boats,2024-05-01T10:00:00Z,"['boats', 'tide']"
7411000000000000902,Second,1.2K,lina.boats,yesterday,
,No id,3,lina.boats,2024-05-02,
`,
);
const MAP = "id=video_id,text=caption,views=plays,author_name=who,published_at=posted,hashtags=tags";

const EXPORTED: Batch = {
  accounts: [
    anAccount("7001", "lina.boats", {
      displayName: "Lina Boats",
      counters: { followers: 12, friends: 3 },
      createdAt: T0,
    }),
    anAccount("7002", "mo_tide", { displayName: "Mo Tide", bio: "Tides", verified: true }),
  ],
  posts: [
    aPost("7411000000000000911", {
      authorId: "7001",
      title: "Harbour",
      text: "Low water",
      hashtags: ["boats", "tide"],
      category: "Travel",
      durationS: 31,
      counters: { views: 26_000, likes: 7, reposts: 4, saves: 2 },
      approximate: { "counters.views": 1_000 },
    }),
  ],
  comments: [
    aComment("7411000000000000921", "7411000000000000911", { authorId: "7002", text: "Fog", counters: { likes: 1 } }),
    aComment("7411000000000000922", "7411000000000000911", {
      authorId: "7001",
      text: "And rain",
      parentId: "7411000000000000921",
    }),
  ],
  sounds: [aSound("7411000000000000941", { title: "Rain", artistName: "Mei", durationS: 30, counters: { posts: 5 } })],
  hashtags: [
    { id: "boats", name: "Boats", platformId: "4411", counters: { posts: 9, views: 90 }, native: {}, ...PROVENANCE },
    { id: "tide", name: "tide", platformId: null, counters: {}, native: {}, ...PROVENANCE },
  ],
};

/** The whole command. */
function run(...args: string[]): Promise<CommandOutcome> {
  return runCommand(["import", ...args], { DATA_DIR: server.dataDir });
}

/** What the command does with its mapping, without its threads. */
async function imported(path: string, as: string, map: string[] = []): Promise<ImportReport> {
  const parsed = await parseMapping(as, map);
  assert.ok(parsed !== null);
  return importInto(server.dataDir, [path], { mapping: parsed.mapping });
}

test("a table is read with the columns that are named; what cannot be read is unknown, and counted", async () => {
  const { code, stdout } = await run(POSTS, "--as", "shortvideo/post", "--map", MAP);
  assert.equal(code, 1);
  assert.match(stdout, /formats: mapped table\n/);
  assert.match(stdout, /refused 1: post or video has no valid id/);
  assert.match(stdout, /skipped 1: a value of plays that cannot be read as views/);
  assert.match(stdout, /skipped 1: a value of posted that cannot be read as published_at/);
  const detail = (id: string) =>
    server.json<{ itemInfo: { itemStruct: Record<string, unknown> } }>(
      `/api/shortvideo/post/detail?videoId=${id}`,
      UNKNOWN,
    );
  const { itemStruct: first } = (await detail("7411000000000000901")).itemInfo;
  assert.deepEqual(
    [first["desc"], first["createTime"], (first["stats"] as Record<string, unknown>)["playCount"]],
    ["Hello, harbour #boats", "1714557600", "1204"],
  );
  assert.equal((first["author"] as Record<string, unknown>)["uniqueId"], "lina.boats");
  const { itemStruct: second } = (await detail("7411000000000000902")).itemInfo;
  assert.deepEqual([second["createTime"], (second["stats"] as Record<string, unknown>)["playCount"]], [null, null]);
});

test("hashtags and mentions that a table does not have are unknown, not none", async () => {
  const path = file("no-lists.csv", "id,caption,sound\n7411000000000019904,Ebb tide,7411000000000009904\n");
  await imported(path, "shortvideo/post", ["id=id,text=caption,sound_id=sound"]);
  const lists = async (headers: Record<string, string>) => {
    const url = "/api/shortvideo/music/posts?musicId=7411000000000009904";
    const { itemList } = await server.json<{ itemList: { challenges: unknown; textExtra: unknown }[] }>(url, headers);
    return itemList.map(({ challenges, textExtra }) => [challenges, textExtra]);
  };
  assert.deepEqual(await lists(UNKNOWN), [[null, null]]);
  assert.deepEqual(await lists({}), [[[], []]]);
});

test("the id in a post's URL counts before that of a column, which a spreadsheet may have rounded", async () => {
  const url = "https://www.tiktok.com/@lina.boats/video/7411000000000019903";
  const path = file("rounded.csv", `id,link,caption\n7411000000000010000,${url},Low water\n`);
  await imported(path, "shortvideo/post", ["id=id,url=link,text=caption"]);
  assert.equal((await server.get("/api/shortvideo/post/detail?videoId=7411000000000019903")).status, 200);
});

test("thousands after a point, as German spreadsheets write them, are no small counts", async () => {
  const path = file(
    "thousands.csv",
    "id;name;views;likes\nthousands0A;Weir;12.000;1.234\nthousands1E;Lock;972.0;2,000\n",
  );
  const { total } = await imported(path, "longvideo/post", ["id=id,title=name,views=views,likes=likes"]);
  assert.deepEqual(total.skipped, {
    "a value of views that cannot be read as views": 1,
    "a value of likes that cannot be read as likes": 1,
  });
  const views = async (id: string) =>
    (await server.json<{ number_of_views: number | null }>(`/api/longvideo/video/details?video_id=${id}`, UNKNOWN))
      .number_of_views;
  assert.deepEqual([await views("thousands0A"), await views("thousands1E")], [null, 972]);
});

test("hashtags are read as JSON writes them, and each one after its hash signs", async () => {
  const path = file(
    "hashtags.csv",
    String.raw`id,tags
7411000000000000911,"[""caf\u00e9"", ""\u65e5\u672c""]"
7411000000000000912,#one #two
7411000000000000913,#c# ##art ＃日本 ＃旅
7411000000000000914,"[""#"", ""＃旅""]"
`,
  );
  for (const platform of ["shortvideo", "photoshare"]) {
    const { total } = await imported(path, `${platform}/post`, ["id=id,hashtags=tags"]);
    assert.deepEqual(total.refused, {});
    const names = async (id: string) =>
      (await server.json<{ post: { hashtags: string[] } }>(`/api/post?platform=${platform}&id=${id}`)).post.hashtags;
    assert.deepEqual(await names("7411000000000000911"), ["café", "日本"]);
    assert.deepEqual(await names("7411000000000000912"), ["one", "two"]);
    assert.deepEqual(await names("7411000000000000913"), ["c", "art", "日本", "旅"]);
    assert.deepEqual(await names("7411000000000000914"), ["旅"]);
  }
});

test("a day that does not exist is unknown, not the day after it", async () => {
  const path = file("no-day.csv", "id,name,day\nmappedDay2I,Quay,2026-04-31\nmappedDay3M,Quay,2026-02-31T10:00:00Z\n");
  const { total } = await imported(path, "longvideo/post", ["id=id,title=name,published_at=day"]);
  assert.deepEqual(total.skipped, { "a value of day that cannot be read as published_at": 2 });
  const { post } = await server.json<{ post: { published_at: string | null } }>(
    "/api/post?platform=longvideo&id=mappedDay2I",
  );
  assert.equal(post.published_at, null);
});

test("a day without a time of day is an estimate of the time of publication", async () => {
  const path = file(
    "days.csv",
    "id,name,day\nmappedDay0A,Quayside days,2024-05-02\nmappedDay1E,Quayside days,2024-05-02T10:00:00Z\n",
  );
  await imported(path, "longvideo/post", ["id=id,title=name,published_at=day"]);
  const { results } = await server.json<{ results: { id: string; approximate?: string[] }[] }>(
    "/api/search?q=quayside+days&kinds=post",
  );
  const approximate = Object.fromEntries(results.map((result) => [result.id, result.approximate]));
  assert.deepEqual(approximate, { mappedDay0A: ["published_at"], mappedDay1E: undefined });
});

test("with --as a table is one whatever its name: tabs in UTF-16, as spreadsheets save text, or a single column", async () => {
  const unicodeText = file("Views.txt", "");
  writeFileSync(unicodeText, Buffer.from("\ufeffid\tname\tviews\r\nunicodeTx0A\tQuay ü\t12\r\n", "utf16le"));
  const { code, stdout } = await run(unicodeText, "--as", "longvideo/post", "--map", "id=id,title=name,views=views");
  assert.equal(code, 0, stdout);
  const url = "/api/longvideo/video/details?video_id=unicodeTx0A";
  assert.equal((await server.json<{ title: string }>(url)).title, "Quay ü");
  const { total } = await imported(file("ids.txt", "id\nunicodeTx1E\nunicodeTx2I\n"), "longvideo/post");
  assert.deepEqual([total.refused, total.records.post?.new], [{}, 2]);
});

test("a spreadsheet is refused once, with what to do instead", async () => {
  const path = file("Views.xlsx", "");
  writeFileSync(
    path,
    zipOf([
      { name: "[Content_Types].xml", data: "<Types/>" },
      { name: "xl/workbook.xml", data: "<w/>" },
    ]),
  );
  for (const as of [[], ["--as", "longvideo/post"]]) {
    const { code, stdout } = await run(path, ...as);
    assert.equal(code, 2);
    assert.match(stdout, /refused 1: spreadsheets are not supported; save the sheet as CSV\n/);
  }
});

test("the column of the time of capture counts on every platform, to the millisecond", async () => {
  for (const [platform, id] of Object.entries({
    shortvideo: "7411000000000000951",
    longvideo: "mappedCap0A",
    photoshare: "7411000000000000952",
  })) {
    for (const [cell, time] of [
      ["May 1, 2024", "2024-05-01T00:00:00.000Z"],
      ["2024-05-02T10:00:00Z", "2024-05-02T10:00:00.000Z"],
      ["2024-05-02T10:00:00.181Z", "2024-05-02T10:00:00.181Z"],
      ["1714644000999", "2024-05-02T10:00:00.999Z"],
    ]) {
      await imported(file("captured.csv", `id,text,captured_at\n${id},Ebb,"${cell}"\n`), `${platform}/post`);
      const { post } = await server.json<{ post: { captured_at: string } }>(`/api/post?platform=${platform}&id=${id}`);
      assert.equal(post.captured_at, time, platform);
    }
  }
});

test("a dry run writes nothing and shows the first ten records as the service then serves them", async () => {
  const rows = Array.from({ length: 12 }, (_, at) => `dryRunTab${String(at).padStart(2, "0")},Lesson ${at},${at * 10}`);
  const path = file("videos.tsv", ["id\tname\tviews", ...rows].join("\n").replaceAll(",", "\t"));
  const map = "id=id,title=name,views=views";
  const args = [path, "--as", "longvideo/post", "--map", map];
  const dry = await run(...args, "--dry-run", "--json");
  const { sample, total } = JSON.parse(dry.stdout) as ImportReport & { sample: Record<string, unknown>[] };
  assert.equal(sample.length, 10);
  assert.equal(total.records.post?.new, 12);
  const url = "/api/longvideo/video/details?video_id=dryRunTab03";
  assert.equal((await server.get(url)).status, 404);
  const text = await run(...args, "--dry-run");
  assert.match(
    text.stdout,
    /The first 10 records as they would be served; null is unknown:\n\{"video_id":"dryRunTab00"/,
  );
  assert.deepEqual((await imported(path, "longvideo/post", [map])).total.refused, {});
  assert.deepEqual(await server.json(url, UNKNOWN), sample[3]);
});

test("JSON lines and arrays are tables too, with paths to inner values; without --map, columns have the fields' names", async () => {
  const lines = file(
    "accounts.jsonl",
    `{"profile": {"handle": "@mira.maps", "fans": 12}, "bio": "Maps"}\n{"profile": {"handle": "tide.tables"}, "bio": "Tides", "seen": 1714557600}\n`,
  );
  const mapped = "name=profile.handle,followers=profile.fans,bio=bio,captured_at=seen";
  const { total } = await imported(lines, "photoshare/account", [mapped]);
  assert.deepEqual([total.refused, total.records.account?.new], [{}, 2]);
  assert.deepEqual(total.skipped, { "not in the first object: seen; it has profile, bio": 1 });
  const profile = await server.json<{ user_data: Record<string, unknown> }>(
    "/api/photoshare/get-profile?username_or_url=mira.maps",
  );
  assert.equal(profile.user_data["follower_count"], 12);

  const array = file(
    "comments.json",
    JSON.stringify([{ id: "UgMapped01", post_id: "dryRunTab03", text: "Good", likes: 4 }]),
  );
  assert.deepEqual((await imported(array, "longvideo/comment")).total.refused, {});
  const { comments } = await server.json<{ comments: { text: string; like_count: string }[] }>(
    "/api/longvideo/video/comments?video_id=dryRunTab03",
  );
  assert.deepEqual(
    comments.map(({ text, like_count: likes }) => [text, likes]),
    [["Good", "4"]],
  );
});

test("every kind of every platform is stored from a table of its own fields", async () => {
  const values: Record<string, string> = {
    id: "7411000000000000977",
    name: "sample_name",
    post_id: "7411000000000000901",
  };
  const ids: Record<string, string> = {
    "longvideo/post": "mappedVid0A",
    "longvideo/account": "UCmappedChannel000000001",
  };
  for (const { name: platform, mappable } of await loadImportPlatforms(PLATFORMS)) {
    for (const kind of Object.keys(mappable)) {
      const id = ids[`${platform}/${kind}`] ?? values["id"];
      const path = file(`${platform}-${kind}.csv`, `id,name,post_id\n${id},${values["name"]},${values["post_id"]}\n`);
      const mapping = { platform, kind: kind as RecordKind, columns: null };
      const { total } = await importInto(server.dataDir, [path], { mapping });
      assert.deepEqual([total.records[kind as RecordKind]?.new, total.refused], [1, {}], `${platform}/${kind}`);
    }
  }
});

test("a table that was exported is read as what it says, and the columns that are not read are named", async () => {
  const shown = ["id", "author_id", "author_name", "author_display_name", "text", "published_at", "captured_at"];
  const columns = {
    post: [...shown, "title", "hashtags", "category", "duration_s", "views", "likes", "reposts", "saves"],
    comment: [...shown, "post_id", "parent_id", "likes", "replies"],
    account: ["id", "name", "display_name", "bio", "verified", "created_at", "followers", "friends", "captured_at"],
    sound: ["id", "title", "artist_name", "duration_s", "posts"],
    hashtag: ["id", "name", "platform_id", "posts", "views"],
  };
  const [from, to] = [await startTestServer([{ platform: "shortvideo", batch: EXPORTED }]), await startTestServer([])];
  try {
    const exported = async ({ env }: TestServer, kind: string, format: string) => {
      const path = join(folder, `exported.${format}`);
      const { code, stderr } = await runCommand(
        ["export", `${kind}s`, "--platform", "shortvideo", "--force", "-o", path],
        env,
      );
      assert.equal(code, 0, stderr);
      return path;
    };
    const read = async (of: TestServer, kind: string) =>
      readFileSync(await exported(of, kind, "ndjson"), "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    const expected: Record<string, unknown>[] = [];
    const actual: Record<string, unknown>[] = [];
    for (const [kind, names] of Object.entries(columns)) {
      const path = await exported(from, kind, "csv");
      const mapping = { platform: "shortvideo", kind: kind as RecordKind, columns: null };
      const { total } = await importInto(to.dataDir, [path], { mapping });
      assert.deepEqual(total.refused, {}, kind);
      if (kind === "comment") assert.deepEqual(total.skipped, { "columns that are not read: platform, source": 1 });
      const pick = (row: Record<string, unknown>) => Object.fromEntries(names.map((name) => [name, row[name]]));
      expected.push(...(await read(from, kind)).map(pick));
      actual.push(...(await read(to, kind)).map(pick));
    }
    // Without its margin, an estimate would pass for an exact count.
    assert.deepEqual(actual, JSON.parse(JSON.stringify(expected).replace('"views":26000', '"views":null')));
  } finally {
    await from.close();
    await to.close();
  }
});

test("an exported table is read back as it was, whatever its cells begin with; of other tables no apostrophe is taken", async () => {
  const texts = ["@mia so true", "-1", "'-1", "''=1", "'quoted'", "+49", "=1+1", "it's"];
  const comments = texts.map((text, index) =>
    aComment(`74110000000000009${60 + index}`, "7411000000000000911", { text }),
  );
  const worlds = [
    { platform: "longvideo", batch: { posts: [aPost("-abcDEF0123", { title: "-5 °C" })] } },
    { platform: "shortvideo", batch: { comments } },
  ];
  const [from, to] = [await startTestServer(worlds), await startTestServer([])];
  const rows = async ({ env }: TestServer, kind: string, platform: string) => {
    const path = join(folder, "shown.ndjson");
    const { code, stderr } = await runCommand(["export", kind, "--platform", platform, "-o", path, "--force"], env);
    assert.equal(code, 0, stderr);
    const lines = readFileSync(path, "utf8").trimEnd().split("\n");
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  };
  try {
    for (const [platform, kind] of [
      ["longvideo", "post"],
      ["shortvideo", "comment"],
    ] as const) {
      const path = join(folder, `exported-${kind}s.csv`);
      const args = ["export", `${kind}s`, "--platform", platform, "-o", path];
      assert.equal((await runCommand(args, from.env)).code, 0);
      const { total } = await importInto(to.dataDir, [path], { mapping: { platform, kind, columns: null } });
      assert.deepEqual(total.refused, {});
      const shown = async (of: TestServer) =>
        (await rows(of, `${kind}s`, platform)).map(({ id, title, text }) => [id, title, text]);
      assert.deepEqual(await shown(to), await shown(from));
    }
    const path = file("apostrophe.csv", "id,text\n7411000000000000981,'-5 outside\n");
    await importInto(to.dataDir, [path], { mapping: { platform: "shortvideo", kind: "post", columns: null } });
    assert.deepEqual(
      (await rows(to, "posts", "shortvideo")).filter(({ text }) => text !== null).map(({ text }) => text),
      ["'-5 outside"],
    );
  } finally {
    await from.close();
    await to.close();
  }
});

test("a displayed name is no name in a URL, and is said to be none", async () => {
  const path = file("shown.csv", "id,author_name\n7411000000000000931,Lina Boats\n");
  const { total } = await imported(path, "shortvideo/post");
  assert.deepEqual(total.skipped, { "a value of author_name that cannot be read as author_name": 1 });
});

test("a mapping that cannot work says what is possible", async () => {
  const cases: [string[], RegExp][] = [
    [["--as", "tiktok/post"], /--as must be one of shortvideo\/post, .*photoshare\/hashtag; not "tiktok\/post"/],
    [["--map", "id=video_id"], /--map needs --as/],
    [["--as", "shortvideo/post", "--map", "caption=caption"], /no field "caption"; its fields are id, url, text, /],
    [["--as", "shortvideo/post", "--map", "text=caption"], /must say which column has the id or url/],
    [["--as", "shortvideo/post", "--map", "video_id"], /pairs of field=column, such as id=video_id; not "video_id"/],
    [["--as", "shortvideo/post", "--map", "id=video_id", "--map", "id=other"], /names the field id twice/],
  ];
  for (const [args, message] of cases) {
    const { code, stderr } = await run(POSTS, ...args);
    assert.equal(code, 2, args.join(" "));
    assert.match(stderr, message);
  }
});

test("a column that the table lacks refuses the file once, and says which columns it has", async () => {
  for (const columns of [{ id: "video", text: "caption" }, null]) {
    const mapping = { platform: "shortvideo", kind: "post" as const, columns };
    const { total } = await importInto(server.dataDir, [POSTS], { mapping, dryRun: true });
    assert.deepEqual(total.refused, { columns_missing: 1 });
    assert.match(
      Object.keys(total.skipped).join(),
      /^no column .*; the table has video_id, caption, plays, who, posted, tags$/,
    );
  }
});

test("the same file with another mapping is another import, not the rest of the first", async () => {
  const mapping = (column: string) => ({
    mapping: { platform: "shortvideo", kind: "post" as const, columns: { id: "video_id", text: column } },
  });
  const first = await importInto(server.dataDir, [POSTS], mapping("caption"));
  const second = await importInto(server.dataDir, [POSTS], mapping("who"));
  assert.notEqual(first.job, second.job);
  assert.equal(second.total.records.post?.updated, 2);
});

test("docs/importing.md lists exactly the fields of each kind", async () => {
  const docs = readFileSync(join(import.meta.dirname, "..", "docs", "importing.md"), "utf8");
  const listed = [...docs.matchAll(/^\| `(\w+\/\w+)`\s*\| (.*?)\s*\|$/gm)].map(([, name, fields = ""]) => [
    name,
    fields.replaceAll("`", "").split(", "),
  ]);
  const platforms = await loadImportPlatforms(PLATFORMS);
  const actual = platforms.flatMap(({ name, mappable }) =>
    Object.entries(mappable).map(([kind, { fields }]) => [`${name}/${kind}`, fields]),
  );
  assert.deepEqual(Object.fromEntries(listed), Object.fromEntries(actual));
});
