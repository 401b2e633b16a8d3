/** Posts, comments and follows of every platform in one shape, and records by id, name or URL. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTestServer, query, type TestServer } from "./test-server.ts";
import { assertParameterProblem, assertProblem } from "./problem.ts";
import { requestOperation } from "./http-client.ts";
import {
  aComment,
  aFollow,
  AMARA,
  anAccount,
  aPost,
  CHANNEL,
  GOOD_REQUESTS,
  INES,
  PHOTO,
  RAIN_SOUND,
  RAFAEL,
  T0,
  TALKED_ABOUT,
  WORLD,
} from "./world.ts";
import { toUnit } from "#store/write/batch-changes.ts";

interface Posts {
  platform: string;
  account: { id: string; name: string };
  total: number;
  posts: { id: string; published_at: number | null; media: object[]; counters: object }[];
  continuation_token: string;
}

interface PostBody {
  post: { id: string; text: string; tagged_ids: string[]; media: { kind: string; url: string }[] };
  author: { name: string } | null;
  total_comments: number;
  comments: { id: string; parent_id: string | null; author_name: string | null; counters: object }[];
  continuation_token: string;
}

/** In the platform's own ids, so that URLs lead to them. */
const VIDEO = "dQw4w9WgXcQ";
const PHOTO_BY_CODE = "3382845430393690647";
const CODE = "C7yR_7wq1oX";

