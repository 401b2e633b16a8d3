/**
 * Records of other sites, with the fields by which our platforms' records are known: none is imported, whatever the file and
 * however deep, beside an address of the other site and without any.
 */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as fc from "fast-check";
import { budget, limitRuns } from "#testing/budget.ts";
import { importInto, startImportedServer } from "./import-fixtures.ts";
import { temporaryFolder } from "./test-server.ts";

const digits = (length: number, start = "") =>
  fc
    .array(fc.nat(9), { minLength: length - start.length, maxLength: length - start.length })
    .map((rest) => start + rest.join(""));
const letters = (length: number) =>
  fc.string({
    unit: fc.constantFrom("a", "b", "c", "d", "e", "k", "z", "2", "3", "7"),
    minLength: length,
    maxLength: length,
  });

interface Site {
  id: fc.Arbitrary<string>;
  /** The address of a record, and of its picture. */
  page: (name: string, id: string) => string;
  picture: string;
  /** Fields that the site's own records have. */
  more: Readonly<Record<string, unknown>>;
}

const SITES: Readonly<Record<string, Site>> = {
  "x.com": {
    id: digits(19, "17"),
    page: (name, id) => `https://x.com/${name}/status/${id}`,
    picture: "https://pbs.twimg.com/profile_images/1/a.jpg",
    more: { full_text: "Low tide", retweet_count: 3, favorite_count: 4 },
  },
  "twitch.tv": {
    id: digits(10, "2"),
    page: (name) => `https://www.twitch.tv/${name}`,
    picture: "https://static-cdn.jtvnw.net/a.png",
    more: { broadcaster_type: "partner", game_name: "Chess", title: "Endgames" },
  },
  "reddit.com": {
    id: letters(6).map((id) => `t3_${id}`),
    page: (_name, id) => `https://www.reddit.com/r/tides/comments/${id}/`,
    picture: "https://styles.redditmedia.com/a.png",
    more: { subreddit: "tides", ups: 12, selftext: "Low tide" },
  },
  "facebook.com": {
    id: digits(15, "1000"),
    page: (name, id) => `https://www.facebook.com/${name}/posts/${id}`,
    picture: "https://scontent.xx.fbcdn.net/v/t39.30808-1/a.jpg",
    more: { reactions: 8, message: "Low tide" },
  },
  "threads.com": {
    id: digits(11, "63"),
    page: (name) => `https://www.threads.net/@${name}/post/DAbCdEfGhIj`,
    picture: "https://media.example/a.jpg",
    more: { quote_count: 2, reply_count: 3 },
  },
  "bsky.app": {
    id: letters(24).map((id) => `did:plc:${id}`),
    page: (_name, id) => `at://${id}/app.bsky.feed.post/3kabc`,
    picture: "https://cdn.bsky.app/img/avatar/plain/a",
    more: { handle: "tide.bsky.social", repostCount: 3 },
  },
  "linkedin.com": {
    id: digits(19, "7").map((id) => `urn:li:activity:${id}`),
    page: (name) => `https://www.linkedin.com/in/${name}/`,
    picture: "https://media.licdn.com/a.jpg",
    more: { headline: "Hydrographer", connections: 500 },
  },
  "pinterest.com": {
    id: digits(18, "70"),
    page: (_name, id) => `https://www.pinterest.com/pin/${id}/`,
    picture: "https://i.pinimg.com/a.jpg",
    more: { board: "Boats", repin_count: 5 },
  },
  "snapchat.com": {
    id: fc.uuid(),
    page: (name) => `https://www.snapchat.com/add/${name}`,
    picture: "https://cf-st.sc-cdn.net/a.jpg",
    more: { snapcode: "1", subscriberCount: "12" },
  },
  "telegram.org": {
    id: digits(10, "1"),
    page: (name) => `https://t.me/${name}/12`,
    picture: "https://cdn4.telesco.pe/file/a.jpg",
    more: { forwards: 4, peer_id: "12" },
  },
};

interface Given {
  id: string;
  name: string;
  picture: string | undefined;
}

