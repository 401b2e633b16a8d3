/**
 * Many captures of the same things become one record: whatever the order of the files, as HTTP serves it. People known
 * by name only, histories of counters, and what was erased.
 */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import type { CounterPoint } from "#domain/record.ts";
import { toUnit } from "#store/write/batch-changes.ts";
import { openSqliteStore } from "#store/sqlite/store.ts";
import type { Store } from "#store/store.ts";
import { temporaryFolder, type TestServer } from "./test-server.ts";
import { type ImportedServer, startImportedServer } from "./import-fixtures.ts";
import { anAccount, aSound } from "./world.ts";
import { aPostObject, CAPTURED_AT, fixtureOf, postId, pushedLine, writeLines } from "./spawn-import.ts";

const folder = temporaryFolder();
after(() => folder.remove());

let made = 0;

/** A capture of its own file. */
function captureOf(...lines: string[]): string {
  return writeLines(join(folder.path, `${++made}.ndjson`), lines);
}

async function withFiles(files: readonly string[], check: (imported: ImportedServer) => Promise<void>): Promise<void> {
  const imported = await startImportedServer([]);
  try {
    for (const file of files) await imported.importMore([file]);
    await check(imported);
  } finally {
    await imported.server.close();
  }
}

async function withStore<Result>({ dataDir }: TestServer, work: (store: Store) => Promise<Result>): Promise<Result> {
  const store = openSqliteStore(dataDir);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

function orders<Item>(items: readonly Item[]): Item[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((first, at) => orders(items.toSpliced(at, 1)).map((rest) => [first, ...rest]));
}

interface Detail {
  itemInfo: { itemStruct: Record<string, unknown> & { author: Record<string, unknown> } };
}
interface UserInfo {
  userInfo: { user: Record<string, unknown>; stats: Record<string, number | null> };
}

const detailPath = (number: number) => `/api/shortvideo/post/detail?videoId=${postId(number)}`;
const userPath = (name: string) => `/api/shortvideo/user/info-with-region?uniqueId=${name}`;

test("three captures of one post are served the same, whatever the order of their files", async () => {
  const captures = [
    captureOf(pushedLine(aPostObject(1, { desc: "Ebb", stats: { diggCount: 1, playCount: 10, shareCount: 3 } }), 0)),
    captureOf(pushedLine(aPostObject(1, { desc: "Flood", stats: { diggCount: 2 }, statsV2: { diggCount: "2" } }), 1)),
    // The newest shows the least: a list often leaves out what a page of its own shows.
    captureOf(pushedLine(aPostObject(1, { desc: undefined, music: undefined, stats: { playCount: 30 } }), 2)),
  ];
  const responses: unknown[] = [];
  for (const files of orders(captures)) {
    await withFiles(files, async ({ server }) => {
      responses.push((await server.json<Detail>(detailPath(1))).itemInfo.itemStruct);
    });
  }
  for (const response of responses) assert.deepEqual(response, responses[0]);
  const { desc, stats } = responses[0] as { desc: string; stats: Record<string, string> };
  assert.deepEqual([desc, stats["diggCount"], stats["playCount"], stats["shareCount"]], ["Flood", "2", "30", "3"]);
});

test("history keeps each distinct set of counters, and the same one again adds nothing", async () => {
  const at = (day: number, views: number) =>
    captureOf(pushedLine(aPostObject(1, { stats: { playCount: views } }), day));
  const files = [at(0, 10), at(1, 10), at(2, 25), at(3, 40), at(3, 40)];
  const historyOf = ({ server }: ImportedServer): Promise<CounterPoint[]> =>
    withStore(server, (store) => store.reader("shortvideo").listCounters("post", postId(1)));
  const day = 86_400_000;
  await withFiles(files, async (imported) => {
    const wanted = [
      { capturedAt: CAPTURED_AT, counters: { views: 10 } },
      { capturedAt: CAPTURED_AT + 2 * day, counters: { views: 25 } },
      { capturedAt: CAPTURED_AT + 3 * day, counters: { views: 40 } },
    ];
    assert.deepEqual(await historyOf(imported), wanted);
    await imported.importMore(files);
    assert.deepEqual(await historyOf(imported), wanted);
  });
  await withFiles(files.toReversed(), async (imported) => {
    const seen = (await historyOf(imported)).map(({ counters }) => counters.views);
    assert.deepEqual([...new Set(seen)], [10, 25, 40]);
  });
});

test("counts that a later capture shows only rounded stay exact, and the history shows no loss", async () => {
  const rounded = { stats: { playCount: 1_100_000, diggCount: 23_500 }, authorStats: { followerCount: 142_900_000 } };
  const exact = {
    ...rounded,
    statsV2: { playCount: "1123456", diggCount: "23451" },
    authorStatsV2: { followerCount: "142928477" },
  };
  await withFiles(
    [captureOf(pushedLine(aPostObject(1, exact), 0), pushedLine(aPostObject(1, rounded), 1))],
    (imported) =>
      withStore(imported.server, async (store) => {
        const reader = store.reader("shortvideo");
        const counters = { views: 1_123_456, likes: 23_451 };
        assert.deepEqual((await reader.getPost(postId(1)))?.counters, counters);
        assert.deepEqual(await reader.listCounters("post", postId(1)), [{ capturedAt: CAPTURED_AT, counters }]);
        const followers = (await reader.listCounters("account", "6922000000000000001")).map(({ counters: of }) => of);
        assert.deepEqual(followers, [{ followers: 142_928_477 }]);
      }),
  );
});

test("a rounded count before or after an exact one is no growth and no loss, whatever the order of the files", async () => {
  const at = (day: number, views: number) =>
    captureOf(pushedLine(aPostObject(1, { stats: { playCount: views } }), day));
  const pairs = [
    [at(0, 1_749_000), at(2, 1_700_000)],
    [at(0, 1_700_000), at(2, 1_749_000)],
  ];
  for (const files of pairs.flatMap(orders)) {
    await withFiles(files, async ({ server }) => {
      const { growth } = await server.json<{ growth: { counters: object } }>(
        `/api/history?platform=shortvideo&kind=post&id=${postId(1)}`,
      );
      assert.deepEqual(growth.counters, { views: { first: 1_749_000, last: 1_749_000, change: 0 } });
    });
  }
});

/** What knows a person by name only, and what knows the id: a table of a research interface, and a post. */
const JORY = "jory.veldhuis";
const JORY_ID = "6911000000000000777";
const BY_NAME = [
  fixtureOf("shortvideo", "research-api/videos.json"),
  fixtureOf("shortvideo", "research-api/user.json"),
];
const BY_ID = captureOf(
  pushedLine(aPostObject(7, { author: { id: JORY_ID, uniqueId: JORY, nickname: "Jory V." } }), 0),
);

test("a person known by name only has no id on the outside, neither in the post nor in the profile", () =>
  withFiles(BY_NAME, async ({ server }) => {
    for (const prefer of ["", "unknown=null"]) {
      const headers: Record<string, string> = prefer === "" ? {} : { prefer };
      const { userInfo } = await server.json<UserInfo>(userPath(JORY), headers);
      assert.equal(userInfo.user["uniqueId"], JORY);
      assert.equal(userInfo.user["id"], prefer === "" ? "" : null);
      const detail = await server.get("/api/shortvideo/post/detail?videoId=7411000000000000161", headers);
      const text = await detail.text();
      assert.doesNotMatch(text, /"@jory/);
      assert.equal((JSON.parse(text) as Detail).itemInfo.itemStruct.author["uniqueId"], JORY);
      assert.equal((JSON.parse(text) as Detail).itemInfo.itemStruct.author["id"], prefer === "" ? "" : null);
    }
  }));

test("when the id becomes known it is adopted, whatever came first, and nothing that was known by name is lost", async () => {
  const responses: unknown[] = [];
  for (const files of orders([...BY_NAME, BY_ID])) {
    await withFiles(files, async ({ server }) => {
      const { userInfo } = await server.json<UserInfo>(userPath(JORY), { prefer: "unknown=null" });
      const { itemInfo } = await server.json<Detail>("/api/shortvideo/post/detail?videoId=7411000000000000161");
      const { id, uniqueId, signature } = userInfo.user;
      responses.push({
        id,
        uniqueId,
        signature,
        followers: userInfo.stats["followerCount"],
        author: itemInfo.itemStruct.author["id"],
      });
      await withStore(server, async (store) => {
        const reader = store.reader("shortvideo");
        assert.equal(await reader.getAccount(`@${JORY}`), null);
        assert.equal(await reader.hasProvisionalAccounts(), false);
        assert.equal(await reader.countPosts("author", JORY_ID), 2);
      });
    });
  }
  for (const response of responses) {
    assert.deepEqual(response, {
      id: JORY_ID,
      uniqueId: JORY,
      signature: "Buses and bridges",
      followers: 5400,
      author: JORY_ID,
    });
  }
});

test("followers by name keep their place when the id of either side becomes known", async () => {
  const takeout = fixtureOf("photoshare", "takeout/followers_1.json");
  const known = [fixtureOf("photoshare", "web/profile.json"), fixtureOf("photoshare", "scrapfly/user.json")];
  const lists: string[] = [];
  for (const knownFirst of [true, false]) {
    const imported = await startImportedServer([]);
    try {
      const importKnown = () => imported.importMore(known);
      const importList = () => imported.importMore([takeout], { subject: "mira.holm", capturedAt: CAPTURED_AT });
      for (const step of knownFirst ? [importKnown, importList] : [importList, importKnown]) await step();
      const { users, count } = await imported.server.postJson<{
        users: { id: string; username: string }[];
        count: number;
      }>("/api/photoshare/get-followers", { username_or_url: "mira.holm", data: "followers" });
      assert.ok(users.every(({ id }) => !id.startsWith("@")));
      lists.push(JSON.stringify([users.map(({ id, username }) => [id, username]), count]));
    } finally {
      await imported.server.close();
    }
  }
  assert.match(lists[0] ?? "", /\["5501002012","sem_lindqvist"\],\["","odile\.varga"\]/);
  assert.equal(lists[0], lists[1]);
});

test("what was erased stays erased: it is reported as erased, and HTTP answers as if it had never been", async () => {
  const capture = captureOf(pushedLine(aPostObject(1)), pushedLine(aPostObject(2)));
  await withFiles([capture], async (imported) => {
    const { server } = imported;
    assert.equal((await server.get(detailPath(1))).status, 200);
    await withStore(server, (store) => store.writer.erase("shortvideo", "account", "6922000000000000001"));
    const { total } = await imported.importMore([capture]);
    assert.deepEqual(total.records.post, { new: 0, updated: 0, unchanged: 0, erased: 2 });
    assert.deepEqual(total.records.account, { new: 0, updated: 0, unchanged: 0, erased: 2 });
    for (const path of [detailPath(1), detailPath(2), userPath("pell.anders")]) {
      const erased = await server.get(path);
      const never = await server.get(path.replace(/\w+$/, "999"));
      assert.deepEqual([erased.status, never.status], [404, 404], path);
      const [one, other] = (await Promise.all([erased.json(), never.json()])) as Record<string, unknown>[];
      assert.deepEqual([one?.["code"], one?.["title"]], [other?.["code"], other?.["title"]]);
    }
    const history = await withStore(server, (store) => store.reader("shortvideo").listCounters("post", postId(1)));
    assert.deepEqual(history, []);
  });
});

test("one erased post stays erased, and its neighbour of the same file is kept", async () => {
  const capture = captureOf(pushedLine(aPostObject(1)), pushedLine(aPostObject(2)));
  await withFiles([capture], async (imported) => {
    const { server } = imported;
    await withStore(server, (store) => store.writer.erase("shortvideo", "post", postId(1)));
    const { total } = await imported.importMore([capture]);
    assert.deepEqual(total.records.post, { new: 0, updated: 0, unchanged: 1, erased: 1 });
    assert.equal((await server.get(detailPath(1))).status, 404);
    assert.equal((await server.get(detailPath(2))).status, 200);
  });
});

test("an erased person does not come back through captures that know the name only", async () => {
  await withFiles([...BY_NAME, BY_ID], async (imported) => {
    const { server } = imported;
    await withStore(server, (store) => store.writer.erase("shortvideo", "account", JORY_ID));
    await imported.importMore(BY_NAME);
    assert.equal((await server.get(userPath(JORY))).status, 404);
    assert.equal((await server.get("/api/shortvideo/post/detail?videoId=7411000000000000161")).status, 404);
  });
});

test("subtitles inside yt-dlp's files are as old as the file says, not as its copy", async () => {
  const site = {
    shortvideo: { id: postId(1), extractor_key: "TikTok" },
    longvideo: { id: "harbourW01k", extractor_key: "Youtube" },
  };
  for (const [platform, info] of Object.entries(site)) {
    const capture = (epoch: number, words: string) => {
      const file = join(folder.path, `${++made}.info.json`);
      const subtitles = { en: [{ ext: "vtt", data: `WEBVTT\n\n00:01.000 --> 00:02.000\n${words}\n` }] };
      writeFileSync(file, JSON.stringify({ ...info, webpage_url: "x", title: "Harbour", epoch, subtitles }));
      return file;
    };
    for (const files of orders([capture(1_780_000_000, "Corrected words"), capture(1_770_000_000, "Older words")])) {
      await withFiles(files, async ({ server }) => {
        const { lines, captured_at } = await server.json<{ lines: { text: string }[]; captured_at: unknown }>(
          `/api/subtitles?platform=${platform}&id=${info.id}`,
        );
        assert.deepEqual([lines[0]?.text, captured_at], ["Corrected words", "2026-05-28T20:26:40.000Z"]);
      });
    }
  }
});

test("captures of one instant that disagree give the same record in any order, and imported again change nothing", async () => {
  const stats = (likes: number) => ({ diggCount: likes, shareCount: 1, commentCount: 2, playCount: 900 });
  const short = captureOf(pushedLine(aPostObject(1, { desc: "Slack water", stats: stats(41) })));
  const long = captureOf(pushedLine(aPostObject(1, { desc: "Slack water at noon", stats: stats(37) })));
  for (const files of orders([short, long])) {
    await withFiles(files, async (imported) => {
      const { server } = imported;
      const detail = await server.json<Detail>(detailPath(1));
      const { desc, stats: shown } = detail.itemInfo.itemStruct;
      assert.deepEqual([desc, (shown as Record<string, string>)["diggCount"]], ["Slack water at noon", "41"]);
      for (const file of files) {
        const { total } = await imported.importMore([file]);
        assert.deepEqual(total.records.post, { new: 0, updated: 0, unchanged: 1, erased: 0 });
      }
    });
  }
});

test("a subtitles track, a chart and a follow of the same import again are unchanged", async () => {
  const files = [
    fixtureOf("longvideo", "subtitles/Harbour walk [harbourW01k].de.srt"),
    fixtureOf("longvideo", "trending/EG/trending_EG_2026-07-01.csv"),
    fixtureOf("photoshare", "web/followers.json"),
  ];
  const followers = join(folder.path, "followers_1.json");
  writeFileSync(
    followers,
    JSON.stringify([{ title: "sem_lindqvist", string_list_data: [{ timestamp: 1_709_640_050 }] }]),
  );
  const imported = await startImportedServer([...files, followers], { subject: "mira.holm" });
  try {
    const { total } = await imported.importMore([...files, followers], { subject: "mira.holm" });
    for (const kind of ["subtitles", "chart", "follow"] as const) {
      const counts = total.records[kind];
      assert.ok(counts !== undefined && counts.unchanged > 0, kind);
      assert.deepEqual([kind, counts.new, counts.updated], [kind, 0, 0]);
    }
  } finally {
    await imported.server.close();
  }
});

test("a sound that was captured with its artist's name has the artist's id once it is known", () =>
  withFiles([], async ({ server }) => {
    await withStore(server, async ({ writer }) => {
      await writer.write([toUnit("shortvideo", { sounds: [aSound("7100000000000000901", { artistId: "@luna.m" })] })]);
      await writer.write([
        toUnit("shortvideo", { accounts: [anAccount("7700000000000000005", "Luna.M", { verified: true })] }),
      ]);
    });
    const path = "/api/shortvideo/music/info?musicId=7100000000000000901";
    const { data } = await server.json<{ data: { musicInfo: { artist: Record<string, unknown> } } }>(path);
    const { id, uniqueId, verified } = data.musicInfo.artist;
    assert.deepEqual([id, uniqueId, verified], ["7700000000000000005", "Luna.M", true]);
  }));
