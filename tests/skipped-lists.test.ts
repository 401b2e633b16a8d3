/** Lists of records inside a record, of which nothing is stored: the report names each and counts its objects. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runCommand } from "./run-command.ts";
import { startImportedServer } from "./import-fixtures.ts";
import { temporaryFolder } from "./test-server.ts";

async function report(value: unknown, name = "rows.json") {
  const folder = temporaryFolder();
  writeFileSync(join(folder.path, name), typeof value === "string" ? value : JSON.stringify(value));
  const { server, report: made } = await startImportedServer([join(folder.path, name)]);
  await server.close();
  folder.remove();
  return made.total;
}

const stuff = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: `stuff-${index}`, title: `Stuff ${index}`, channelId: "same" }));
const skipped = (name: string) => `objects of a list \`${name}\` that no reader took`;

const video = { video_id: "osierList1A", title: "Osier", channel: "Marsh & Mere", views: 5000 };

test("lists that no reader takes are named with the number of their objects, by platform and form", async () => {
  const { skipped: ofVideos, records } = await report([
    { ...video, relatedStuff: stuff(12) },
    { ...video, video_id: "osierList2E", relatedStuff: stuff(7), polls: [{ question: "Reed or rush?" }] },
  ]);
  assert.equal(records.post?.new, 2);
  assert.deepEqual(ofVideos, { [skipped("relatedStuff")]: 19, [skipped("polls")]: 1 });

  const post = { shortCode: "C4iLtETgARX", type: "Image", ownerUsername: "mira.holm", ownerId: "5501002003" };
  assert.deepEqual((await report([{ ...post, relatedStuff: stuff(3) }])).skipped, { [skipped("relatedStuff")]: 3 });

  const item = {
    id: "7411000000000000131",
    desc: "Lamps",
    stats: { playCount: 4, diggCount: 1 },
    relatedStuff: stuff(2),
  };
  assert.deepEqual((await report({ itemList: [item] })).skipped, { [skipped("relatedStuff")]: 2 });

  const cell = JSON.stringify(stuff(4)).replaceAll('"', '""');
  const table = `video_id,title,channel,views,related\nosierList3I,Osier,Marsh & Mere,5,"${cell}"`;
  assert.deepEqual((await report(table, "table.csv")).skipped, { [skipped("related")]: 4 });
});

test("thousands of such lists in one document take linear time", { timeout: 60_000 }, async () => {
  const itemList = Array.from({ length: 15_000 }, (_, index) => ({
    id: String(7_411_000_000_000_000_131n + BigInt(index) * 10_000_000_000n),
    desc: `Lamp ${index} of the long row along the quay`,
    stats: { playCount: 4, diggCount: 1 },
    parts: [0, 1, 2].map((part) => ({ title: `Part ${part} of lamp ${index}`, name: `Lamp ${index}, part ${part}` })),
  }));
  const { records, skipped: ofPosts } = await report({ page: { itemList } });
  assert.equal(records.post?.new, itemList.length);
  assert.deepEqual(ofPosts, { [skipped("parts")]: 3 * itemList.length });
});

test("names without end are counted together", async () => {
  const rows = Array.from({ length: 25 }, (_, index) => ({ ...video, [`stuff-${index}`]: stuff(1) }));
  const names = Object.entries((await report(rows)).skipped);
  assert.equal(names.length, 21);
  assert.deepEqual(names.at(-1), ["objects of further lists that no reader took", 5]);
});

test("lists that were read are not named: posts, comments, tags, tagged people, pictures, captions", async () => {
  const post = {
    id: "3324270950463046743",
    shortCode: "C4iLtETgARX",
    type: "Sidecar",
    ownerUsername: "mira.holm",
    ownerId: "5501002003",
    hashtags: ["ferry"],
    taggedUsers: [{ id: "5501002009", username: "odd.dahl", full_name: "Odd Dahl" }],
    latestComments: [{ id: "18001", text: "Ferry!", ownerUsername: "odd.dahl" }],
    childPosts: [{ id: "3324270950463046744", shortCode: "C4iLtETgARY", displayUrl: "https://pictures.example/1.jpg" }],
  };
  const lines = [{ text: "Cut it low", start: 0.5, duration: 2 }];
  const watched = {
    ...video,
    transcript: lines,
    comments: [{ comment_id: "UgOsierList000000001", text: "Supple", author: "@mere" }],
    thumbnails: [{ url: "https://i.ytimg.com/vi/osierList1A/default.jpg", width: 120, height: 90 }],
    captions: [{ url: "https://captions.example/en.vtt", ext: "vtt", name: "English" }],
  };
  const lamps = {
    id: "7411000000000000131",
    text: "Lamps",
    playCount: 4,
    webVideoUrl: "https://www.tiktok.com/@mira/video/7411000000000000131",
    authorMeta: { name: "mira" },
    comments: [{ cid: "7411000000000000991", text: "So bright", uniqueId: "odd", createTime: 1_718_600_000 }],
  };
  const { skipped: ofLamps, records } = await report([lamps]);
  assert.deepEqual([ofLamps, records.comment?.new], [{}, 1]);
  assert.deepEqual((await report([post])).skipped, {});
  assert.deepEqual((await report([watched])).skipped, {});
});

test("a transcript of one-letter lines was read", async () => {
  const transcript = ["好", "啊"].map((text, index) => ({ text, start: index, duration: 1 }));
  const { skipped: ofLines, records } = await report([{ ...video, transcript }]);
  assert.deepEqual([ofLines, records.subtitles?.new], [{}, 1]);
});

test("the command prints the list and the number", async () => {
  const folder = temporaryFolder();
  const file = join(folder.path, "rows.json");
  writeFileSync(file, JSON.stringify([{ ...video, relatedStuff: stuff(12) }]));
  const { stdout, code } = await runCommand(["import", file], { DATA_DIR: join(folder.path, "data") });
  folder.remove();
  assert.equal(code, 0);
  assert.match(stdout, /skipped 12: objects of a list `relatedStuff` that no reader took/);
});
