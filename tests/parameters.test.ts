/** The forms in which a parameter may come, and what stands for one that does not come. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { DAY_S } from "#domain/time.ts";
import { startTestServer, type TestServer } from "./test-server.ts";
import { assertParameterProblem, assertProblem } from "./problem.ts";
import { requestOperation, sendRequest, OPERATIONS } from "./http-client.ts";
import { anAccount, aPost, CHANNEL, CHART_DAY, GOOD_REQUESTS, LONG_VIDEO, TALKED_ABOUT, WORLD } from "./world.ts";

interface Videos {
  country: string;
  lang: string;
  timezone: string;
  number_of_videos: string;
  videos: { video_id: string; published_time: string }[];
}

/** A name with combining marks. */
const THAI = anAccount("6800000000000000003", "แม่น้ำ", { displayName: "River" });

/** Windows end now, so these videos are as old as their names say whenever the test runs. */
const AGES_S = {
  // Scheduled.
  kiteSoon0001: -DAY_S,
  kiteMinutes1: 600,
  kiteDays0001: 3 * DAY_S,
  kiteWeeks001: 20 * DAY_S,
  kiteMonths01: 200 * DAY_S,
  kiteYears001: 800 * DAY_S,
};

describe("parameters", () => {
  let server: TestServer;
  before(async () => {
    const now = Math.floor(Date.now() / 1000);
    const kites = Object.entries(AGES_S).map(([id, age]) =>
      aPost(id, {
        title: "Kite festival",
        authorId: CHANNEL.id,
        publishedAt: now - age,
        country: "PT",
        category: "Music",
      }),
    );
    const subtitles = ["iw", "eng-US"].map((language) => ({
      postId: "kiteDays0001",
      language,
      automatic: false,
      lines: [{ startS: 0, durationS: 1, text: `Kites (${language})` }],
      capturedAt: now * 1000,
      source: "test",
    }));
    const more = [
      { platform: "longvideo", batch: { posts: kites, subtitles } },
      { platform: "shortvideo", batch: { accounts: [THAI] } },
    ];
    server = await startTestServer([...WORLD, ...more], { RATE_LIMIT: "off" });
  });
  after(() => server.close());

  async function answered<Body = Record<string, unknown>>(
    operation: string,
    parameters: Record<string, string>,
  ): Promise<Body> {
    const response = await requestOperation(server.url, operation, parameters);
    assert.equal(response.status, 200, `${operation} ${JSON.stringify(parameters)}: ${response.text.slice(0, 300)}`);
    return JSON.parse(response.text) as Body;
  }

  async function postsWith(hashtag: string): Promise<number> {
    return (await answered<{ posts: { count: number } }>("photoshare/search-hashtag", { hashtag })).posts.count;
  }

  async function kitesWithin(window: Record<string, string>): Promise<string[]> {
    const { videos } = await answered<Videos>("longvideo/search", { query: "kite festival", ...window });
    return videos.map(({ video_id }) => video_id).toSorted();
  }

  function newKites(more: Record<string, string>): Promise<Videos> {
    return answered<Videos>("longvideo/search", { query: "kite", order_by: "last_hour", ...more });
  }

  function subtitlesIn(lang: Record<string, string>): Promise<object & { lang: string }> {
    return answered("longvideo/video/subtitles", { video_id: LONG_VIDEO, ...lang });
  }

  test("uniqueId is taken with or without @, in any case", async () => {
    for (const uniqueId of ["ines.varga", "@ines.varga", "INES.Varga", "@Ines.Varga"]) {
      const body = await answered<{ userInfo: { user: { uniqueId: string; region: string } } }>(
        "shortvideo/user/info-with-region",
        { uniqueId },
      );
      assert.equal(body.userInfo.user.uniqueId, "ines.varga", uniqueId);
      assert.equal(body.userInfo.user.region, "HU");
    }
  });

  test("uniqueId is any name that an import stores", async () => {
    for (const uniqueId of [THAI.name ?? "", `@${THAI.name}`]) {
      const body = await answered<{ userInfo: { user: { id: string } } }>("shortvideo/user/info-with-region", {
        uniqueId,
      });
      assert.equal(body.userInfo.user.id, THAI.id);
    }
    for (const uniqueId of ["nobody-known", "n".repeat(64)])
      assert.equal((await requestOperation(server.url, "shortvideo/user/info-with-region", { uniqueId })).status, 404);
  });

  test("username_or_url is taken as a name or as a profile's address in all its forms", async () => {
    const forms = [
      "amara.petrovic",
      "@amara.petrovic",
      "Amara.Petrovic",
      " amara.petrovic ",
      "instagram.com/amara.petrovic",
      "www.instagram.com/amara.petrovic/",
      "http://instagram.com/amara.petrovic",
      "https://www.instagram.com/amara.petrovic/",
      "https://www.instagram.com/amara.petrovic/?hl=en&utm_source=x",
      "https://instagram.com/amara.petrovic#top",
      "//www.instagram.com/amara.petrovic",
      "HTTPS://WWW.INSTAGRAM.COM/Amara.Petrovic/",
      "https://www.instagram.com/@amara.petrovic",
    ];
    for (const form of forms) {
      const body = await answered<{ user_data: { username: string } }>("photoshare/get-profile", {
        username_or_url: form,
      });
      assert.equal(body.user_data.username, "amara.petrovic", form);
    }
  });

  test("url of download/video is taken in all forms of a video's address and read for its id alone", async () => {
    const id = TALKED_ABOUT;
    const forms = [
      `https://www.tiktok.com/@ines.varga/video/${id}`,
      `https://www.tiktok.com/@ines.varga/video/${id}?is_from_webapp=1&sender_device=pc`,
      `http://tiktok.com/@ines.varga/video/${id}/`,
      `www.tiktok.com/@ines.varga/video/${id}`,
      `tiktok.com/@someone.else/video/${id}`,
      `https://m.tiktok.com/v/${id}.html`,
      `https://m.tiktok.com/v/${id}`,
      `https://www.tiktok.com/@ines.varga/photo/${id}`,
      `https://www.tiktok.com/embed/${id}`,
      `https://www.tiktok.com/embed/v2/${id}`,
      `https://www.tiktok.com/player/v1/${id}`,
      `https://www.tiktok.com/share/video/${id}`,
      `https://www.tiktok.com/@/video/${id}#comments`,
      `HTTPS://WWW.TIKTOK.COM/@ines.varga/video/${id}`,
      `https://www.tiktok.com/%40ines.varga/video/${id}`,
      `https://www.tiktokv.com/share/video/${id}/`,
    ];
    for (const url of forms) {
      assert.deepEqual(
        await answered("shortvideo/download/video", { url }),
        { play: "https://media.example/play.mp4", play_watermark: "https://media.example/marked.mp4" },
        url,
      );
    }
  });

  test("a hashtag is found in any case and script, with and without marks and #", async () => {
    for (const hashtag of ["paprika", "#paprika", "PAPRIKA", "Páprika", "＃paprika", "#Pa\u0301prika", " paprika "])
      assert.equal(await postsWith(hashtag), 58, hashtag);
    assert.equal(await postsWith("東京散歩"), 7);
    assert.equal(await postsWith("#شاي"), 7);
  });

  test("order_by and section are taken in any case", async () => {
    for (const value of ["this_year", "THIS_YEAR", "This_Year"])
      assert.equal(
        (await answered<Videos>("longvideo/search", { query: "kite", order_by: value })).number_of_videos,
        "4",
        value,
      );
    for (const section of ["Now", "now", "NOW"])
      assert.deepEqual(
        (await answered<Videos>("longvideo/trending", { section })).videos.map(({ video_id }) => video_id),
        CHART_DAY,
        section,
      );
    for (const sort of ["top", "TOP", "Newest"])
      await answered("longvideo/video/comments", { video_id: LONG_VIDEO, sort });
  });

  test("order_by narrows a search to what was published within its window", async () => {
    assert.deepEqual(await kitesWithin({ order_by: "last_hour" }), ["kiteMinutes1"]);
    assert.deepEqual(await kitesWithin({ order_by: "this_week" }), ["kiteDays0001", "kiteMinutes1"]);
    assert.deepEqual(await kitesWithin({ order_by: "this_month" }), ["kiteDays0001", "kiteMinutes1", "kiteWeeks001"]);
    assert.deepEqual(await kitesWithin({ order_by: "this_year" }), [
      "kiteDays0001",
      "kiteMinutes1",
      "kiteMonths01",
      "kiteWeeks001",
    ]);
    assert.equal((await kitesWithin({})).length, 6);
    assert.ok((await kitesWithin({ order_by: "today" })).every((id) => id === "kiteMinutes1"));
  });

  test("lang is any language code and shapes the texts; country is answered in upper case", async () => {
    for (const [lang, canonical] of [
      ["en", "en"],
      ["PT-br", "pt-BR"],
      ["zh-hant-tw", "zh-Hant-TW"],
      ["iw", "he"],
    ] as const)
      assert.equal((await newKites({ lang })).lang, canonical, lang);
    assert.match((await newKites({ lang: "de" })).videos[0]?.published_time ?? "", /^vor /);
    for (const country of ["pt", "Pt", "PT"]) {
      assert.equal((await newKites({ country })).country, "PT");
      assert.equal((await answered<Videos>("longvideo/trending", { country })).country, "PT");
    }
  });

  test("without lang and country, the defaults stand: en, US, UTC", async () => {
    for (const [operation, parameters] of [
      ["longvideo/search", { query: "kite" }],
      ["longvideo/trending", {}],
      ["longvideo/search", { query: "kite", lang: "", country: "", order_by: "" }],
    ] as const) {
      const { lang, country, timezone } = await answered<Videos>(operation, parameters);
      assert.deepEqual({ lang, country, timezone }, { lang: "en", country: "US", timezone: "UTC" });
    }
  });

  test("a chart's newest day comes in its own order; where there is none, what rises is computed", async () => {
    assert.deepEqual(
      (await answered<Videos>("longvideo/trending", { country: "us" })).videos.map(({ video_id }) => video_id),
      CHART_DAY,
    );
    const computed = await answered<Videos>("longvideo/trending", { country: "PT", section: "music" });
    assert.equal(computed.number_of_videos, String(computed.videos.length));
  });

  test("subtitles come in the language asked for, else in the video's own or the service's", async () => {
    assert.equal((await subtitlesIn({})).lang, "en");
    assert.equal((await subtitlesIn({ lang: "ja" })).lang, "ja");
    assert.equal((await subtitlesIn({ lang: "EN-gb" })).lang, "en");
    assert.deepEqual(await subtitlesIn({ lang: "fr" }), { lang: "fr", is_available: false, subtitles: [] });
  });

  test("subtitles are found by every code of their language, in both operations", async () => {
    for (const [lang, language] of [
      ["he", "iw"],
      ["iw", "iw"],
      ["en", "eng-US"],
      ["en-US", "eng-US"],
    ] as const) {
      const one = await answered<{ lang: string; subtitles: { text: string }[] }>("longvideo/video/subtitles", {
        video_id: "kiteDays0001",
        lang,
      });
      assert.deepEqual([one.lang, one.subtitles[0]?.text], [language, `Kites (${language})`], lang);
      const other = await answered<{ language: string; lines: { text: string }[] }>("subtitles", {
        platform: "longvideo",
        id: "kiteDays0001",
        lang,
      });
      assert.deepEqual([other.language, other.lines[0]?.text], [language, `Kites (${language})`], lang);
    }
  });

  test("photoshare/search looks for accounts after @, for hashtags after #, else for all, ranked across the lists", async () => {
    interface Found {
      users: { position: number; user: { username: string } }[];
      hashtags: { position: number; hashtag: { name: string } }[];
      places: { position: number; place: { location: Record<string, unknown>; title: string; subtitle: string } }[];
    }
    const search = (search_query: string) => answered<Found>("photoshare/search", { search_query });
    const people = await search("@amara");
    assert.deepEqual(
      [people.users.map(({ user }) => user.username), people.hashtags, people.places],
      [["amara.petrovic"], [], []],
    );
    const tags = await search("#paprika");
    assert.deepEqual(
      [tags.users, tags.hashtags.map(({ hashtag }) => hashtag.name.toLowerCase()), tags.places],
      [[], ["paprika"], []],
    );
    const all = await search("paprika");
    assert.deepEqual(Object.keys(all.places[0]?.place ?? {}), ["location", "title", "subtitle"]);
    assert.deepEqual(all.places[0]?.place.location, {
      pk: "880001",
      name: "Paprika Square",
      lat: 47.5,
      lng: 19,
      address: "Paprika Square 1",
      city: "Budapest",
    });
    const positions = [...all.users, ...all.hashtags, ...all.places]
      .map(({ position }) => position)
      .toSorted((a, b) => a - b);
    assert.deepEqual(
      positions,
      positions.map((_, index) => index),
    );
  });

  test("the rankings take country, period, page and limit, and answer in their envelope", async () => {
    for (const [name, list] of [
      ["hashtag", "list"],
      ["songs", "sound_list"],
      ["videos", "videos"],
    ] as const) {
      const operation = `shortvideo/trending/${name}`;
      const response = await requestOperation(server.url, operation, {
        period: "120",
        page: "2",
        limit: "3",
        country: "hu",
      });
      const body = JSON.parse(response.text) as {
        code: number;
        msg: string;
        request_id: string;
        data: Record<string, Record<string, unknown>>;
      };
      assert.deepEqual([body.code, body.msg, body.request_id], [0, "OK", response.header("x-request-id")], operation);
      assert.ok(Array.isArray(body.data[list]), operation);
      const { page, size, limit, has_more } = body.data["pagination"] ?? {};
      assert.deepEqual([page, size ?? limit, has_more], [2, 3, false], operation);
      for (const period of ["7", "30", "120"]) await answered(operation, { period });
      for (const period of ["1", "31", "365"])
        assertParameterProblem(await requestOperation(server.url, operation, { period }), "invalid_parameter", {
          in: "query",
          parameter: "period",
        });
    }
  });

  test("every GET may carry Content-Type: application/json and no body", async () => {
    for (const { name, endpoint } of OPERATIONS.filter((operation) => operation.endpoint.method === "GET")) {
      const response = await requestOperation(server.url, name, GOOD_REQUESTS[name] ?? {}, {
        "content-type": "application/json",
      });
      assert.equal(response.status, 200, `${endpoint.method} ${name}`);
    }
  });

  test("unknown parameters are ignored, also when repeated or empty", async () => {
    for (const { name } of OPERATIONS) {
      const pairs = [
        ...Object.entries(GOOD_REQUESTS[name] ?? {}),
        ["region", "x"],
        ["region", "y"],
        ["", ""],
        ["page_size", ""],
      ] as const;
      assert.equal((await requestOperation(server.url, name, pairs)).status, 200, name);
    }
  });

  test("a required parameter of nothing but spaces is missing", async () => {
    for (const { name, endpoint } of OPERATIONS) {
      const good = GOOD_REQUESTS[name] ?? {};
      for (const parameter of Object.keys(good)) {
        const where = { in: endpoint.method === "GET" ? "query" : "body", parameter } as const;
        for (const blank of ["", " ", "\u3000\n"])
          assertParameterProblem(
            await requestOperation(server.url, name, { ...good, [parameter]: blank }),
            "missing_parameter",
            where,
          );
      }
    }
  });

  test("names of parameters are exact: another case is another, unknown parameter", async () => {
    assertParameterProblem(
      await requestOperation(server.url, "shortvideo/music/posts", { musicid: "1" }),
      "missing_parameter",
      {
        in: "query",
        parameter: "musicId",
      },
    );
  });

  test("numbers of a JSON body are taken as their digits", async () => {
    const response = await sendRequest(server.url, {
      method: "POST",
      path: "/api/photoshare/get-posts",
      headers: { "content-type": "application/json" },
      body: '{"username_or_url":"amara.petrovic","amount":5,"pagination_token":null}',
    });
    assert.equal((JSON.parse(response.text) as { posts: unknown[] }).posts.length, 5);
  });

  test("a number of a JSON body that loses digits is refused, and its text is taken", async () => {
    const send = (name: string) =>
      sendRequest(server.url, {
        method: "POST",
        path: "/api/photoshare/get-posts",
        headers: { "content-type": "application/json" },
        body: `{"username_or_url":${name}}`,
      });
    const wrong = { in: "body", parameter: "username_or_url" } as const;
    for (const name of ["7709056739932632909", "-9007199254740992", "1e300"]) {
      const { errors } = assertParameterProblem(await send(name), "invalid_parameter", wrong, name);
      assert.equal(errors[0]?.reason, "must be sent as a string: a number this large loses digits");
    }
    for (const name of ['"7709056739932632909"', "9007199254740991"])
      assertProblem(await send(name), "account_not_found", name);
  });

  test("defaults of size: 30 posts of a sound, 50 comments, 30 tagged posts, 12 posts, 12 followers", async () => {
    const sizes: [string, string, number][] = [
      ["shortvideo/music/posts", "itemList", 30],
      ["shortvideo/post/comments", "comments", 40],
      ["photoshare/get-user-tagged-posts", "tagged_posts", 30],
      ["photoshare/get-posts", "posts", 12],
      ["photoshare/get-followers", "users", 12],
    ];
    for (const [operation, list, size] of sizes) {
      const body = await answered<Record<string, unknown[]>>(operation, GOOD_REQUESTS[operation] ?? {});
      assert.equal(body[list]?.length, size, operation);
    }
  });
});

test("language, country and time zone of callers who name none are the operator's to set", async () => {
  const server = await startTestServer(WORLD, {
    RATE_LIMIT: "off",
    DEFAULT_LANG: "HU",
    DEFAULT_COUNTRY: "hu",
    TIMEZONE: "Europe/Budapest",
  });
  try {
    const { lang, country, timezone } = await server.json<Videos>("/api/longvideo/search?query=lantern");
    assert.deepEqual({ lang, country, timezone }, { lang: "hu", country: "HU", timezone: "Europe/Budapest" });
  } finally {
    await server.close();
  }
});
