import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkAgainstSpec, SPEC_TABLES } from "../spec-tables.ts";
import { differences, shapeOf } from "./check.ts";
import type { Fields } from "./notation.ts";
import { sampleBody } from "./sample-body.ts";

function check(fields: Fields, body: unknown): string[] {
  return differences(shapeOf(fields), body, "en");
}

const comment = () => ({
  cid: "7301",
  text: "the second take is better",
  create_time: 1_790_000_000,
  digg_count: 12,
  reply_comment_total: 0,
  user: {
    uid: "6811",
    unique_id: "tobin.marsh",
    nickname: "Tobin Marsh",
    avatar_thumb: { uri: "tobin", url_list: ["https://media.example/tobin.jpg", ""] },
  },
});

const comments = () => ({
  alias_comment_deleted: false,
  comments: [comment(), comment()],
  cursor: 2,
  has_more: 0,
  total: 2,
  status_code: 0,
  status_msg: "",
});

const listedVideo = () => ({
  video_id: "kelp-01",
  title: "Kelp forests at night",
  author: "Anouk Vale",
  number_of_views: 88_000,
  video_length: "1:02:09",
  description: "",
  is_live_content: null,
  published_time: "Streamed 4 weeks ago",
  channel_id: "anouk",
  category: null,
  type: "NORMAL",
  keywords: [],
  thumbnails: [{ url: "https://media.example/kelp.jpg", width: 320, height: 180 }],
});

const trending = (video: object = {}) => ({
  number_of_videos: "1",
  country: "NZ",
  lang: "en",
  timezone: "UTC",
  videos: [{ ...listedVideo(), ...video }],
});

const musicPosts = (item: object) => ({
  statusCode: 0,
  itemList: [item],
  hasMore: false,
  cursor: 0,
});

const searchGeneral = (item: object, result: object = {}) => ({
  ad_info: {},
  backtrace: "",
  cursor: 12,
  data: [
    {
      common: { doc_id_str: "7100" },
      item: {
        author: {
          uniqueId: "tobin.marsh",
          nickname: "Tobin Marsh",
          avatarLarger: "",
          verified: false,
        },
        desc: "low tide",
        stats: { diggCount: 4, shareCount: 0, commentCount: 1, playCount: 90 },
        ...item,
      },
      type: 1,
      ...result,
    },
  ],
  extra: { logid: "a", now: 1_790_000_000_000, search_request_id: "b" },
  global_doodle_config: { feedback_survey: null },
  has_more: 1,
  log_pb: { impr_id: "c" },
  qc: "",
  status_code: 0,
});