/** The fields by which recognisers and readers know a record; values are those that another site may have. */
const KEY_SETS: Readonly<Record<string, (given: Given) => Record<string, unknown>>> = {
  "photoshare user": ({ name, picture }) => ({ username: name, profile_pic_url: picture }),
  "photoshare biography": ({ name, id }) => ({ id, username: name, biography: "Low tide" }),
  "photoshare followers": ({ name, id }) => ({
    id,
    username: name,
    follower_count: 7,
    full_name: "A",
    is_private: false,
  }),
  "photoshare old user": ({ name, id }) => ({ id, username: name, edge_followed_by: 12, biography: "" }),
  "photoshare key": ({ name, id }) => ({ username: name, pk: /^\d+$/.test(id) ? undefined : id, biography: "Low" }),
  "photoshare graph api": ({ name, id, picture }) => ({
    id,
    username: name,
    followers_count: 7,
    media_count: 3,
    profile_picture_url: picture,
  }),
  "photoshare scrapfly": ({ name, id, picture }) => ({
    id,
    username: name,
    followers: 7,
    follows: 3,
    profile_image: picture,
    image_count: 2,
  }),
  "photoshare set": ({ name, picture }) => ({
    account: name,
    followers: 7,
    posts_count: 3,
    profile_name: "A",
    profile_image_link: picture,
  }),
  "photoshare item": ({ name, id }) => ({
    id,
    media_type: 1,
    taken_at: 1_740_000_000,
    caption: { text: "Low tide" },
    user: { username: name, id },
  }),
  "photoshare graph": ({ name, id }) => ({
    id,
    shortcode: id,
    taken_at_timestamp: 1_740_000_000,
    thumbnail_src: "",
    owner: { id, username: name },
  }),
  "photoshare comment": ({ name, id }) => ({
    id,
    media_id: id,
    text: "Low",
    comment_like_count: 2,
    user: { id, username: name },
  }),
  "photoshare hashtag": ({ name, id, picture }) => ({ id, name, media_count: 8, profile_pic_url: picture ?? "" }),
  "photoshare place": ({ id }) => ({ id, name: "Quay", lat: 53.1, lng: 5.2, has_public_page: true }),
  "photoshare story": ({ name, id }) => ({ id, expiring_at: 1, latest_reel_media: 1, user: { id, username: name } }),
  "shortvideo item": ({ name, id }) => ({
    id,
    desc: "Low tide",
    createTime: 1_740_000_000,
    stats: { diggCount: 4, playCount: 5, shareCount: 1 },
    author: { id, uniqueId: name, nickname: "A" },
  }),
  "shortvideo mobile item": ({ name, id }) => ({
    aweme_id: id,
    desc: "Low tide",
    statistics: { digg_count: 4, play_count: 5 },
    author: { uid: id, unique_id: name },
  }),
  "shortvideo embed": ({ name, id }) => ({
    itemInfos: { id, text: "Low" },
    authorInfos: { userId: id, uniqueId: name },
  }),
  "shortvideo comment": ({ name, id }) => ({
    cid: id,
    aweme_id: id,
    text: "Low",
    digg_count: 1,
    create_time: 1_740_000_000,
    user: { uid: id, unique_id: name },
  }),
  "shortvideo user": ({ name, id }) => ({ id, uniqueId: name, nickname: "A", signature: "Low", followerCount: 5 }),
  "shortvideo mobile user": ({ name, id }) => ({ uid: id, unique_id: name, nickname: "A", follower_count: 5 }),
  "shortvideo profile": ({ name, id }) => ({
    user: { id, uniqueId: name, nickname: "A" },
    stats: { followerCount: 5 },
  }),
  "shortvideo sound": ({ name, id }) => ({ id, title: "Tide", authorName: name, playUrl: "", duration: 12 }),
  "shortvideo hashtag": ({ name, id }) => ({ challenge: { id, title: name }, stats: { videoCount: 5, viewCount: 6 } }),
  "shortvideo table": ({ name, picture }) => ({
    username: name,
    follower_count: 5,
    video_caption: "Low",
    avatar: picture,
  }),
  "longvideo resource": ({ name, id }) => ({
    id,
    snippet: { title: "Low tide", channelTitle: name, channelId: id },
    statistics: { viewCount: "5" },
  }),
  "longvideo comment": ({ name, id }) => ({
    id,
    snippet: { authorDisplayName: name, videoId: id, textOriginal: "Low" },
  }),
  "longvideo card": ({ name, id, picture }) => ({
    videoId: id,
    channelId: id,
    title: { simpleText: name },
    thumbnail: { thumbnails: [{ url: picture ?? "" }] },
  }),
  "longvideo renderer": ({ name, id }) => ({ videoRenderer: { videoId: id, title: { simpleText: name } } }),
  "longvideo row": ({ name, id }) => ({ video_id: id, title: "Low tide", channel_title: name, views: 7, likes: 2 }),
  "longvideo comment row": ({ name, id }) => ({ id, video_id: id, author: name, text: "Low", likes: 2 }),
};

const ADDRESSES = ["url", "permalink", "profile_url", "profileUrl", "post_url", "video_url", "link", "webpage_url"];

const row = fc
  .constantFrom(...Object.values(SITES))
  .chain(({ id, page, picture, more }) =>
    fc.record({
      id,
      name: letters(8).map((name) => `tide_${name}`),
      address: fc.option(fc.constantFrom(...ADDRESSES)),
      keys: fc.constantFrom(...Object.values(KEY_SETS)),
      page: fc.constant(page),
      picture: fc.constant(picture),
      more: fc.constant(more),
    }),
  )
  .map(({ id, name, address, keys, page, picture, more }) => ({
    ...more,
    ...keys({ id, name, picture: address === null ? undefined : picture }),
    ...(address !== null && { [address]: page(name, id) }),
  }));