describe("posts of every platform", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer(
      [
        ...WORLD,
        { platform: "shortvideo", batch: { follows: [aFollow(INES.id, "6800000000000000002", T0)] } },
        { platform: "longvideo", batch: { posts: [aPost(VIDEO, { authorId: CHANNEL.id, title: "By URL" })] } },
        { platform: "photoshare", batch: { posts: [aPost(PHOTO_BY_CODE, { authorId: AMARA.id, text: "By code" })] } },
      ],
      { RATE_LIMIT: "off" },
    );
  });
  after(() => server.close());

  const postsOf = (parameters: Record<string, string>) => server.json<Posts>(`/api/posts?${query(parameters)}`);
  const postOf = (parameters: Record<string, string>) => server.json<PostBody>(`/api/post?${query(parameters)}`);

  test("rounded counts and estimated times are named as such wherever a post is shown", async () => {
    const store = await server.openStore();
    const approximate = { "counters.views": 500, publishedAt: 3_600, "native.thumbnails": 1 };
    const rough = { authorId: "UCrounded", hashtags: ["roundedcount"], title: "Roundedcount" };
    await store.writer.write([
      toUnit("longvideo", {
        accounts: [
          anAccount("UCrounded", "rounded", {
            counters: { followers: 26_000 },
            approximate: { "counters.followers": 500 },
          }),
        ],
        posts: [
          aPost("rounded0001", { ...rough, counters: { views: 26_000 }, approximate }),
          aPost("rounded0002", { ...rough, counters: { views: 26_123 } }),
        ],
        comments: [
          aComment("UgRounded", "rounded0001", { counters: { likes: 1_200 }, approximate: { "counters.likes": 50 } }),
        ],
      }),
    ]);
    await store.close();

    interface Rough {
      id: string;
      approximate?: string[];
    }
    const expected = { rounded0001: ["counters.views", "published_at"], rounded0002: undefined };
    for (const path of [
      "/api/posts?platform=longvideo&account=UCrounded",
      "/api/posts/with?platform=longvideo&trait=hashtag&id=roundedcount",
      "/api/search?q=roundedcount&kinds=post&expand=posts",
    ]) {
      const { posts } = await server.json<{ posts: Rough[] }>(path);
      assert.deepEqual(Object.fromEntries(posts.map(({ id, approximate: fields }) => [id, fields])), expected, path);
    }
    const { post, author, comments } = await server.json<{ post: Rough; author: Rough; comments: Rough[] }>(
      "/api/post?platform=longvideo&id=rounded0001",
    );
    assert.deepEqual(
      [post, author, comments[0]].map((one) => one?.approximate),
      [expected.rounded0001, ["counters.followers"], ["counters.likes"]],
    );
  });

  test("an account's posts on every platform, newest first, with what is stored of them", async () => {
    for (const [platform, account, total] of [
      ["shortvideo", "ines.varga", 19],
      ["longvideo", CHANNEL.id, 48],
      ["photoshare", "amara.petrovic", 59],
    ] as const) {
      const body = await postsOf({ platform, account, limit: "50" });
      assert.equal(body.total, total, platform);
      assert.equal(body.posts.length, Math.min(50, total));
      const times = body.posts.map(({ published_at }) => published_at ?? 0);
      assert.deepEqual(
        times,
        times.toSorted((a, b) => b - a),
      );
    }
    const [first] = (await postsOf({ platform: "shortvideo", account: "ines.varga", limit: "1" })).posts;
    assert.deepEqual(first?.media, [
      { kind: "video", url: "https://media.example/play.mp4", width: null, height: null },
    ]);
  });

  test("an account is taken by id, by name and by the URL of its profile", async () => {
    for (const account of [
      "amara.petrovic",
      "@Amara.Petrovic",
      AMARA.id,
      "https://www.instagram.com/amara.petrovic/?hl=en",
      "instagram.com/amara.petrovic",
    ])
      assert.equal((await postsOf({ platform: "photoshare", account })).account.id, AMARA.id, account);
    for (const account of [CHANNEL.id, "Harbour Kitchen", `https://www.youtube.com/channel/${CHANNEL.id}`])
      assert.equal((await postsOf({ platform: "longvideo", account })).account.id, CHANNEL.id, account);
    for (const account of [INES.id, "https://www.tiktok.com/@ines.varga"])
      assert.equal((await postsOf({ platform: "shortvideo", account })).account.id, INES.id, account);
    assertParameterProblem(
      await requestOperation(server.url, "posts", { platform: "photoshare", account: "https://example.com/amara" }),
      "invalid_parameter",
      { in: "query", parameter: "account" },
    );
    assertProblem(
      await requestOperation(server.url, "posts", { platform: "photoshare", account: "nobody" }),
      "account_not_found",
    );
  });

  test("posts are listed by sound, hashtag, place and tagged account, with their authors, however they are named", async () => {
    interface PostsWith extends Omit<Posts, "account"> {
      id: string | null;
      name: string | null;
      detail: string | null;
      authors: { name: string }[];
    }
    const listed = async (parameters: Record<string, string>) =>
      server.json<PostsWith>(`/api/posts/with?${query({ limit: "50", ...parameters })}`);
    const place = await listed({ platform: "photoshare", trait: "place", id: "880001" });
    assert.deepEqual(
      [place.id, place.name, place.detail, place.total, place.posts.length, place.authors.map(({ name }) => name)],
      ["880001", "Paprika Square", "Budapest", 58, 50, ["amara.petrovic"]],
    );
    const rest = await listed({
      platform: "photoshare",
      trait: "place",
      id: "880001",
      continuation_token: place.continuation_token,
    });
    assert.equal(new Set([...place.posts, ...rest.posts].map(({ id }) => id)).size, 58);
    assert.equal(rest.continuation_token, "");
    for (const id of ["paprika", "#Páprika", "https://www.instagram.com/explore/tags/paprika/"]) {
      const { name, total } = await listed({ platform: "photoshare", trait: "hashtag", id });
      assert.deepEqual([name, total], ["Paprika", 58], id);
    }
    for (const id of [RAFAEL.id, "@rafael.sundqvist"])
      assert.equal((await listed({ platform: "photoshare", trait: "tagged", id })).total, 58, id);
    const sound = await listed({ platform: "shortvideo", trait: "sound", id: RAIN_SOUND });
    assert.ok(sound.total > 0 && sound.name !== null);
    for (const [trait, code] of [
      ["sound", "sound_not_found"],
      ["hashtag", "hashtag_not_found"],
      ["place", "place_not_found"],
      ["tagged", "account_not_found"],
    ] as const)
      assertProblem(
        await requestOperation(server.url, "posts/with", { platform: "longvideo", trait, id: "nothing" }),
        code,
      );
  });

  test("the operations of SPEC.md take an account's id too, after its name", async () => {
    const short = await server.json<{ userInfo: { user: { uniqueId: string } } }>(
      `/api/shortvideo/user/info-with-region?uniqueId=${INES.id}`,
    );
    assert.equal(short.userInfo.user.uniqueId, "ines.varga");
    for (const operation of ["get-profile", "get-profile-v2", "get-posts", "get-bio-links", "get-followers"]) {
      const name = `photoshare/${operation}`;
      const good = { ...GOOD_REQUESTS[name] };
      const [byName, byId] = await Promise.all([
        requestOperation(server.url, name, good),
        requestOperation(server.url, name, { ...good, username_or_url: AMARA.id }),
      ]);
      assert.equal(byId.status, 200, byId.text);
      assert.deepEqual(withoutTokens(byId.text), withoutTokens(byName.text), operation);
    }
  });

  test("a profile has its newest posts in itemList, also where the whole body is selected from", async () => {
    const path = `/api/shortvideo/user/info-with-region?uniqueId=ines.varga`;
    interface Profile {
      userInfo: { itemList: { id: string; desc: string; stats: { diggCount: number | null } }[] };
    }
    const { userInfo } = await server.json<Profile>(path);
    const newest = (await postsOf({ platform: "shortvideo", account: "ines.varga", limit: "6" })).posts;
    assert.deepEqual(
      userInfo.itemList.map(({ id }) => id),
      newest.map(({ id }) => id),
    );
    assert.match(userInfo.itemList[0]?.desc ?? "", /^Lantern market/);
    const picked = await server.json<Profile>(`${path}&fields=userInfo(itemList(id,stats))`);
    assert.deepEqual(picked.userInfo.itemList[0], {
      id: newest[0]?.id,
      stats: userInfo.itemList[0]?.stats,
    });
    const etags = await Promise.all(
      [path, path, "/api/shortvideo/user/info-with-region?uniqueId=tomas_okafor"].map(
        async (one) => (await server.get(one)).headers.get("etag") ?? "",
      ),
    );
    assert.match(etags[0] ?? "", /^W\/"[\w-]{27}"$/);
    assert.deepEqual([etags[0] === etags[1], etags[0] === etags[2]], [true, false]);
  });

  test("one photo with its author, its pictures and its comments", async () => {
    const body = await postOf({ platform: "photoshare", id: PHOTO });
    assert.deepEqual(
      [body.post.id, body.post.text, body.post.tagged_ids, body.author?.name],
      [PHOTO, "Loaf 1", [RAFAEL.id], "amara.petrovic"],
    );
    assert.deepEqual(body.post.media, [
      { kind: "image", url: "https://media.example/loaf.jpg", width: 640, height: null },
    ]);
    assert.deepEqual([body.total_comments, body.comments.length], [41, 20]);
    assert.deepEqual(new Set(body.comments.map(({ author_name }) => author_name)), new Set(["rafael.sundqvist", null]));
    const top = await postOf({ platform: "photoshare", id: PHOTO, sort: "top", limit: "1" });
    assert.deepEqual(top.comments[0]?.counters, { likes: 20 });
  });

  test("replies to a comment, oldest first, page by page", async () => {
    const parameters = { platform: "photoshare", id: PHOTO, replies_to: "18000000000000001", limit: "3" };
    const first = await postOf(parameters);
    const second = await postOf({ ...parameters, continuation_token: first.continuation_token });
    const replies = [...first.comments, ...second.comments];
    assert.equal(replies.length, 5);
    assert.equal(new Set(replies.map(({ id }) => id)).size, 5);
    assert.ok(replies.every(({ parent_id }) => parent_id === "18000000000000001"));
    assert.equal(second.continuation_token, "");
    const others = await requestOperation(server.url, "post", {
      ...parameters,
      replies_to: "18000000000000002",
      continuation_token: first.continuation_token,
    });
    assertProblem(others, "invalid_cursor");
    // One by itself, a reply too.
    for (const one of [replies[0], first.comments[2]]) {
      const { comments, continuation_token: next } = await postOf({
        platform: "photoshare",
        id: PHOTO,
        comment: one?.id ?? "",
      });
      assert.deepEqual([comments, next], [[one], ""]);
    }
    assert.deepEqual((await postOf({ platform: "photoshare", id: PHOTO, comment: "1" })).comments, []);
  });

  test("a post is taken by id, by code and by URL", async () => {
    for (const id of [
      PHOTO_BY_CODE,
      `${PHOTO_BY_CODE}_${AMARA.id}`,
      CODE,
      `https://www.instagram.com/p/${CODE}/`,
      `https://www.instagram.com/amara.petrovic/reel/${CODE}/?igsh=x`,
    ])
      assert.equal((await postOf({ platform: "photoshare", id })).post.text, "By code", id);
    for (const id of [VIDEO, `https://youtu.be/${VIDEO}?t=3`, `www.youtube.com/shorts/${VIDEO}`])
      assert.equal((await postOf({ platform: "longvideo", id })).post.id, VIDEO, id);
    assertParameterProblem(
      await requestOperation(server.url, "post", { platform: "longvideo", id: `https://www.instagram.com/p/${CODE}/` }),
      "invalid_parameter",
      { in: "query", parameter: "id" },
    );
  });

  test("a whole URL is taken wherever an id is", async () => {
    const urls: [operation: string, parameters: Record<string, string>, same: Record<string, string>][] = [
      ...["details", "comments", "subtitles"].map((name): (typeof urls)[number] => [
        `longvideo/video/${name}`,
        { video_id: `https://www.youtube.com/watch?v=${VIDEO}&list=PL1` },
        { video_id: VIDEO },
      ]),
      [
        "shortvideo/post/detail",
        { videoId: `https://www.tiktok.com/@x/video/${TALKED_ABOUT}` },
        { videoId: TALKED_ABOUT },
      ],
      ["shortvideo/post/comments", { videoId: `tiktok.com/@x/video/${TALKED_ABOUT}` }, { videoId: TALKED_ABOUT }],
      [
        "shortvideo/music/info",
        { musicId: `https://www.tiktok.com/music/Rain-on-Tin-${RAIN_SOUND}` },
        { musicId: RAIN_SOUND },
      ],
      [
        "shortvideo/music/posts",
        { musicId: `https://www.tiktok.com/music/x-${RAIN_SOUND}?lang=en` },
        { musicId: RAIN_SOUND },
      ],
      [
        "shortvideo/user/info-with-region",
        { uniqueId: "https://www.tiktok.com/@ines.varga?lang=en" },
        { uniqueId: "ines.varga" },
      ],
    ];
    for (const [operation, parameters, same] of urls) {
      const [byUrl, byId] = await Promise.all([
        requestOperation(server.url, operation, parameters),
        requestOperation(server.url, operation, same),
      ]);
      assert.equal(byUrl.status, 200, byUrl.text);
      assert.deepEqual(withoutTokens(byUrl.text), withoutTokens(byId.text), operation);
    }
    for (const [operation, parameter, url] of [
      ["longvideo/video/details", "video_id", "https://example.com/watch?v=dQw4w9WgXcQ"],
      ["longvideo/video/details", "video_id", "https://www.youtube.com/channel/UCworldChannel0000000001"],
      ["shortvideo/post/detail", "videoId", "https://vm.tiktok.com/ZMabc/"],
      ["shortvideo/music/info", "musicId", "https://www.tiktok.com/@ines.varga"],
    ] as const)
      assertParameterProblem(await requestOperation(server.url, operation, { [parameter]: url }), "invalid_parameter", {
        in: "query",
        parameter,
      });
    const history = await server.json<{ id: string }>(
      `/api/history?${query({ platform: "longvideo", kind: "post", id: `https://youtu.be/${VIDEO}` })}`,
    );
    assert.equal(history.id, VIDEO);
  });

  test("followers and followed accounts on every platform", async () => {
    interface Follows {
      accounts: { id: string; name: string | null; since: number | null }[];
      continuation_token: string;
    }
    const of = (parameters: Record<string, string>) => server.json<Follows>(`/api/follows?${query(parameters)}`);
    const followers = await of({ platform: "photoshare", account: "amara.petrovic", limit: "50" });
    assert.equal(followers.accounts.length, 44);
    assert.match(followers.accounts[0]?.name ?? "", /^guest_/);
    const following = await of({ platform: "photoshare", account: "amara.petrovic", direction: "following" });
    assert.deepEqual(
      following.accounts.map(({ id, name, since }) => [id, name, since]),
      [[RAFAEL.id, "rafael.sundqvist", null]],
    );
    const short = await of({ platform: "shortvideo", account: "tomas_okafor", direction: "following" });
    assert.deepEqual(
      short.accounts.map(({ id }) => id),
      [INES.id],
    );
  });
});