describe("the checker", () => {
  test("finds nothing in a body that keeps the contract", () => {
    assert.deepEqual(checkAgainstSpec("shortvideo/post/comments", comments()), []);
    assert.deepEqual(checkAgainstSpec("longvideo/trending", trending()), []);
    assert.deepEqual(checkAgainstSpec("shortvideo/search/general", searchGeneral({})), []);
    assert.deepEqual(checkAgainstSpec("photoshare/get-bio-links", []), []);
  });

  test("refuses a name that is no operation", () => {
    assert.deepEqual(checkAgainstSpec("shortvideo/music", {}), ["shortvideo/music is not an operation of SPEC.md"]);
  });

  test("finds a missing field, with its place", () => {
    const { digg_count: _gone, ...rest } = comment();
    const body = { ...comments(), comments: [comment(), rest] };
    assert.deepEqual(checkAgainstSpec("shortvideo/post/comments", body), ["comments[1].digg_count is missing"]);
    assert.deepEqual(check({ a: "nullable" }, { a: undefined }), ["a is missing"]);
  });

  test("finds a field that the contract does not name", () => {
    const body = { ...comments(), comments: [{ ...comment(), aweme_id: "1" }] };
    assert.deepEqual(checkAgainstSpec("shortvideo/post/comments", body), [
      "comments[0].aweme_id is a field that SPEC.md does not name",
    ]);
    assert.deepEqual(checkAgainstSpec("longvideo/trending", { ...trending(), continuation_token: "" }), [
      "continuation_token is a field that SPEC.md does not name",
    ]);
    assert.deepEqual(check({ a: "string" }, JSON.parse('{"a":"","__proto__":1}')), [
      "__proto__ is a field that SPEC.md does not name",
    ]);
  });

  test("finds the wrong type, with the value", () => {
    assert.deepEqual(checkAgainstSpec("shortvideo/post/comments", { ...comments(), total: "2" }), [
      'total should be integer, not "2"',
    ]);
    assert.deepEqual(checkAgainstSpec("photoshare/get-bio-links", {}), ["the answer should be array, not {}"]);
    assert.deepEqual(check({ "a.b": "string" }, { a: [] }), ["a should be object, not []"]);
    assert.deepEqual(check({ "a[]": "string" }, { a: null }), ["a should be array, not null"]);
  });

  test("finds null where the contract does not allow it", () => {
    const body = { ...comments(), comments: [{ ...comment(), user: null }] };
    assert.deepEqual(checkAgainstSpec("shortvideo/post/comments", body), [
      "comments[0].user should be object, not null",
    ]);
    assert.deepEqual(check({ a: "string", b: "nullable string" }, { a: null, b: null }), [
      "a should be string, not null",
    ]);
    assert.deepEqual(check({ b: "nullable string" }, { b: 5 }), ["b should be nullable string, not 5"]);
  });

  test("reports every difference, not the first", () => {
    assert.equal(checkAgainstSpec("shortvideo/post/comments", { status_code: 1 }).length, 7);
  });

  test("lets post items carry fields of the platform, and still checks those it knows", () => {
    const item = { id: "7100", video: { ratio: "720p" }, challenges: [{ title: "tide" }] };
    assert.deepEqual(checkAgainstSpec("shortvideo/music/posts", musicPosts(item)), []);
    assert.deepEqual(checkAgainstSpec("shortvideo/music/posts", musicPosts({ ...item, id: 7100 })), [
      "itemList[0].id should be string, not 7100",
    ]);
    const stats = {
      diggCount: 4,
      shareCount: 0,
      commentCount: 1,
      playCount: "90",
      collectCount: 2,
    };
    assert.deepEqual(checkAgainstSpec("shortvideo/search/general", searchGeneral({ stats, id: "7100" })), [
      'data[0].item.stats.playCount should be integer, not "90"',
    ]);
    assert.deepEqual(checkAgainstSpec("shortvideo/search/general", searchGeneral({}, { doc: "7100" })), [
      "data[0].doc is a field that SPEC.md does not name",
    ]);
  });

  test("takes an account with and without its region, but not with a wrong one", () => {
    const { response } = SPEC_TABLES["shortvideo/user/info-with-region"] ?? { response: {} };
    const body = sampleBody(shapeOf(response)) as { userInfo: { user: Record<string, unknown> } };
    const problems = () => checkAgainstSpec("shortvideo/user/info-with-region", body);
    assert.deepEqual(problems(), []);
    body.userInfo.user["region"] = 64;
    assert.deepEqual(problems(), ["userInfo.user.region should be string, not 64"]);
    delete body.userInfo.user["region"];
    assert.deepEqual(problems(), []);
  });

  test("knows the two forms of a video record", () => {
    const details = {
      video_length: "3729",
      is_live_content: "false",
      published_time: "2026-02-28",
      category: "",
    };
    const video = { ...listedVideo(), ...details, keywords: ["kelp"] };
    assert.deepEqual(checkAgainstSpec("longvideo/video/details", video), []);
    assert.equal(checkAgainstSpec("longvideo/video/details", listedVideo()).length, 4);
    assert.equal(checkAgainstSpec("longvideo/trending", trending(video)).length, 5);
  });

  test("judges texts by the language they were asked in", () => {
    const body = { ...trending({ published_time: "vor 3 Tagen" }), lang: "de" };
    assert.deepEqual(checkAgainstSpec("longvideo/trending", body, "de"), []);
    assert.equal(checkAgainstSpec("longvideo/trending", body).length, 1);
    const dated = { ...trending({ published_time: "2026-02-28" }), lang: "de" };
    assert.equal(checkAgainstSpec("longvideo/trending", dated, "de").length, 1);
  });

  test("cannot describe a place in two ways", () => {
    assert.throws(() => shapeOf({ a: "string", "a.b": "string" }), /a\.b is described as an object/);
    assert.throws(() => shapeOf({ "a.b": "string", "a[].b": "string" }), /described as a list/);
    assert.throws(() => shapeOf({ "a.b": "string", a: "object" }), /a is described twice/);
    assert.throws(() => shapeOf({ a: "string", "a?": "string" }), /optional and as required/);
    assert.throws(() => shapeOf({}), /names no field/);
  });
});