function toCsv(rows: readonly Record<string, unknown>[]): string {
  const columns = [...new Set(rows.flatMap((record) => Object.keys(record)))];
  const quote = (cell: unknown) => {
    const text = typeof cell === "string" ? cell : (JSON.stringify(cell) ?? "");
    return `"${text.replaceAll('"', '""')}"`;
  };
  const lines = rows.map((record) => columns.map((column) => quote(record[column])).join(","));
  return `${[columns.join(","), ...lines].join("\n")}\n`;
}

/** Each table has the columns of one record, as tables of one tool have. */
const FORMS: Readonly<Record<string, (rows: readonly Record<string, unknown>[]) => [name: string, text: string][]>> = {
  "a JSON document": (rows) => [["rows.json", JSON.stringify(rows)]],
  NDJSON: (rows) => [["rows.ndjson", rows.map((record) => `${JSON.stringify(record)}\n`).join("")]],
  CSV: (rows) => rows.map((record, at) => [`row-${at}.csv`, toCsv([record])]),
  "objects in others": (rows) => [
    ["nested.json", JSON.stringify({ payload: { page: { results: rows.map((entry) => ({ entry })) } } })],
    ["listed.json", JSON.stringify({ data: rows, has_more: false })],
    ["one.json", JSON.stringify({ result: { legacy: rows[0] } })],
  ],
};

for (const [form, write] of Object.entries(FORMS)) {
  test(`nothing of ten other sites is imported from ${form}`, { timeout: 600_000 }, () =>
    fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: form === "CSV" ? 20 : 40 }), async (rows) => {
        const folder = temporaryFolder();
        try {
          const files = write(rows).map(([name, text]) => {
            writeFileSync(join(folder.path, name), text);
            return join(folder.path, name);
          });
          const { total } = await importInto(folder.path, files);
          assert.deepEqual(total.records, {});
          assert.notDeepEqual(total.refused, {});
        } finally {
          folder.remove();
        }
      }),
      limitRuns(budget("otherSiteRuns")),
    ),
  );
}

test("a table of search results with the addresses of videos gives posts and authors of that site", async () => {
  const folder = temporaryFolder();
  const rows = [1, 2].map((number) => ({
    username: `tide.walker${number}`,
    follower_count: 1200 + number,
    video_url: `https://www.tiktok.com/@tide.walker${number}/video/741100000000000031${number}`,
    video_caption: `Low tide ${number} #tides`,
    likes: 40 + number,
  }));
  const other = {
    username: "pike.run",
    follower_count: 3,
    video_url: "https://www.tiktok.com/@tide.walker1",
    biography: "",
  };
  const files = { "search.json": JSON.stringify(rows), "search.csv": toCsv(rows), "odd.json": JSON.stringify([other]) };
  try {
    for (const [name, text] of Object.entries(files)) {
      writeFileSync(join(folder.path, name), text);
      const { server, report } = await startImportedServer([join(folder.path, name)]);
      try {
        if (name === "odd.json") {
          assert.deepEqual([report.total.records, report.total.refused], [{}, { unknown_format: 1 }]);
          continue;
        }
        assert.deepEqual(report.total.refused, {});
        const { itemInfo } = await server.json<{ itemInfo: { itemStruct: Record<string, object> } }>(
          "/api/shortvideo/post/detail?videoId=7411000000000000311",
        );
        const { desc, author, stats } = itemInfo.itemStruct;
        assert.deepEqual(
          [desc, (author as { uniqueId: string }).uniqueId, (stats as { diggCount: string }).diggCount],
          ["Low tide 1 #tides", "tide.walker1", "41"],
        );
        const response = await server.get("/api/photoshare/get-profile?username_or_url=tide.walker1");
        assert.equal(response.status, 404);
        assert.equal(report.total.records.account?.new, 2);
      } finally {
        await server.close();
      }
    }
  } finally {
    folder.remove();
  }
});

async function importOne(value: unknown) {
  const folder = temporaryFolder();
  try {
    const file = join(folder.path, "records.json");
    writeFileSync(file, JSON.stringify(value));
    return await importInto(folder.path, [file]);
  } finally {
    folder.remove();
  }
}

test("no format is named for records of other sites", async () => {
  const person = { username: "orla.tidewell", follower_count: 3, biography: "Low tide" };
  const post = {
    id: "7411234567890123456",
    desc: "Low tide",
    createTime: 1_740_000_000,
    stats: { diggCount: 3, playCount: 9 },
    author: { uniqueId: "orla.tidewell" },
  };
  const theirs = { ...person, url: "https://x.com/orla" };
  for (const [records, formats] of [
    [[theirs], []],
    [[person], []],
    [[theirs, post], ["shortvideo web"]],
  ] as const) {
    const report = await importOne({ page: { records } });
    assert.deepEqual(Object.keys(report.total.formats), formats);
    assert.equal(report.total.refused["unknown_format"], undefined);
    assert.equal(Object.keys(report.total.refused).length, 1);
  }
});
