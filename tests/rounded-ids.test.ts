/** Ids that lost their last digits in a spreadsheet or a number: refused by name, restored from the address, never stored. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { startImportedServer } from "./import-fixtures.ts";
import { temporaryFolder } from "./test-server.ts";

const folder = temporaryFolder();
after(() => folder.remove());

const WHOLE = "7411234567890123456";
/** As a spreadsheet writes it, JavaScript, and Python. */
const ROUNDED = [
  "7411234567890120000",
  "7411234567890124000",
  String(BigInt(Number(WHOLE))),
  "7.41123456789012E+18",
  "7,41E+18",
];

let files = 0;
function written(text: string, suffix: string): string {
  const path = join(folder.path, `table-${files++}.${suffix}`);
  writeFileSync(path, text);
  return path;
}

/** Stored parts of the posts, and why something was refused. */
async function imported(path: string) {
  const { server, report } = await startImportedServer([path]);
  try {
    const post = async (id: string) => {
      const response = await server.get(`/api/shortvideo/post/detail?videoId=${id}`);
      if (response.status !== 200) return null;
      return ((await response.json()) as { itemInfo: { itemStruct: Item } }).itemInfo.itemStruct;
    };
    const ids = [WHOLE, ...ROUNDED.filter((id) => /^\d+$/.test(id)), "7411234567890123999", "7411000000000000000"];
    const found: (Item | null)[] = [];
    for (const id of ids) found.push(await post(id));
    return {
      posts: found.filter((item) => item !== null),
      refused: report.total.refused,
      records: report.total.records,
    };
  } finally {
    await server.close();
  }
}

interface Item {
  id: string;
  author: { id: string; uniqueId: string };
}

const pyktok = (id: string, more = "") =>
  `video_id,video_diggcount,video_playcount,author_username,author_name${more === "" ? "" : ",video_url"}\n"${id}",3,9,orla.tidewell,Orla${more === "" ? "" : `,${more}`}\n`;
const native = (id: string, author: object = { uniqueId: "orla.tidewell", secUid: "MS4wLjABAAAAorla" }) =>
  JSON.stringify({ id, desc: "Low tide", createTime: 1_740_000_000, stats: { diggCount: 3, playCount: 9 }, author });

for (const id of ROUNDED) {
  test(`${id} is refused in a table and in JSON`, async () => {
    for (const file of [written(pyktok(id), "csv"), written(`${native(id)}\n`, "ndjson")]) {
      const { refused, records, posts } = await imported(file);
      assert.deepEqual(posts, []);
      assert.equal(records.post, undefined);
      assert.deepEqual(refused, { id_rounded: 1 });
    }
  });
}

test("a number of JSON is read with all its digits, and refused where it was written without them", async () => {
  const write = (id: string) => written(native("0").replace('"id":"0"', `"id":${id}`), "json");
  assert.deepEqual(
    (await imported(write(WHOLE))).posts.map(({ id }) => id),
    [WHOLE],
  );
  for (const id of ["7411234567890124000", "7.411234567890124e18"]) {
    assert.deepEqual((await imported(write(id))).refused, { id_rounded: 1 });
  }
});

test("the address in the same row has all digits", async () => {
  const row = {
    ...JSON.parse(native(ROUNDED[0] ?? "")),
    video_link: `https://www.tiktok.com/@orla.tidewell/video/${WHOLE}`,
  };
  const { posts, refused } = await imported(written(JSON.stringify([row]), "json"));
  assert.deepEqual([posts.map(({ id }) => id), refused], [[WHOLE], {}]);
});

test("thousands of rounded ids beside thousands of addresses take linear time", { timeout: 60_000 }, async () => {
  const { stats, author, ...post } = JSON.parse(native(WHOLE)) as Record<string, unknown>;
  const itemList = Array.from({ length: 20_000 }, (_, index) => {
    const id = BigInt(WHOLE) + BigInt(index) * 10_000_000_000n;
    const link = `https://www.tiktok.com/@orla.tidewell/video/${id - 100_000_000_000_000_000n}`;
    return { ...post, id: `${id / 100_000n}00000`, video_link: link, stats, author };
  });
  const { refused } = await imported(written(JSON.stringify({ page: { itemList } }), "json"));
  assert.deepEqual(refused, { id_rounded: itemList.length });
});

test("an id that ends in zeros is kept where its address or other ids of the file have all digits", async () => {
  const zeros = "7411000000000000000";
  const address = { ...JSON.parse(native(zeros)), webVideo: `https://www.tiktok.com/@orla.tidewell/video/${zeros}` };
  for (const text of [JSON.stringify([address]), `${native("7411234567890123999")}\n${native(zeros)}\n`]) {
    const { posts, refused } = await imported(written(text, "ndjson"));
    assert.ok(posts.some(({ id }) => id === zeros));
    assert.deepEqual(refused, {});
  }
});

test("a post whose author's id was rounded keeps the author's name, and no id", async () => {
  const author = { id: "6811234567890120000", uniqueId: "orla.tidewell", nickname: "Orla", secUid: "MS4wLjABAAAAorla" };
  const { posts, refused } = await imported(written(native(WHOLE, author), "json"));
  assert.deepEqual(refused, {});
  assert.deepEqual(
    posts.map((item) => item.author.uniqueId),
    ["orla.tidewell"],
  );
  assert.notEqual(posts[0]?.author.id, author.id);
});

test("the code of a post on Instagram has all digits of its id", async () => {
  const [whole, code] = ["3466666666666600001", "DAcEvdVWaZB"];
  const item = { code, media_type: 1, taken_at: 1_779_000_000, user: { pk: "5560001", username: "wren.castellow" } };
  for (const pk of [whole, "3466666666666600000", "3466666666666599936"]) {
    const { server, report } = await startImportedServer([
      written(JSON.stringify({ ...item, pk, caption: null }), "json"),
    ]);
    try {
      assert.deepEqual(report.total.refused, {});
      const response = await server.get(`/api/post?platform=photoshare&id=${whole}`);
      assert.equal(response.status, 200, await response.text());
    } finally {
      await server.close();
    }
  }
});