/** Page tokens expire by the second of their request, and some bodies name the request. */
function withoutTokens(text: string): unknown {
  return JSON.parse(text, (key, value: unknown) => (/token$|^(?:logid|now|impr_id)$/.test(key) ? "" : value));
}

describe("the rankings of short video", () => {
  const now = Math.floor(Date.now() / 1000);
  const captured = { capturedAt: now * 1_000, source: "test" };
  const published = { ...captured, publishedAt: now - 3_600 };
  let server: TestServer;
  before(async () => {
    const byAuthor = (id: string, author: string | null, views: number) =>
      aPost(id, {
        ...published,
        authorId: author,
        hashtags: ["kites"],
        counters: { views },
        native: author === null ? {} : { author: { id: author, nickname: `Nick ${author}` } },
      });
    const posts = [byAuthor("1", "a", 900), byAuthor("2", "a", 800), byAuthor("3", "b", 700), byAuthor("4", null, 950)];
    const regatta = [31, 32, 33].map((views) =>
      aPost(`74110000000000000${views}`, {
        ...published,
        authorId: "501",
        title: "Slides",
        text: `Sails ${views}`,
        country: "FI",
        hashtags: ["Regatta"],
        soundId: "7411000000000000701",
        durationS: 11,
        counters: { views, likes: 12 },
        native: {
          author: { id: "502", uniqueId: "nora", nickname: "Nora", avatarLarger: "https://media.example/nora.jpg" },
          video: { cover: `https://media.example/${views}.jpg`, duration: 13 },
        },
      }),
    );
    const hashtags = [
      { ...captured, id: "kites", name: "kites", platformId: "1", counters: {}, native: {} },
      {
        ...captured,
        id: "regatta",
        name: "Regatta",
        platformId: "801",
        counters: { posts: 14, views: 15 },
        native: { isCommerce: true },
      },
    ];
    const sound = {
      ...captured,
      id: "7411000000000000701",
      title: "Gusts",
      artistName: "Quay Band",
      artistId: "503",
      durationS: 16,
      counters: { posts: 17 },
      native: { coverLarge: "https://media.example/large.jpg", coverMedium: "https://media.example/medium.jpg" },
    };
    const batch = { posts: [...posts, ...regatta], hashtags, sounds: [sound] };
    server = await startTestServer([{ platform: "shortvideo", batch }]);
  });
  after(() => server.close());

  test("creators of a hashtag are named once, best first, without posts of unknown authors", async () => {
    const { data } = await server.json<{ data: { list: { creators: { nick_name: string }[] }[] } }>(
      "/api/shortvideo/trending/hashtag",
    );
    assert.deepEqual(
      data.list[0]?.creators.map(({ nick_name }) => nick_name),
      ["Nick a", "Nick b"],
    );
  });

  test("each field comes from the right field of a hashtag, sound or post", async () => {
    const ranking = async (name: string, list: string) => {
      type Ranking = { data: Record<string, Record<string, unknown>[]> };
      const path = `/api/shortvideo/trending/${name}?country=FI`;
      const { data } = await server.json<Ranking>(path, { prefer: "unknown=null" });
      const { trend: _, ...first } = data[list]?.[0] ?? {};
      return { first, pagination: data["pagination"] };
    };
    const rank = { rank: 1, rank_diff: null, rank_diff_type: null };
    const estimate = (posts: number, views: number) => ({
      basis: "estimated",
      basis_posts: posts,
      views_gained: views,
    });
    assert.deepEqual(await ranking("hashtag", "list"), {
      first: {
        ...rank,
        hashtag_id: "801",
        hashtag_name: "Regatta",
        country_info: { id: "FI", value: "Finland", label: "FI" },
        publish_cnt: null,
        video_views: null,
        is_promoted: true,
        creators: [{ nick_name: "Nora", avatar_url: "https://media.example/nora.jpg" }],
        ...estimate(3, 96),
      },
      pagination: { page: 1, size: 20, total: 1, has_more: false },
    });
    assert.deepEqual(await ranking("songs", "sound_list"), {
      first: {
        ...rank,
        song_id: "7411000000000000701",
        clip_id: "7411000000000000701",
        title: "Gusts",
        author: "Quay Band",
        cover: "https://media.example/large.jpg",
        duration: 16,
        link: "https://www.tiktok.com/music/Gusts-7411000000000000701",
        country_code: "FI",
        promoted: null,
        related_items: [33, 32, 31].map((views) => ({
          item_id: `74110000000000000${views}`,
          cover_uri: `https://media.example/${views}.jpg`,
        })),
        ...estimate(3, 96),
      },
      pagination: { page: 1, size: 20, total: 1, has_more: false },
    });
    assert.deepEqual(await ranking("videos", "videos"), {
      first: {
        id: "7411000000000000033",
        item_id: "7411000000000000033",
        item_url: "https://www.tiktok.com/@nora/video/7411000000000000033",
        title: "Sails 33",
        cover: "https://media.example/33.jpg",
        duration: 11,
        country_code: "FI",
        region: "Finland",
        author: "nora",
        play_count: 33,
        ...estimate(1, 33),
      },
      pagination: { page: 1, limit: 20, total_count: 3, has_more: false },
    });
  });
});
