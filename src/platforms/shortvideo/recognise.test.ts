/** The platform's own objects in every envelope they come in, and other platforms' objects left alone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Recording, recordingCollector } from "#testing/recording-collector.ts";
import { fixtureDocuments } from "#testing/shortvideo-fixtures.ts";
import type { NativePost } from "./native.ts";
import { recogniseAll } from "./recognise.ts";

function recognised(
  value: unknown,
  url: string | null = null,
  subject: string | null = null,
  name = "fixture",
): Recording & { found: boolean } {
  const { collect, recording } = recordingCollector();
  const found = recogniseAll(value, { url, file: { name, segments: [name], subject } }, collect);
  return { ...recording, found };
}

async function inFixture(path: string): Promise<Recording> {
  return recognised((await fixtureDocuments(path)).map(({ value }) => value));
}

test("an empty text that TikTok gave is known to be empty; only a mention leaves a biography out", () => {
  const music = { id: "7100000000000000055", title: "Hush", authorName: "Wren", album: "", playUrl: "" };
  const user = {
    id: "6911000000000000204",
    uniqueId: "wren",
    nickname: "Wren",
    signature: "",
    secUid: "MS4",
    roomId: "",
  };
  const [sound] = recognised({ music, author: user, stats: { videoCount: 1 } }).sounds;
  assert.deepEqual(sound?.native, {
    album: "",
    artist: { id: user.id, uniqueId: "wren", nickname: "Wren", secUid: "MS4" },
  });
  const [account] = recognised({ user, stats: { followerCount: 0 } }).accounts;
  assert.deepEqual([account?.bio, account?.native], ["", { secUid: "MS4", roomId: "" }]);
});

test("posts of the mobile API: lengths in milliseconds, ids beyond 2^53 as text, no counts of the author", () => {
  const urls = (name: string) => ({ uri: name, url_list: [`https://media.example/${name}`] });
  const item = {
    aweme_id: "7411000000000000181",
    desc: "Up it goes #kites",
    create_time: 1725530400,
    region: "DK",
    author: { uid: "6911000000000000204", unique_id: "wren", nickname: "Wren", sec_uid: "MS4", follower_count: 0 },
    statistics: { play_count: 500, digg_count: 20, comment_count: 3, share_count: 4, collect_count: 5 },
    video: { duration: 15300, width: 576, height: 1024, play_addr: urls("v.mp4"), cover: urls("c.webp") },
    music: { id_str: "7411000000000000381", title: "Hush", author: "Wren", duration: 15, play_url: urls("s.mp3") },
    cha_list: [{ cid: "70001", cha_name: "kites" }],
    text_extra: [{ hashtag_name: "kites" }, { user_id: "6911000000000000201" }],
  };
  const { posts, accounts, sounds } = recognised({ aweme_list: [item], status_code: 0 });
  const [post] = posts;
  assert.deepEqual([post?.id, post?.authorId, post?.publishedAt], [item.aweme_id, "6911000000000000204", 1725530400]);
  assert.deepEqual(post?.counters, { views: 500, likes: 20, comments: 3, shares: 4, saves: 5 });
  assert.deepEqual([post?.durationS, post?.hashtags, post?.taggedIds], [15, ["kites"], ["6911000000000000201"]]);
  assert.deepEqual([sounds[0]?.id, sounds[0]?.artistName], ["7411000000000000381", "Wren"]);
  assert.deepEqual(accounts[0]?.counters, undefined);
});

test("lists that a service has written as objects are read as lists", () => {
  const asObjects = (value: unknown): unknown =>
    typeof value === "object" && value !== null
      ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, asObjects(part)]))
      : value;
  const urls = (name: string) => ({ url_list: [`https://media.example/${name}`, `https://media.example/2/${name}`] });
  const user = { uid: "6911000000000000204", unique_id: "wren", sec_uid: "MS4", avatar_larger: urls("a.webp") };
  const item = {
    aweme_id: "7411000000000000181",
    author: user,
    statistics: { play_count: 500, digg_count: 20, comment_count: 3 },
    video: { duration: 15300, play_addr: urls("v.mp4"), cover: urls("c.webp") },
    music: { id_str: "7411000000000000381", title: "Hush", author: "Wren", play_url: urls("s.mp3") },
    text_extra: [{ hashtag_name: "kites" }, { user_id: "6911000000000000201" }],
  };
  const comment = { cid: "41", aweme_id: item.aweme_id, text: "hm", create_time: 1725540000, digg_count: 1, user };
  const reply = { ...comment, cid: "42", reply_id: "41" };
  const comments = { comments: [{ ...comment, reply_comment: [reply] }], total: 77, status_code: 0 };
  for (const response of [
    { success: true, data: { aweme_list: [item, item] } },
    { success: true, data: comments },
  ])
    assert.deepEqual(recognised(asObjects(response)), recognised(response));
});

test("records of Douyin, which has ids of its own, are skipped", () => {
  const post = { aweme_id: "7411000000000000181", statistics: { play_count: 0, digg_count: 20 } };
  const comment = { cid: "41", aweme_id: "7411000000000000181", text: "hm", create_time: 1725540000 };
  const list = { comments: [comment], total: 1, status_code: 0, extra: { now: 1725624900000 } };
  const url = "https://www.douyin.com/aweme/v1/web/comment/list/?aweme_id=7411000000000000181";
  const music = { id_str: "7411000000000000381", title: "Hush", author: "Wren", play_url: {} };
  const hashtag = { cid: "70001", cha_name: "kites", user_count: 5, view_count: 1234 };
  const user = { uid: "6911000000000000204", unique_id: "wren", nickname: "Wren", sec_uid: "MS4", follower_count: 3 };
  const shared = (address: string) => ({ share_url: address });
  for (const found of [
    recognised({ ...post, share_url: "https://www.iesdouyin.com/share/video/7411000000000000181/" }),
    recognised({ data: { ...post, platform: "douyin" } }),
    recognised(list, url),
    recognised({ comments: [{ ...comment, ip_label: "上海" }] }),
    recognised({ ...post, share_info: shared("https://www.iesdouyin.com/share/video/7411000000000000181/") }),
    recognised({ music_info: { ...music, share_info: shared("https://www.iesdouyin.com/share/music/381") } }),
    recognised({ ch_info: { ...hashtag, share_info: shared("https://www.iesdouyin.com/share/challenge/70001") } }),
    recognised({ user: { ...user, share_info: shared("www.iesdouyin.com/share/user/204") } }),
    recognised({ status_code: 0, user: { ...user, share_info: shared("www.iesdouyin.com/share/user/204") } }),
  ]) {
    assert.deepEqual(found.skipped, ["a record of Douyin, which is not supported"]);
    const { posts, accounts, comments, sounds, hashtags } = found;
    assert.deepEqual([posts, accounts, comments, sounds, hashtags], [[], [], [], [], []]);
  }
  assert.equal(recognised(list, "https://www.tiktok.com/api/comment/list/?ref=douyin.com").comments.length, 1);
});

test("a sound of the mobile API is original where `is_original_sound` says so; older responses have `is_original` alone", () => {
  const original = (flags: object) =>
    recognised({
      aweme_id: "7411000000000000181",
      statistics: { digg_count: 2 },
      music: { id_str: "7411000000000000381", title: "original sound - wren", ...flags },
    }).posts[0]?.native;
  for (const [flags, expected] of [
    [{ is_original: false, is_original_sound: true }, true],
    [{ is_original: false, is_original_sound: false }, false],
    [{ is_original: true }, true],
  ] as const) {
    assert.deepEqual(original(flags), {
      music: { id: "7411000000000000381", title: "original sound - wren", original: expected },
    });
  }
});

test("the bit rate of a video is that of its first stream where it has none of its own", () => {
  const stats = { diggCount: 1, playCount: 5 };
  const statistics = { digg_count: 1, play_count: 5 };
  const rateOf = (post: object) => (recognised(post).posts[0]?.native as NativePost | undefined)?.video?.bitrate;
  const bitrateInfo = [{ Bitrate: 654321 }, { Bitrate: 123456 }];
  assert.equal(rateOf({ id: "7411000000000000101", desc: "", stats, video: { bitrate: 0, bitrateInfo } }), 654321);
  assert.equal(rateOf({ id: "7411000000000000101", desc: "", stats, video: { bitrate: 777, bitrateInfo } }), 777);
  const bit_rate = [{ bit_rate: 1620672, quality_type: 20 }, { bit_rate: 800000 }];
  assert.equal(rateOf({ aweme_id: "7411000000000000101", statistics, video: { duration: 15300, bit_rate } }), 1620672);
});

test("a photo post of the mobile API has pictures and no video: what stands there is its sound", () => {
  const urls = (name: string) => ({ uri: name, url_list: [`https://media.example/${name}`] });
  const [post] = recognised({
    aweme_id: "7411000000000000182",
    statistics: { play_count: 12, digg_count: 2 },
    video: { duration: 15300, play_addr: urls("s.mp3"), cover: urls("c.webp") },
    image_post_info: { images: [{ display_image: { ...urls("p.webp"), width: 720, height: 960 } }] },
  }).posts;
  assert.equal(post?.durationS, undefined);
  assert.deepEqual(post?.native, {
    video: { cover: "https://media.example/c.webp" },
    imagePost: {
      images: [{ imageURL: { urlList: ["https://media.example/p.webp"] }, imageWidth: 720, imageHeight: 960 }],
    },
  });
});

test("posts that Douyin_TikTok_Download_API has shortened have their media elsewhere", () => {
  const post = {
    platform: "tiktok",
    aweme_id: "7411000000000000183",
    statistics: { play_count: 12, digg_count: 2 },
    cover_data: { cover: { url_list: ["https://media.example/c.webp"] }, dynamic_cover: null },
    hashtags: [{ start: 0, hashtag_name: "mud", hashtag_id: "70031" }],
  };
  const [video] = recognised({
    ...post,
    video_data: { wm_video_url: "https://media.example/w.mp4", nwm_video_url: "https://media.example/n.mp4" },
  }).posts;
  assert.deepEqual(video?.hashtags, ["mud"]);
  assert.deepEqual(video?.native, {
    video: {
      cover: "https://media.example/c.webp",
      playAddr: "https://media.example/n.mp4",
      downloadAddr: "https://media.example/w.mp4",
    },
    textExtra: [{ hashtagName: "mud" }],
  });
  const [photo] = recognised({
    ...post,
    image_data: { no_watermark_image_list: ["https://media.example/1.jpg"], watermark_image_list: [] },
  }).posts;
  assert.deepEqual(photo?.native, {
    video: { cover: "https://media.example/c.webp" },
    textExtra: [{ hashtagName: "mud" }],
    imagePost: { images: [{ imageURL: { urlList: ["https://media.example/1.jpg"] } }] },
  });
});

test("a post in a detail response has the response's time as capture time", async () => {
  const { posts, accounts, sounds, hashtags, places } = await inFixture("web/item-detail.json");
  assert.deepEqual(
    posts.map(({ id, capturedAt, publishedAt, language }) => [id, capturedAt, publishedAt, language]),
    [["7411000000000000101", 1725624900000, 1725530400, "en"]],
  );
  assert.deepEqual(
    accounts.map(({ name }) => name),
    ["mara.quillfeather", "tobin_ashgrove"],
  );
  assert.equal(sounds[0]?.title, "Paper Lanterns");
  assert.deepEqual(hashtags[0], {
    name: "kites",
    id: "70001",
    counters: undefined,
    native: { desc: "Everything on a string", coverLarger: "https://media.example/t/kites.jpg", isCommerce: false },
    capturedAt: 1725624900000,
  });
  assert.equal(places[0]?.name, "Sandrose Strand");
});

test("a profile: exact counts before rounded ones, region, and nothing of the viewer", async () => {
  const [account] = (await inFixture("web/user-detail.json")).accounts;
  assert.deepEqual(account?.counters, {
    followers: 88123,
    following: 41,
    likes: 910442,
    posts: 132,
    friends: 6,
    saves: 2044,
  });
  assert.equal(account?.country, "IE");
  assert.equal(account?.createdAt, 1624460216);
  assert.ok(account?.native != null && !("relation" in account.native) && !("recommendReason" in account.native));
});

test("a sound with its artists and the number of its posts", async () => {
  const { sounds, accounts } = await inFixture("web/music-detail.json");
  assert.equal(sounds[0]?.artistId, "6911000000000000209");
  assert.deepEqual(sounds[0]?.counters, { posts: 170700 });
  assert.deepEqual(new Set(accounts.map(({ name }) => name)), new Set(["harrowstreet", "edda.lune"]));
  assert.ok(!JSON.stringify(sounds).includes("never-kept"));
});

test("an object with a text, a time or pictures is no sound's detail: its author posted it", () => {
  const music = { id: "7100000000000000055", title: "Hush", authorName: "Ines", playUrl: "" };
  const author = { id: "6911000000000000204", uniqueId: "wren", nickname: "Wren" };
  for (const sign of ["desc", "createTime", "images"]) {
    assert.deepEqual(
      recognised({ music, author, [sign]: "" }).sounds.map(({ artistId }) => artistId),
      [undefined],
    );
  }
});

test("a hashtag response", async () => {
  const { hashtags } = await inFixture("web/challenge-detail.json");
  assert.deepEqual(hashtags[0]?.counters, { posts: 51234, views: 830112233 });
});

test("search results: posts and people, without the advertisement", async () => {
  const { posts, accounts, skipped } = await inFixture("web/search.json");
  assert.deepEqual(
    posts.map(({ id }) => id),
    ["7411000000000000101"],
  );
  assert.deepEqual(skipped, ["advertisement"]);
  assert.deepEqual(accounts.find(({ name }) => name === "ilka.brandmoor")?.counters, { followers: 3100 });
});

test("comments take their post from the list, and replies their parent", async () => {
  const { comments } = await inFixture("web/comment-list.json");
  assert.deepEqual(
    comments.map(({ id, postId, parentId }) => [id, postId, parentId]),
    [
      ["7411000000000000401", "7411000000000000101", undefined],
      ["7411000000000000402", "7411000000000000101", "7411000000000000401"],
      ["7411000000000000403", "7411000000000000101", undefined],
    ],
  );
});

test("comments without a post take it from the response's URL or from --of; else they are refused", () => {
  const list = {
    comments: [{ cid: "7411000000000000441", text: "hm", create_time: 1725540000, user: { uid: "7" } }],
    status_code: 0,
  };
  const url = "https://www.tiktok.com/api/comment/list/?aweme_id=7411000000000000101&count=20";
  assert.equal(recognised(list, url).comments[0]?.postId, "7411000000000000101");
  for (const subject of ["7411000000000000102", "https://www.tiktok.com/@odalys.venn/video/7411000000000000102"]) {
    assert.equal(recognised(list, null, subject).comments[0]?.postId, "7411000000000000102");
  }
  assert.deepEqual(recognised(list).refused, ["comment_without_post"]);
});

test("comments that a tool flattened keep their author by name", () => {
  const { comments } = recognised([
    {
      cid: "7411000000000000442",
      aweme_id: "7411000000000000101",
      text: "yes",
      digg_count: 3,
      create_time: 1725540000,
      nickname: "O",
      unique_id: "o.v",
    },
  ]);
  assert.equal(comments[0]?.authorId, "name:o.v");
});

test("comments inside a post belong to it", () => {
  const { posts, comments } = recognised({
    id: "7411000000000000109",
    desc: "",
    stats: { diggCount: 1 },
    comments: [{ cid: "43", text: "in place", create_time: 1725540000 }],
  });
  assert.equal(posts.length, 1);
  assert.equal(comments[0]?.postId, "7411000000000000109");
});

test("page state: posts and profiles, but not the viewer", async () => {
  for (const page of ["web/profile-page.html", "web/older-page.html"]) {
    const found = await inFixture(page);
    assert.equal(found.posts.length, 1, page);
    assert.ok(!JSON.stringify(found).includes("whoever"), page);
  }
  const { comments, accounts } = await inFixture("web/older-page.html");
  assert.equal(comments[0]?.authorId, "name:odalys.venn");
  assert.equal(accounts.find(({ counters }) => counters?.likes === 5100)?.bio, "Ropes and boats");
});

test("embed pages and the lists of 2019 and 2020: posts, photo posts, accounts with their latest posts", async () => {
  const { posts, accounts, sounds, hashtags, skipped } = await inFixture("web/embed.html");
  const [post, photo, listed] = posts;
  const nativePost: NativePost = post?.native ?? {};
  const nativePhoto: NativePost = photo?.native ?? {};
  assert.deepEqual([post?.id, post?.text, post?.publishedAt], ["7411000000000000511", "Tide #tides", 1595930400]);
  assert.deepEqual([post?.authorId, post?.durationS], ["6911000000000000224", 15]);
  assert.deepEqual(post?.counters, { views: 1504, likes: 1501, comments: 1503, shares: 1502 });
  assert.deepEqual(nativePost.video, {
    duration: 15,
    cover: "https://media.example/v/511.jpg",
    playAddr: "https://media.example/v/511.mp4",
    width: 576,
    height: 1024,
  });
  assert.deepEqual(
    [accounts[0]?.name, accounts[0]?.displayName, accounts[0]?.private, accounts[0]?.counters],
    ["wilma.fenwick", "Wilma Fenwick", false, { followers: 1505, likes: 1507 }],
  );
  assert.deepEqual([sounds[0]?.id, sounds[0]?.title, hashtags[0]?.id], ["7411000000000000353", "Fen hum", "70015"]);
  assert.deepEqual(nativePhoto.imagePost?.images, [
    { imageURL: { urlList: ["https://media.example/p/512.jpg"] }, imageWidth: 1080, imageHeight: 1920 },
  ]);
  assert.deepEqual([listed?.authorId, listed?.counters], ["6911000000000000225", { views: 1704 }]);
  assert.deepEqual(accounts.at(-2)?.counters, { followers: 1_700_000, following: 17, likes: 17_000_000 });
  assert.deepEqual(skipped, ["an error response: post not found (10204)"]);
});

test("error responses are skipped, not refused", async () => {
  const found = await inFixture("web/missing.ndjson");
  assert.equal(found.skipped.length, 3);
  assert.deepEqual([found.refused, found.posts, found.accounts, found.comments], [[], [], [], []]);
});

test("an empty page of a list is skipped, but what is beside the list is read", () => {
  const response = { status_code: 0, has_more: 0, cursor: 0, extra: { now: 1725624900000 } };
  const web = { statusCode: 0, hasMore: false, log_pb: { impr_id: "2024" } };
  for (const page of [
    web,
    { ...web, itemList: [] },
    { ...response, comments: [], total: 0 },
    { ...response, data: [], ad_info: {}, global_doodle_config: { keyword: "kites" } },
    { ...response, aweme_list: null },
    { success: true, data: { aweme_list: {}, has_more: 0 }, credits_used: 1 },
    { success: true, data: { comments: {}, has_more: 0, status_code: 0 }, credits_used: 1 },
  ]) {
    const { found, skipped } = recognised(page);
    assert.deepEqual([found, skipped], [true, ["an empty response"]], JSON.stringify(page));
  }
  const music = { id_str: "7411000000000000381", title: "Hush", author: "Wren", play_url: {} };
  const { sounds, skipped } = recognised({ ...response, aweme_list: [], music_info: music });
  assert.deepEqual([sounds.length, skipped], [1, []]);
});

test("a post with only id, text and counts is a post; unknown counts are absent", () => {
  const { posts } = recognised([
    {
      id: "7411000000000000142",
      desc: "x #y",
      createTime: 0,
      stats: { diggCount: "17.0", playCount: -1, shareCount: "many" },
    },
  ]);
  assert.deepEqual(
    posts.map(({ id, publishedAt, hashtags, counters }) => ({ id, publishedAt, hashtags, counters })),
    [{ id: "7411000000000000142", publishedAt: undefined, hashtags: ["y"], counters: { likes: 17 } }],
  );
});

test("objects of other platforms are ignored", () => {
  const others: unknown[] = [
    { kind: "youtube#video", id: "abc", snippet: { title: "t" }, statistics: { viewCount: "1", likeCount: "2" } },
    { pk: "1", id: "1_2", code: "C", media_type: 1, user: { pk: "2", username: "u", id: "2" }, like_count: 3 },
    { shortcode: "C", owner: { id: "2" }, edge_media_to_comment: { count: 1 }, comments: null },
    { id: "x", title: "t", extractor_key: "Youtube", comments: [{ id: "c", text: "t", author: "a" }], stats: {} },
    { data: { user: { id: "1", username: "u", edge_followed_by: { count: 2 } } }, status: "ok" },
    { user: { id: "1", name: "n" }, stats: { followers: 2 } },
    { statusCode: 404, message: "Not Found" },
    { users: [{ pk: "1", username: "u" }], stats: {} },
    { status_code: 0, data: [], has_more: false },
    { status: "ok", comments: [], has_more: false },
    { status_code: 0, extra: { now: 1725624900000 }, has_more: 0, data: [{ title: "t" }] },
  ];
  for (const object of others) assert.equal(recognised(object).found, false, JSON.stringify(object));
});

test("a document nested too deeply does not crash the process", () => {
  let nested: unknown = { id: "1", desc: "", stats: { diggCount: 1 } };
  for (let depth = 0; depth < 5000; depth++) nested = [nested];
  assert.equal(recognised(nested).found, false);
});

test("responses within responses are searched in time, however many there are", { timeout: 10_000 }, () => {
  let reads = 0;
  const innermost = {
    get part() {
      reads++;
      return "t";
    },
  };
  let nested: unknown = innermost;
  for (let depth = 0; depth < 100; depth++) nested = { status_code: 0, extra: { now: 1725624900000 }, nested };
  assert.equal(recognised(nested).found, false);
  // Not twice as often with each level: a few levels look for marks of their platform below them.
  assert.ok(reads < 20, `read ${reads} times`);
});

test("a page of comments knows the number of all of them, a page of replies does not", () => {
  const comment = {
    cid: "7411000000000000401",
    aweme_id: "7411000000000000101",
    text: "Kite!",
    create_time: 1725540000,
  };
  const counts = (reply_id: string) => recognised({ comments: [{ ...comment, reply_id }], total: 4985 }).posts;
  assert.deepEqual(counts("0"), [{ id: "7411000000000000101", counters: { comments: 4985 } }]);
  assert.deepEqual(counts("7411000000000000400"), []);
});

test("sounds, hashtags and profiles of the mobile API", () => {
  const music = {
    id_str: "7411000000000000381",
    title: "Sea hum",
    author: "Orla Tidewell",
    duration: 33,
    is_original: false,
    is_original_sound: true,
    play_url: { url_list: ["https://media.example/s.mp3"] },
    owner_id: "6911000000000000221",
    owner_handle: "orla.tidewell",
  };
  const [sound] = recognised({ status_code: 0, music_info: { ...music, user_count: 3006 } }).sounds;
  assert.deepEqual([sound?.id, sound?.durationS, sound?.counters], [music.id_str, 33, { posts: 3006 }]);
  assert.deepEqual([sound?.artistName, sound?.artistId], ["Orla Tidewell", "6911000000000000221"]);
  const [uncounted] = recognised([{ ...music, owner_id: null, user_count: 0 }]).sounds;
  assert.deepEqual([uncounted?.counters, uncounted?.artistId], [undefined, undefined]);
  const post = { aweme_id: "7411000000000000181", statistics: { play_count: 5, digg_count: 1 }, music };
  const ofPost = recognised(post);
  assert.deepEqual([ofPost.sounds[0]?.artistId, ofPost.sounds[0]?.native], [music.owner_id, sound?.native]);
  assert.equal(ofPost.accounts[0]?.name, "orla.tidewell");
  const author = { uid: music.owner_id, unique_id: "orla.tidewell", nickname: "Orla" };
  const ofOwner = recognised({ ...post, author, music: { ...music, owner_nickname: "Orla of old" } });
  assert.equal(ofOwner.accounts.at(-1)?.displayName, "Orla");

  const challenge = { cid: "70037", cha_name: "saltmarsh", desc: "Marsh", user_count: 3706, view_count: 3707 };
  const [hashtag] = recognised({ status_code: 0, ch_info: challenge }).hashtags;
  assert.deepEqual(
    [hashtag?.name, hashtag?.id, hashtag?.counters],
    ["saltmarsh", "70037", { posts: 3706, views: 3707 }],
  );

  const user = { uid: "6911000000000000227", unique_id: "nell.brackish", sec_uid: "MS4", secret: 1 };
  const [account] = recognised({
    user: { ...user, bio_url: "https://brackish.example/", favoriting_count: 3509 },
  }).accounts;
  assert.deepEqual([account?.private, account?.counters], [true, { saves: 3509 }]);
  assert.deepEqual(account?.native, { secUid: "MS4", secret: true, bioLink: { link: "https://brackish.example/" } });
});

test("a user of the mobile API is verified where it says why", () => {
  const user = { uid: "6911000000000000204", unique_id: "wren", sec_uid: "MS4", follower_count: 3 };
  const verified = (custom_verify: string) =>
    recognised({ user_info: { ...user, custom_verify } }).accounts[0]?.verified;
  assert.deepEqual([verified("Verified account"), verified("")], [true, undefined]);
});

test("a user of the mobile API has 0 where a list did not count", () => {
  const user = { uid: "6911000000000000204", unique_id: "wren", sec_uid: "MS4", total_favorited: 0 };
  const listed = { ...user, follower_count: 321, following_count: 0, aweme_count: 0 };
  assert.deepEqual(recognised({ followers: [listed], total: 1 }).accounts[0]?.counters, { followers: 321 });
});

test("a profile of the mobile API has counted what is 0, and has its settings", () => {
  const user = { uid: "6911000000000000204", unique_id: "wren", sec_uid: "MS4", signature: "" };
  const counts = { follower_count: 50, following_count: 0, total_favorited: 0, aweme_count: 0 };
  const live = { short_id: "1234505", room_id: "7400000000000000905" };
  const settings = { comment_setting: 1, duet_setting: 0, stitch_setting: 2, download_setting: 3 };
  const response = {
    status_code: 0,
    user: { ...user, ...counts, ...live, ...settings },
    extra: { now: 1725624000123 },
  };
  const [account] = recognised(response).accounts;
  assert.deepEqual(account?.counters, { followers: 50, following: 0, likes: 0, posts: 0 });
  assert.deepEqual([account.bio, account.capturedAt], ["", 1725624000123]);
  assert.deepEqual(account.native, {
    secUid: "MS4",
    shortId: "1234505",
    roomId: "7400000000000000905",
    commentSetting: 1,
    duetSetting: 0,
    stitchSetting: 2,
    downloadSetting: 3,
  });
  const [away] = recognised({ status_code: 0, user: { ...user, ...counts, short_id: "0", room_id: 0 } }).accounts;
  assert.deepEqual(away?.native, { secUid: "MS4" });
});

test("lists of followers and followed accounts belong to the account of --of", () => {
  const user = { uid: "6911000000000000204", unique_id: "tobin", sec_uid: "MS4" };
  const [owner, member] = [{ name: "wren" }, { id: user.uid }];
  const { follows, accounts } = recognised({ data: { followers: [user] } }, null, "wren");
  assert.deepEqual([follows, accounts.length], [[{ account: owner, follower: member }], 1]);
  assert.deepEqual(
    recognised({ followings: [user], extra: { now: 1725624000123 }, status_code: 0 }, null, "wren").follows,
    [{ account: member, follower: owner }],
  );
  assert.deepEqual(recognised({ followers: [user] }).refused, ["followers_without_owner"]);

  const list = {
    userList: [{ user: { id: user.uid, uniqueId: "tobin", secUid: "MS4" }, stats: { followerCount: 12 } }],
  };
  const scene = (number: number) => `https://www.tiktok.com/api/user/list/?scene=${number}&secUid=MS5`;
  assert.deepEqual(recognised(list, scene(67), "wren").follows, [{ account: owner, follower: member }]);
  assert.deepEqual(recognised(list, scene(21), "wren").follows, [{ account: member, follower: owner }]);
  assert.deepEqual(recognised(list, null, "wren", "wren-followers.json").follows, [
    { account: owner, follower: member },
  ]);
  assert.deepEqual(recognised(list, null, "wren").refused, ["followers_or_following"]);
  assert.deepEqual(recognised(list, scene(67)).refused, ["followers_without_owner"]);
  for (const suggested of [recognised(list), recognised(list, scene(99), "wren")]) {
    assert.deepEqual([suggested.follows, suggested.refused, suggested.accounts.length], [[], [], 1]);
  }
});

test("lists in a recording are of the account in their URL; --of names one that no response has shown", () => {
  const user = (number: number) => ({
    id: `691100000000000030${number}`,
    uniqueId: `u${number}`,
    secUid: `S${number}`,
  });
  const record = (subject: string | null, ...responses: [url: string, body: object][]) => {
    const file = { name: "a.har", segments: ["a.har"], subject };
    const { collect, recording } = recordingCollector();
    for (const [url, body] of responses) recogniseAll(body, { url: `https://www.tiktok.com/${url}`, file }, collect);
    return { follows: recording.follows.map(({ account }) => account), refused: recording.refused };
  };
  const profile = (number: number): [string, object] => [
    "api/user/detail/",
    { userInfo: { user: user(number), stats: { followerCount: 1 } } },
  ];
  const web = (owner: number): [string, object] => [
    `api/user/list/?scene=67&secUid=S${owner}`,
    { userList: [{ user: user(9) }] },
  ];
  const mobile = (query: string): [string, object] => [
    `aweme/v1/user/follower/list/?${query}`,
    { followers: [{ uid: user(9).id, unique_id: "u9", sec_uid: "S9" }] },
  ];
  const [of1, of2] = [{ id: user(1).id }, { id: user(2).id }];
  const another = "followers_without_owner: of another account than --of names";
  assert.deepEqual(record("u1", profile(1), web(1), profile(2), web(2)), { follows: [of1, of2], refused: [] });
  assert.deepEqual(record("u1", web(1), web(2), web(1)), {
    follows: [{ name: "u1" }, { name: "u1" }],
    refused: [another],
  });
  assert.deepEqual(record("u1", profile(1), web(2)), { follows: [], refused: [another] });
  assert.deepEqual(record(null, web(1)), { follows: [], refused: ["followers_without_owner"] });
  assert.deepEqual(record("u1", profile(2), mobile("sec_user_id=S2"), mobile("sec_user_id=S1")), {
    follows: [of2, { name: "u1" }],
    refused: [],
  });
  assert.deepEqual(record(null, mobile(`user_id=${of1.id}&sec_user_id=S1`)), { follows: [of1], refused: [] });
});
