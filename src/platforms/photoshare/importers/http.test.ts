/** Every format from its file to the answers that it feeds, through the real importer, store and server. */
import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fixturePath } from "#testing/photoshare-fixtures.ts";
import { type ImportedServer, startImportedServer } from "#tests/import-fixtures.ts";

interface UserPosts {
  posts: {
    node: {
      code: string;
      pk: string;
      like_count: number;
      comment_count: number;
      media_type: number;
      taken_at: number;
      caption: { text: string };
      image_versions2: { candidates: { url: string }[] };
      video_versions: { url: string }[];
      user: { username: string; full_name: string };
    };
  }[];
}
interface Profile {
  user_data: { pk: string; username: string; full_name: string; follower_count: number; media_count: number };
}
interface Followers {
  users: { id: string; username: string }[];
  count: number;
}
interface HashtagPosts {
  id: string;
  name: string;
  posts: { count: number; edges: { node: { id: string; edge_liked_by: { count: number } } }[] };
}
interface TaggedPosts {
  tagged_posts: {
    node: { pk: string; like_count: number; user: { username: string }; timeline_pinned_user_ids: string[] };
  }[];
}
interface Comment {
  author_name: string;
  published_at: number;
  counters: object;
  text: string;
}
interface Found {
  users: { user: { username: string } }[];
  hashtags: { hashtag: { name: string; media_count: number; id: string } }[];
  places: { place: { location: { name: string; city: string }; subtitle: string } }[];
}

async function withFiles(
  names: string[],
  check: (imported: ImportedServer) => Promise<void>,
  request: { subject?: string; capturedAt?: number } = {},
): Promise<void> {
  const imported = await startImportedServer(names.map(fixturePath), request);
  try {
    await check(imported);
  } finally {
    await imported.server.close();
  }
}

const ask =
  (path: string, fixed: Record<string, string> = {}) =>
  <Body>({ server }: ImportedServer, name: string) =>
    server.postJson<Body>(`/api/photoshare/${path}`, { username_or_url: name, ...fixed });
const look =
  (path: string) =>
  <Body>({ server }: ImportedServer, name: string) =>
    server.json<Body>(`/api/photoshare/${path}?username_or_url=${name}`);
/** A capture of its own, of a given time. */
async function importJson(
  imported: ImportedServer,
  value: unknown,
  capturedAt: number,
  { name = "capture.json", subject }: { name?: string; subject?: string } = {},
): Promise<ImportedServer["report"]> {
  const folder = await mkdtemp(join(tmpdir(), "triptych-"));
  try {
    await writeFile(join(folder, name), JSON.stringify(value));
    return await imported.importMore([folder], { capturedAt, ...(subject === undefined ? {} : { subject }) });
  } finally {
    await rm(folder, { recursive: true });
  }
}

const posts = ask("get-posts");
const profile = look("get-profile");
const profileV2 = ask("get-profile-v2");
const tagged = ask("get-user-tagged-posts");
const bioLinks = ask("get-bio-links", { data: "bio_links" });
const followers = ask("get-followers", { data: "followers" });
const search = ({ server }: ImportedServer, text: string) =>
  server.postJson<Found>("/api/photoshare/search", { search_query: text });
const comments = async ({ server }: ImportedServer, postId: string) =>
  (await server.json<{ comments: Comment[] }>(`/api/post?platform=photoshare&id=${postId}`)).comments;
const hashtag = ({ server }: ImportedServer, name: string) =>
  server.json<HashtagPosts>(`/api/photoshare/search-hashtag?hashtag=${name}`);

test("bright-data: times of comments with quotes of their own", () =>
  withFiles([], async (imported) => {
    const url = "https://www.instagram.com/p/C4iLtETgARX/";
    await importJson(
      imported,
      [
        { url, user_posted: "mira.holm", date_posted: "2024-06-16T10:00:00.000Z" },
        {
          post_url: url,
          comment_user: "odd.dahl",
          comment_id: "18002",
          comment: "Ferry!",
          comment_date: '"2024-06-17T10:00:00.000Z"',
        },
      ],
      Date.parse("2024-07-01T00:00:00Z"),
    );
    assert.deepEqual(
      (await comments(imported, "3324270950463046743")).map(({ published_at }) => published_at),
      [1_718_618_400],
    );
  }));

test("apify: a reel whose author stands only in the address of the row, and comments of a profile's posts", () =>
  withFiles([], async (imported) => {
    const reel = { shortCode: "C4iLtETgARX", type: "Video", caption: "Ferry" };
    const items = [
      { ...reel, inputUrl: "https://www.instagram.com/mira.holm/reels/" },
      { ...reel, shortCode: "C4iLtETgARY", inputUrl: "https://www.instagram.com/mira.holm/tagged/" },
      {
        inputUrl: "https://www.instagram.com/odd.dahl",
        id: "5501002009",
        username: "odd.dahl",
        followersCount: 5,
        latestPosts: [
          {
            ...reel,
            shortCode: "C4iLtETgARZ",
            latestComments: [{ id: "18003", text: "Moored!", ownerUsername: "mira.holm" }],
          },
        ],
      },
    ];
    const report = await importJson(imported, items, Date.parse("2024-07-01T00:00:00Z"));
    assert.deepEqual([report.total.refused, report.total.skipped], [{}, {}]);
    const { posts: reels } = await posts<UserPosts>(imported, "mira.holm");
    assert.deepEqual(
      reels.map(({ node }) => [node.code, node.user.username]),
      [["C4iLtETgARX", "mira.holm"]],
    );
    const [comment] = await comments(imported, "3324270950463046745");
    assert.equal(comment?.text, "Moored!");
  }));

test("web responses: items", () =>
  withFiles(["web/items.json"], async (imported) => {
    const { posts: list } = await posts<UserPosts>(imported, "mira.holm");
    assert.deepEqual(
      list.map(({ node }) => [node.code, node.media_type, node.like_count]),
      [
        ["C4NlWETgAEv", 2, 980],
        ["C4LAjMTgADK", 8, 0],
        ["C4IbwUTgABl", 1, 412],
      ],
    );
    assert.equal(list[0]?.node.video_versions[0]?.url, "https://media.example/mending.mp4");
    assert.equal(list[1]?.node.image_versions2.candidates[0]?.url, "https://media.example/nets.jpg");
    const taggedPosts = await tagged<TaggedPosts>(imported, "tavo.reyes");
    assert.deepEqual(
      taggedPosts.tagged_posts.map(({ node }) => [node.pk, node.user.username]),
      [["3317023193151045733", "mira.holm"]],
    );
    assert.equal((await hashtag(imported, "harbour")).posts.edges.length, 2);
    assert.equal((await search(imported, "market")).places[0]?.place.location.name, "Harbour Market");
    assert.deepEqual(imported.report.total.skipped, { advertisement: 1 });
  }));

test("web pages: a post as those see it who are not logged in, with its author's other posts and its comments", () =>
  withFiles(["web/post-logged-out.html"], async (imported) => {
    const { posts: list } = await posts<UserPosts>(imported, "mira.holm");
    assert.deepEqual(
      list.map(({ node }) => [node.code, node.like_count, node.comment_count, node.taken_at, node.caption.text]),
      [
        ["C4IbwUTgABl", 475, 15, 1709640000, "Low tide #Harbour"],
        ["C4LAjMTgADK", 0, 0, 0, "Nets"],
      ],
    );
    assert.equal(list[0]?.node.image_versions2.candidates[0]?.url, "https://media.example/tide.jpg");
    assert.equal((await tagged<TaggedPosts>(imported, "tavo.reyes")).tagged_posts.length, 1);
    assert.equal((await hashtag(imported, "harbour")).posts.edges.length, 1);
    assert.equal(imported.report.total.records.comment?.new, 1);
  }));

test("web pages: a profile as those see it who are not logged in, with its posts and without its stories", () =>
  withFiles(["web/profile-logged-out.html"], async (imported) => {
    const { posts: list } = await posts<UserPosts>(imported, "runa.fjeld");
    assert.deepEqual(
      list.map(({ node }) => [node.pk, node.media_type, node.caption.text, node.user.full_name]),
      [
        ["3465659760660397210", 2, "Kiln day #kiln", "Runa Fjeld"],
        ["3465659761894965101", 1, "", "Runa Fjeld"],
      ],
    );
    const { user_data: runa } = await profile<Profile>(imported, "runa.fjeld");
    assert.deepEqual([runa.pk, runa.follower_count], ["5501002031", 731]);
    assert.deepEqual(imported.report.total.refused, {});
  }));

test("web responses: profile in the new form", () =>
  withFiles(["web/profile.json"], async (imported) => {
    const { user_data: mira } = await profile<Profile>(imported, "mira.holm");
    assert.deepEqual([mira.pk, mira.follower_count, mira.media_count], ["5501002003", 18203, 87]);
    const v2 = await profileV2<Record<string, unknown>>(imported, "mira.holm");
    assert.deepEqual(
      [v2["category"], v2["biography"]],
      ["Photographer", "Harbours and hands. Write to mira@studio.example"],
    );
    assert.deepEqual(await bioLinks<unknown>(imported, "mira.holm"), [
      {
        link_type: "external",
        lynx_url: "https://l.links.example/?u=prints",
        title: "Prints",
        url: "https://prints.example/mira",
      },
    ]);
  }));

test("hashtags that follow each other without spaces are all found, those within words and links are not", () =>
  withFiles([], async (imported) => {
    const text = "#oakleaf#FernLeaf＃mossbed page#anchor https://leaves.example/#top#bottom";
    const user = { pk: "5501002061", username: "leaf.ann" };
    const item = { pk: "3317023193151045733", code: "C4IbwUTgABl", media_type: 1, taken_at: 1709640000, user };
    await importJson(imported, { items: [{ ...item, caption: { text } }] }, 1_720_000_000_000);
    const names = ["oakleaf", "fernleaf", "mossbed", "anchor", "top", "bottom"];
    const found = await Promise.all(
      names.map((name) => imported.server.get(`/api/photoshare/search-hashtag?hashtag=${name}`)),
    );
    assert.deepEqual(
      found.map(({ status }) => status),
      [200, 200, 200, 404, 404, 404],
    );
  }));

test("a profile on Threads does not replace the account on Instagram that has its name", () =>
  withFiles(["web/profile.json"], async (imported) => {
    const user = {
      pk: "63401002003",
      id: "63401002003",
      username: "mira.holm",
      full_name: "Mira on Threads",
      profile_pic_url: "https://media.example/threads.jpg",
      biography: "Elsewhere",
      follower_count: 17,
    };
    const respond = (url: string, value: unknown) => ({
      startedDateTime: "2026-03-01T10:00:00.000Z",
      request: { method: "POST", url },
      response: { status: 200, content: { mimeType: "application/json", text: JSON.stringify(value) } },
    });
    const recording = { log: { entries: [respond("https://www.threads.com/graphql/query", { data: { user } })] } };
    const captures = [
      { name: "threads.har", value: recording },
      { name: "new.json", value: { data: { user: { ...user, text_post_app_is_private: false } } } },
      { name: "old.json", value: { data: { userData: { user } } } },
    ];
    for (const { name, value } of captures) {
      const { total } = await importJson(imported, value, 1_790_000_000_000, { name });
      assert.deepEqual([total.records, total.skipped], [{}, { "a Threads profile": 1 }], name);
    }
    const { user_data: mira } = await profile<Profile>(imported, "mira.holm");
    assert.deepEqual([mira.pk, mira.full_name, mira.follower_count], ["5501002003", "Mira Holm", 18203]);
  }));

test("a post of several authors is in the grid of each, under its first author, and in search by each", () =>
  withFiles(["web/coauthors.json"], async (imported) => {
    for (const name of ["mira.holm", "sem_lindqvist"]) {
      for (const prefer of ["", "unknown=null"]) {
        const response = await imported.server.post("/api/photoshare/get-posts", { username_or_url: name }, { prefer });
        const { posts: list } = (await response.json()) as UserPosts;
        assert.deepEqual(
          list.map(({ node }) => [node.pk, node.user.username]),
          [["3317023193151045733", "mira.holm"]],
        );
      }
    }
    const both = await imported.server.json<{ results: { id: string }[] }>(
      "/api/search?q=ferry+from:sem_lindqvist&platform=photoshare&kind=post",
    );
    assert.deepEqual(
      both.results.map(({ id }) => id),
      ["3317023193151045733"],
    );
  }));

test("the author of a post of several authors is shown as the account is known, in the grid of each", async () => {
  const item = {
    pk: "3317023193151045733",
    code: "C4IbwUTgABl",
    media_type: 1,
    taken_at: 1709640000,
    user: { pk: "5501002003", username: "mira.holm" },
    coauthor_producers: [{ pk: "5501002012", username: "sem_lindqvist" }],
  };
  const known = {
    pk: "5501002003",
    username: "mira.holm",
    full_name: "Mira Holm",
    is_verified: true,
    profile_pic_url: "https://media.example/mira.jpg",
  };
  const folder = await mkdtemp(join(tmpdir(), "triptych-"));
  const file = join(folder, "items.json");
  await writeFile(file, JSON.stringify({ items: [item], users: [{ ...known, biography: "" }] }));
  const imported = await startImportedServer([file]);
  try {
    for (const name of ["mira.holm", "sem_lindqvist"]) {
      for (const prefer of ["", "unknown=null"]) {
        const response = await imported.server.post("/api/photoshare/get-posts", { username_or_url: name }, { prefer });
        const { posts: list } = (await response.json()) as UserPosts;
        assert.deepEqual(
          list.map(({ node }) => node.user),
          [known],
        );
      }
    }
  } finally {
    await imported.server.close();
    await rm(folder, { recursive: true });
  }
});

test("web responses: a profile of 2017, and posts that have their author's name beside its id", () =>
  withFiles(["web/profile-2017.json", "web/instagram-scraper.json"], async (imported) => {
    const { user_data: runa } = await profile<Profile>(imported, "runa.fjeld");
    assert.deepEqual([runa.follower_count, runa.media_count], [731, 212]);
    for (const [name, codes] of [
      ["runa.fjeld", ["BZgK3T-hZ2H", "BZZEH5RhZ2H"]],
      ["loom.and.wool", ["CF6aPhhhZ2B", "CF6aPhhhZ2M"]],
    ] as const) {
      const { posts: list } = await posts<UserPosts>(imported, name);
      assert.deepEqual(
        list.map(({ node }) => node.code),
        codes,
      );
    }
    assert.deepEqual(imported.report.total.refused, {});
  }));

test("web responses: profile in the old form with its posts", () =>
  withFiles(["web/profile-old.json"], async (imported) => {
    const { user_data: tavo } = await profile<Profile>(imported, "tavo.reyes");
    assert.deepEqual([tavo.follower_count, tavo.full_name], [940, "Tavo Reyes"]);
    assert.equal(
      (await posts<UserPosts>(imported, "tavo.reyes")).posts[0]?.node.caption.text,
      "New lamp, old brass #lamps",
    );
    const { tagged_posts: list } = await tagged<TaggedPosts>(imported, "mira.holm");
    assert.deepEqual(
      list.map(({ node }) => node.timeline_pinned_user_ids),
      [["5501002004"]],
    );
  }));

test("web responses: hashtag, place, search", () =>
  withFiles(["web/hashtag.json", "web/location.json", "web/topsearch.json"], async (imported) => {
    const lanterns = await hashtag(imported, "lanterns");
    assert.deepEqual([lanterns.id, lanterns.name, lanterns.posts.count], ["17841500000000007", "lanterns", 5120]);
    assert.equal(lanterns.posts.edges.length, 2);
    const found = await search(imported, "harbour");
    assert.deepEqual(found.hashtags[0]?.hashtag, { name: "harbour", media_count: 90210, id: "17841500000000008" });
    assert.equal(found.places[0]?.place.subtitle, "Sandhamn");
    assert.equal((await search(imported, "kiln")).places[0]?.place.location.city, "Bramford");
  }));

test("a response of search-hashtag gives the same hashtag with the same posts when it is imported", () =>
  withFiles(["web/hashtag.json"], async (imported) => {
    const answered = await hashtag(imported, "lanterns");
    await withFiles([], async (other) => {
      const { total } = await importJson(other, { ...answered, pagination_token: "next" }, 1_720_000_000_000);
      assert.deepEqual(total.refused, {});
      const { id, posts: list } = await hashtag(other, "lanterns");
      assert.deepEqual([id, list.count], [answered.id, answered.posts.count]);
      assert.deepEqual(
        list.edges.map(({ node }) => node.id),
        answered.posts.edges.map(({ node }) => node.id),
      );
    });
  }));

test("web responses: of highlights only the account is kept, and nothing is refused", () =>
  withFiles([], async (imported) => {
    const user = { pk: "5501002041", username: "dell.roan", profile_pic_url: "https://media.example/dell.jpg" };
    const story = { pk: "3317023193151045733", media_type: 1, taken_at: 1709640000, user, product_type: "story" };
    const id = "highlight:18000000000000001";
    const reel = { id, latest_reel_media: 1709640000, can_reply: true, title: "Trip", reel_type: "highlight_reel" };
    const { total } = await importJson(
      imported,
      { reels: { [id]: { ...reel, user, items: [story] } } },
      1_720_000_000_000,
    );
    assert.deepEqual([total.skipped, total.refused], [{ story: 1 }, {}]);
    assert.equal((await profile<Profile>(imported, "dell.roan")).user_data.pk, "5501002041");
    // A profile's page names the account of its highlights without its id.
    const listed = { id, title: "Trip", user: { username: "dell.roan", id: null } };
    const edges = [{ node: listed }];
    const { total: page } = await importJson(imported, { data: { highlights: { edges } } }, 1_720_000_000_000);
    assert.deepEqual([page.skipped, page.refused], [{ story: 1 }, {}]);
  }));

test("web responses: followers and tagged posts, with --of", () =>
  withFiles(
    ["web/followers.json", "web/tagged.json"],
    async (imported) => {
      const { users, count } = await followers<Followers>(imported, "mira.holm");
      assert.deepEqual(users.map(({ username }) => username).toSorted(), ["odile.varga", "sem_lindqvist"]);
      assert.equal(count, 18203);
      assert.equal((await tagged<TaggedPosts>(imported, "mira.holm")).tagged_posts[0]?.node.like_count, 64);
    },
    { subject: "mira.holm" },
  ));

test("a HAR recording: URLs name the owner of a list and the post of comments", () =>
  withFiles(["web/profile.json", "web/session.har"], async (imported) => {
    const { users } = await followers<Followers>(imported, "mira.holm");
    assert.deepEqual(users.map(({ username }) => username).toSorted(), ["ines_okafor", "tavo.reyes"]);
    assert.equal((await tagged<TaggedPosts>(imported, "tavo.reyes")).tagged_posts[0]?.node.pk, "3318472744613445935");
    assert.equal(imported.report.total.records.comment?.new, 1);
    assert.equal((await search(imported, "@odile")).users[0]?.user.username, "odile.varga");
  }));

test("a HAR of GraphQL responses says whose they are in what the browser posted", () =>
  withFiles(["web/graphql.har"], async (imported) => {
    assert.deepEqual(imported.report.total.refused, {});
    const { users } = await followers<Followers>(imported, "mira.holm");
    assert.deepEqual(users.map(({ username }) => username).toSorted(), ["ines_okafor", "tavo.reyes"]);
    assert.equal((await tagged<TaggedPosts>(imported, "tavo.reyes")).tagged_posts[0]?.node.pk, "3318472744613445935");
    assert.equal(imported.report.total.records.comment?.new, 1);
  }));

test("lists of followers that tools dump belong to --of, by the name of their file", () =>
  withFiles(["web/profile.json"], async (imported) => {
    const user = (pk: string, username: string) => ({ pk, username, profile_pic_url: "https://media.example/u.jpg" });
    const [one, two, three] = [user("11", "one.fan"), user("12", "two.fan"), user("13", "three.fan")];
    const lists = [{ response: { users: [one] } }, [two], { 13: three }];
    for (const [at, list] of lists.entries()) {
      await importJson(imported, list, 1_720_000_000_000, { name: `followers-${at}.json`, subject: "mira.holm" });
    }
    const { users } = await followers<Followers>(imported, "mira.holm");
    assert.deepEqual(users.map(({ username }) => username).toSorted(), ["one.fan", "three.fan", "two.fan"]);
    const report = await importJson(imported, [two], 1_720_000_000_000, { name: "followers.json" });
    assert.deepEqual(report.total.refused, { followers_without_owner: 1 });
  }));

test("a response of get-followers says how many followers the account has, and one page of another service does not", () =>
  withFiles([], async (imported) => {
    const users = [{ id: "21", username: "one.fan", profile_pic_url: "https://scontent.cdninstagram.com/u.jpg" }];
    const importAs = (name: string, count: number, subject: string) =>
      importJson(imported, { users, pagination_token: "next", count }, 1_720_000_000_000, { name, subject });
    await importAs("followers.json", 991, "mira.holm");
    await importAs("followers.json", 1, "tavo.reyes");
    await importAs("following.json", 88, "odile.varga");
    assert.equal((await followers<Followers>(imported, "mira.holm")).count, 991);
    for (const [name, expected] of Object.entries({ "mira.holm": 991, "tavo.reyes": 0, "odile.varga": 0 })) {
      assert.equal((await profile<Profile>(imported, name)).user_data.follower_count, expected, name);
    }
  }));

test("lists of followers that services answer belong to --of, or to the user beside them", () =>
  withFiles(["web/profile.json"], async (imported) => {
    const profile_pic_url = "https://scontent.cdninstagram.com/u.jpg";
    const user = (id: string, username: string) => ({ id, username, profile_pic_url });
    const owner = user("5501002003", "mira.holm");
    const lists = [
      { value: { data: { count: 1, items: [user("21", "one.fan")], total: 9, user: owner } } },
      { value: { items: [user("22", "two.fan")], next_max_id: "x" }, subject: "mira.holm" },
      { value: { data: [user("23", "three.fan")], next_cursor: "x" }, subject: "mira.holm" },
      { value: [[user("24", "four.fan"), user("25", "five.fan")], "QVFBOENS=="], subject: "mira.holm" },
      { value: [[user("26", "six.fan")], null], subject: "mira.holm" },
    ];
    for (const { value, subject } of lists) {
      const of = subject === undefined ? {} : { subject };
      const report = await importJson(imported, value, 1_720_000_000_000, { name: "followers.json", ...of });
      assert.deepEqual(report.total.refused, {});
    }
    const { users } = await followers<Followers>(imported, "mira.holm");
    assert.deepEqual(users.map(({ id }) => id).toSorted(), ["21", "22", "23", "24", "25", "26"]);
    const names = await importJson(imported, ["one.fan", "two.fan"], 1_720_000_000_000, {
      name: "followers.json",
      subject: "mira.holm",
    });
    assert.deepEqual([names.total.skipped, Object.values(names.total.refused)], [{}, [1]]);
  }));

test("web responses: comments and error responses", () =>
  withFiles(["web/comments.json", "web/missing-user.json"], async (imported) => {
    assert.equal(imported.report.total.records.comment?.new, 1);
    assert.deepEqual(imported.report.total.refused, {});
    assert.equal((await search(imported, "@ines")).users[0]?.user.username, "ines_okafor");
  }));

test("web responses: a list of comments says how many the post has", () =>
  withFiles(
    ["web/items.json"],
    async (imported) => {
      const countComments = async () => (await posts<UserPosts>(imported, "mira.holm")).posts[0]?.node.comment_count;
      assert.equal(await countComments(), 31);
      await imported.importMore([fixturePath("web/comments.json")], { capturedAt: 1_720_000_000_000 });
      assert.equal(await countComments(), 33);
    },
    { capturedAt: 1_710_000_000_000 },
  ));

test("zeeschuimer and 4CAT", () =>
  withFiles(["zeeschuimer.ndjson", "4cat.ndjson"], async (imported) => {
    const codes = (await posts<UserPosts>(imported, "mira.holm")).posts.map(({ node }) => node.code);
    assert.deepEqual(codes, ["C4NlWETgAEv", "C4IbwUTgABl"]);
    const { report } = imported;
    assert.equal((await posts<UserPosts>(imported, "tavo.reyes")).posts[0]?.node.pk, "3320647071807046238");
    assert.equal(report.total.formats["zeeschuimer"], 6);
    assert.equal(report.total.refused["post_with_two_authors"], 1);
  }));

test("4cat: tables of its versions, with media, tagged accounts, coauthors and places; hidden and missing counts are unknown", () =>
  withFiles(["4cat/instagram-search-kiln.csv", "4cat/earlier.csv"], async (imported) => {
    const { posts: list } = await posts<UserPosts>(imported, "runa.fjeld");
    assert.deepEqual(
      list.map(({ node }) => [node.code, node.media_type, node.like_count, node.comment_count, node.taken_at]),
      [
        ["C4iLtETgARX", 8, 398, 11, 1710504000],
        ["C4NlWETgAEv", 2, 0, 0, 1709812800],
        ["C4LAjMTgADK", 8, 0, 3, 1709726400],
        ["C4IbwUTgABl", 1, 412, 12, 1709640000],
      ],
    );
    const photo = list[3]?.node;
    assert.deepEqual(
      [photo?.caption.text, photo?.user.full_name, photo?.image_versions2.candidates[0]?.url],
      ['First firing, "cone 10"\n#Kiln', "Runa Fjeld", "https://media.example/firing.jpg?crop=0,1"],
    );
    assert.equal(list[1]?.node.video_versions[0]?.url, "https://media.example/glaze.mp4");
    const post = await imported.server.json<{ post: { counters: object; media: { kind: string; url: string }[] } }>(
      "/api/post?platform=photoshare&id=3317747968882245834",
    );
    assert.deepEqual(post.post.counters, { comments: 3 });
    assert.deepEqual(
      post.post.media.map(({ kind, url }) => [kind, url]),
      [
        ["image", "https://media.example/shelf-1.jpg"],
        ["image", "https://media.example/shelf-2.jpg"],
        ["video", "https://media.example/shelf-2.mp4"],
      ],
    );
    const hidden = await imported.server.json<typeof post>("/api/post?platform=photoshare&id=3318472744613445935");
    assert.deepEqual(hidden.post.counters, {});
    // It is the first's coauthor's, too.
    assert.deepEqual(
      (await posts<UserPosts>(imported, "tavo.reyes")).posts.map(({ node }) => node.code),
      ["C4IbwUTgABl", "C4kwf8TgAS8"],
    );
    assert.equal((await tagged<TaggedPosts>(imported, "odile.varga")).tagged_posts.length, 1);
    assert.equal((await search(imported, "market")).places[0]?.place.location.city, "Oslo");
    assert.equal((await hashtag(imported, "kiln")).posts.edges.length, 2);
    assert.deepEqual(imported.report.total.refused, {});
  }));

test("4cat: tables of before 2021, with comments among the posts", () =>
  withFiles(["4cat/with-comments.csv"], async (imported) => {
    const [lamp] = (await posts<UserPosts>(imported, "tavo.reyes")).posts;
    assert.deepEqual(
      [lamp?.node.code, lamp?.node.media_type, lamp?.node.video_versions[0]?.url],
      ["B9XkL2pgRst", 2, "https://media.example/old-lamp.mp4"],
    );
    assert.equal(lamp?.node.image_versions2.candidates[0]?.url, "https://media.example/old-lamp.jpg");
    const [comment] = await comments(imported, lamp?.node.pk ?? "");
    assert.deepEqual(
      [comment?.author_name, comment?.text, comment?.counters, comment?.published_at],
      ["mira.holm", "Where is it from?", { likes: 3, replies: 1 }, 1583413200],
    );
    assert.equal(imported.report.total.records.comment?.new, 2);
  }));

test("instaloader: a compressed post, a profile, a hashtag, comments", () =>
  withFiles(
    [
      "instaloader/2024-03-15_12-00-00_UTC.json.xz",
      "instaloader/mira.holm_5501002003.json",
      "instaloader/film.json",
      "instaloader/C4iLtETgARX_comments.json",
      "instaloader/story.json",
      "instaloader/iterator.json",
    ],
    async (imported) => {
      const [post] = (await posts<UserPosts>(imported, "mira.holm")).posts;
      assert.deepEqual([post?.node.code, post?.node.like_count, post?.node.comment_count], ["C4iLtETgARX", 65, 6]);
      assert.equal((await profile<Profile>(imported, "mira.holm")).user_data.follower_count, 18200);
      assert.equal((await hashtag(imported, "film")).id, "17841500000000009");
      assert.equal((await search(imported, "@sem")).users[0]?.user.username, "sem_lindqvist");
      assert.equal(imported.report.total.records.comment?.new, 2);
    },
  ));

test("gallery-dl: two media of one post become one post", () =>
  withFiles(
    ["gallery-dl/ferry-1.jpg.json", "gallery-dl/ferry-2.jpg.json", "gallery-dl/output.json"],
    async (imported) => {
      const list = (await posts<UserPosts>(imported, "ines_okafor")).posts;
      assert.equal(list.length, 1);
      const post = list[0]?.node;
      assert.deepEqual([post?.media_type, post?.like_count, post?.taken_at], [8, 151, 1710590400]);
      assert.deepEqual(
        post?.image_versions2.candidates.map(({ url }) => url),
        ["https://media.example/ferry-1.jpg"],
      );
      assert.equal((await tagged<TaggedPosts>(imported, "tavo.reyes")).tagged_posts.length, 1);
      assert.equal((await hashtag(imported, "ferry")).posts.edges.length, 1);
    },
  ));

test("apify: posts, profiles, hashtags and comments", () =>
  withFiles(
    ["apify/posts.json", "apify/profiles.json", "apify/hashtags.json", "apify/comments.json"],
    async (imported) => {
      const list = (await posts<UserPosts>(imported, "odile.varga")).posts;
      assert.deepEqual(
        list.map(({ node }) => [node.code, node.like_count]),
        [
          ["C4p6FsTgAWG", 77],
          ["C4nVS0TgAUh", 0],
        ],
      );
      assert.equal((await profile<Profile>(imported, "odile.varga")).user_data.follower_count, 2044);
      assert.deepEqual((await bioLinks<{ url: string }[]>(imported, "odile.varga"))[0]?.url, "https://bread.example/");
      assert.equal((await hashtag(imported, "bakery")).posts.count, 31000);
      assert.equal((await search(imported, "@tavo")).users[0]?.user.username, "tavo.reyes");
    },
  ));

test("apify: a place is found as a place, and is no hashtag", () =>
  withFiles(["apify/places.json"], async (imported) => {
    const found = await search(imported, "tin hill");
    assert.deepEqual(
      found.places.map(({ place }) => [place.location.name, place.location.city]),
      [["Tin Hill", "Sandhamn"]],
    );
    assert.deepEqual(found.hashtags, []);
  }));

test("apify: a table of posts", () =>
  withFiles(["apify/posts.csv"], async (imported) => {
    const [post] = (await posts<UserPosts>(imported, "odile.varga")).posts;
    assert.deepEqual([post?.node.like_count, post?.node.caption.text], [41, "Bread at six\n#bakery"]);
    assert.equal((await tagged<TaggedPosts>(imported, "mira.holm")).tagged_posts.length, 1);
  }));

test("apify: the overview of posts, whose code is in the URL, as JSON and as a table", () =>
  withFiles(["apify/overview.json", "apify/overview.csv"], async (imported) => {
    const [post] = (await posts<UserPosts>(imported, "odile.varga")).posts;
    assert.deepEqual(
      [post?.node.code, post?.node.pk, post?.node.taken_at, post?.node.user.full_name],
      ["C4vDrQTgAX1", "3327894816234145269", 1710936000, "Odile Varga"],
    );
    const [reel] = (await posts<UserPosts>(imported, "sem_lindqvist")).posts;
    assert.deepEqual([reel?.node.code, reel?.node.like_count, reel?.node.caption.text], ["C4yoeETgAaK", 88, ""]);
    assert.equal((await hashtag(imported, "bakers")).posts.edges.length, 2);
    assert.equal((await hashtag(imported, "rye")).posts.edges.length, 1);
    assert.deepEqual(imported.report.total.refused, {});
  }));

test("apidojo: posts; hidden likes are unknown", () =>
  withFiles(["apidojo/posts.json"], async (imported) => {
    const { posts: list } = await posts<UserPosts>(imported, "runa.fjeld");
    assert.deepEqual(
      list.map(({ node }) => [node.code, node.media_type, node.taken_at, node.caption.text, node.user.full_name]),
      [
        ["C4NlWETgAEv", 2, 1709812800, "Glaze day #kiln", "Runa Fjeld"],
        ["C4LAjMTgADK", 8, 1709726400, "", "Runa Fjeld"],
      ],
    );
    assert.equal(list[0]?.node.video_versions[0]?.url, "https://media.example/glaze.mp4");
    assert.equal(list[0]?.node.image_versions2.candidates[0]?.url, "https://media.example/glaze.jpg");
    const post = async (id: string) =>
      (
        await imported.server.json<{ post: { counters: object; duration_s: number; media: { url: string }[] } }>(
          `/api/post?platform=photoshare&id=${id}`,
        )
      ).post;
    const [video, album] = [await post("3318472744613445935"), await post("3317747968882245834")];
    assert.deepEqual([video.counters, video.duration_s], [{ views: 900, likes: 123, comments: 45 }, 12.34]);
    assert.deepEqual(album.counters, {});
    assert.deepEqual(
      album.media.map(({ url }) => url),
      ["https://media.example/shelf-1.jpg", "https://media.example/shelf-2.jpg", "https://media.example/shelf-2.mp4"],
    );
    const { user_data: runa } = await profile<Profile>(imported, "runa.fjeld");
    assert.deepEqual([runa.pk, runa.follower_count], ["5501002031", 0]);
    assert.equal((await search(imported, "market")).places[0]?.place.location.city, "Oslo");
    assert.deepEqual(imported.report.total.refused, {});
  }));

test("scrapfly: a profile and its posts", () =>
  withFiles(["scrapfly/user.json", "scrapfly/posts.json"], async (imported) => {
    const { user_data: sem } = await profile<Profile>(imported, "sem_lindqvist");
    assert.deepEqual([sem.follower_count, sem.media_count], [512, 29]);
    const [post] = (await posts<UserPosts>(imported, "sem_lindqvist")).posts;
    assert.deepEqual([post?.node.pk, post?.node.comment_count], ["3327170053387847147", 9]);
    assert.equal((await bioLinks<{ url: string }[]>(imported, "sem_lindqvist"))[0]?.url, "https://knots.example/");
  }));

test("scrapfly: a post that is no video and has no other pictures is a photo", () =>
  withFiles(
    ["scrapfly/posts.json"],
    async (imported) => {
      const list = (await posts<UserPosts>(imported, "sem_lindqvist")).posts;
      assert.deepEqual(
        list.map(({ node }) => [node.code, node.media_type, node.video_versions.length]),
        [
          ["C4se4kTgAXr", 2, 1],
          ["C4p6FkB-PDp", 1, 0],
          ["C4p6FkB-PDq", 8, 0],
        ],
      );
    },
    { subject: "sem_lindqvist" },
  ));

test("graph-api: media with comments, and an account that was looked up; ids come from the permalinks", () =>
  withFiles(["graph-api/media.json", "graph-api/discovery.json"], async (imported) => {
    const list = (await posts<UserPosts>(imported, "mira.holm")).posts;
    assert.deepEqual(
      list.map(({ node }) => [node.code, node.pk, node.media_type, node.like_count, node.comment_count, node.taken_at]),
      [
        ["C46DAsTgAel", "3330988116105234341", 2, 0, 0, 1711281600],
        ["C43eN0TgAcH", "3330263340374034183", 8, 312, 2, 1711195200],
      ],
    );
    assert.equal(list[0]?.node.video_versions[0]?.url, "https://media.example/gulls.mp4");
    const { user_data: tavo } = await profile<Profile>(imported, "tavo.reyes");
    assert.deepEqual([tavo.full_name, tavo.follower_count, tavo.media_count], ["Tavo Reyes", 955, 41]);
    assert.equal((await posts<UserPosts>(imported, "tavo.reyes")).posts[0]?.node.caption.text, "Brass, before polish");
    assert.equal(imported.report.total.records.comment?.new, 2);
    assert.deepEqual(imported.report.total.skipped, { story: 1 });
    assert.deepEqual(imported.report.total.refused, {});
  }));

test("graph-api: a list of comments belongs to the post in --of, or in the comments", () =>
  withFiles(["graph-api/media.json"], async (imported) => {
    const post = "https://www.instagram.com/p/C43eN0TgAcH/";
    const said = { timestamp: "2024-03-24T09:00:00+0000", username: "odile.varga" };
    const reply = { id: "17900000000000532", text: "Soup", ...said };
    const comment = { id: "17900000000000531", text: "And after?", ...said, like_count: 2, replies: { data: [reply] } };
    const linked = { id: "17900000000000533", text: "Gloves", ...said, media: { id: "1", permalink: post } };
    const answer = { id: "17900000000000534", text: "Both", ...said, parent_id: "17900000000000533" };
    const list = { data: [comment, answer], paging: {} };
    assert.deepEqual((await importJson(imported, list, 1)).total.refused, { comments_without_post: 2 });
    await importJson(imported, { data: [linked] }, 1);
    assert.equal((await importJson(imported, list, 1, { subject: post })).total.records.comment?.new, 3);
    assert.deepEqual(
      (await comments(imported, "3330263340374034183")).map(({ text, author_name }) => [text, author_name]),
      [
        ["And after?", "odile.varga"],
        ["Gloves", "odile.varga"],
        ["Cold hands!", "tavo.reyes"],
      ],
    );
  }));

test("bright-data: profiles with their posts, as JSON and as a table with lists in cells", () =>
  withFiles(["bright-data/profiles.json", "bright-data/profiles.csv"], async (imported) => {
    const { user_data: ines } = await profile<Profile>(imported, "ines_okafor");
    assert.deepEqual([ines.pk, ines.follower_count, ines.media_count], ["5501002005", 4021, 77]);
    const [ferry] = (await posts<UserPosts>(imported, "ines_okafor")).posts;
    assert.deepEqual(
      [ferry?.node.code, ferry?.node.pk, ferry?.node.like_count, ferry?.node.media_type],
      ["C4_MmcTgAhh", "3332437667567634529", 140, 1],
    );
    const [bowline] = (await posts<UserPosts>(imported, "sem_lindqvist")).posts;
    assert.deepEqual([bowline?.node.pk, bowline?.node.comment_count], ["3333162443298834623", 2]);
    assert.equal((await search(imported, "pier")).places[0]?.place.location.name, "East Pier");
    const v2 = await profileV2<Record<string, unknown>>(imported, "ines_okafor");
    assert.deepEqual([v2["category"], v2["external_url"]], ["Photographer", "https://ferries.example/"]);
    assert.ok(!JSON.stringify(v2).includes("never-kept"));
  }));

test("bright-data: sets of posts and of reels, as JSON and as a table", () =>
  withFiles(["bright-data/posts.json", "bright-data/reels.csv"], async (imported) => {
    assert.deepEqual([imported.report.total.formats, imported.report.total.refused], [{ "bright-data": 2 }, {}]);
    const [ferry] = (await posts<UserPosts>(imported, "ines_okafor")).posts;
    assert.deepEqual(
      [ferry?.node.pk, ferry?.node.like_count, ferry?.node.comment_count, ferry?.node.taken_at, ferry?.node.media_type],
      ["3332437667567634529", 140, 11, 1711454400, 8],
    );
    assert.equal(ferry?.node.caption.text, "Last ferry #ferry");
    assert.deepEqual(ferry?.node.video_versions, [], "an album has no video of its own");
    const [joint] = (await posts<UserPosts>(imported, "tavo.reyes")).posts;
    assert.deepEqual([joint?.node.pk, joint?.node.user.username], [ferry?.node.pk, "ines_okafor"]);
    assert.equal((await tagged<TaggedPosts>(imported, "mira.holm")).tagged_posts.length, 1);
    assert.equal(imported.report.total.records.comment?.new, 1);
    const [bowline] = (await posts<UserPosts>(imported, "sem_lindqvist")).posts;
    assert.deepEqual(
      [bowline?.node.code, bowline?.node.media_type, bowline?.node.video_versions[0]?.url],
      ["C5BxZUTgAi_", 2, "https://media.example/bowline.mp4"],
    );
    assert.equal((await hashtag(imported, "knots")).posts.edges.length, 1);
    const { user_data: ines } = await profile<Profile>(imported, "ines_okafor");
    assert.deepEqual([ines.pk, ines.follower_count, ines.media_count], ["5501002005", 4021, 77]);
  }));

test("bright-data: sets of comments, as JSON and as a table", () =>
  withFiles(["bright-data/posts.json", "bright-data/comments.json", "bright-data/comments.csv"], async (imported) => {
    const { formats, refused } = imported.report.total;
    assert.deepEqual([formats, refused], [{ "bright-data": 4 }, { comment_without_id: 1 }]);
    const found = await comments(imported, "3332437667567634529");
    assert.deepEqual(
      found.map(({ author_name, published_at, counters, text }) => [author_name, published_at, counters, text]),
      [
        ["odile.varga", 1711620000, { likes: 0, replies: 0 }, "Cold, surely"],
        ["sem_lindqvist", 1711528200, { likes: 5, replies: 2 }, "Which pier?"],
        ["tavo.reyes", 1711497600, {}, "Cold?"],
      ],
    );
  }));

test("phantombuster: profiles without their contact details", () =>
  withFiles(["phantombuster/profiles.csv"], async (imported) => {
    const { user_data: odile } = await profile<Profile>(imported, "odile.varga");
    assert.deepEqual([odile.pk, odile.follower_count, odile.media_count], ["5501002011", 2101, 66]);
    const v2 = await profileV2<Record<string, unknown>>(imported, "odile.varga");
    assert.deepEqual([v2["biography"], v2["category"]], ["Bread, at six", "Bakery"]);
    assert.deepEqual([v2["email_from_biography"], v2["phone_from_biography"]], [[], []]);
    assert.equal((await profile<Profile>(imported, "mira.holm")).user_data.follower_count, 18_300);
  }));

test("crowdtangle: posts, and the followers that their accounts had then", () =>
  withFiles(["crowdtangle/search-csv-export.csv"], async (imported) => {
    const { posts: list } = await posts<UserPosts>(imported, "runa.fjeld");
    assert.deepEqual(
      list.map(({ node }) => [node.code, node.media_type, node.like_count, node.comment_count, node.taken_at]),
      [
        ["C4NlWETgAEv", 2, 90, 10, 1709816400],
        ["C4IbwUTgABl", 1, 1412, 12, 1709640000],
      ],
    );
    assert.deepEqual(
      [list[1]?.node.caption.text, list[1]?.node.user.full_name, list[1]?.node.image_versions2.candidates[0]?.url],
      ['First firing, "cone 10" #Kiln', "Runa Fjeld", "https://media.example/firing.jpg"],
    );
    const post = (id: string) =>
      imported.server.json<{ post: { counters: object; approximate?: string[] } }>(
        `/api/post?platform=photoshare&id=${id}`,
      );
    const { post: glaze } = await post("3318472744613445935");
    const { post: firing } = await post("3317023193151045733");
    assert.deepEqual(
      [glaze.counters, firing.counters],
      [
        { likes: 90, comments: 10, views: 9100 },
        { likes: 1412, comments: 12 },
      ],
    );
    // `CET` may stand for several time zones.
    assert.deepEqual([glaze.approximate, firing.approximate], [["published_at"], undefined]);
    assert.equal((await profile<Profile>(imported, "runa.fjeld")).user_data.follower_count, 742);
    const { user_data: tavo } = await profile<Profile>(imported, "tavo.reyes");
    assert.deepEqual([tavo.full_name, tavo.follower_count], ["Tavo Reyes", 0]);
    assert.deepEqual(imported.report.total.refused, {});
  }));

test("web responses of 2016 and 2017: /media/ lists and hashtags", () =>
  withFiles(["web/media-2016.json", "web/tag-2017.json"], async (imported) => {
    const list = (await posts<UserPosts>(imported, "tavo.reyes")).posts;
    assert.deepEqual(
      list.map(({ node }) => [node.code, node.media_type, node.like_count, node.taken_at, node.caption.text]),
      [
        ["BTRGSrIgAAB", 0, 18, 1493208000, "Green glass #lamps"],
        ["BIKgxEgA4Q9", 2, 12, 1469624400, ""],
        ["BIKgxEgA4Q8", 1, 31, 1469620800, "First lamp of the shop #lamps"],
      ],
    );
    assert.equal(list[1]?.node.video_versions[0]?.url, "https://media.example/lamp.mp4");
    const lamps = await hashtag(imported, "lamps");
    assert.deepEqual([lamps.posts.count, lamps.posts.edges.length], [8120, 2]);
    assert.equal((await tagged<TaggedPosts>(imported, "mira.holm")).tagged_posts.length, 1);
  }));

test("instagrapi: its own names for captions, pictures, videos, albums and tags", () =>
  withFiles(["web/instagrapi.json"], async (imported) => {
    const { posts: list } = await posts<UserPosts>(imported, "asta.brink");
    assert.deepEqual(
      list.map(({ node }) => [node.code, node.media_type, node.taken_at, node.caption.text]),
      [
        ["C5MEk6s5Qf2", 2, 1711886400, ""],
        ["C5JfyCs5Qf1", 8, 1711800000, "Two glazes #glaze"],
      ],
    );
    assert.deepEqual(
      list.map(({ node }) => [node.image_versions2.candidates[0]?.url, node.video_versions[0]?.url]),
      [
        ["https://media.example/wheel.jpg", "https://media.example/wheel.mp4"],
        ["https://media.example/glaze-1.jpg", undefined],
      ],
    );
    assert.equal((await tagged<TaggedPosts>(imported, "tavo.reyes")).tagged_posts[0]?.node.pk, "3335336777360934901");
    assert.equal((await hashtag(imported, "glaze")).posts.edges.length, 1);
    assert.equal((await search(imported, "yard")).places[0]?.place.location.name, "Glaze Yard");
  }));

test("gallery-dl: the slug of a place does not replace its name, whatever the order", async () => {
  const code = "C4IbwUTgABl";
  const place = { pk: "880077", name: "Café Müller-Quay, Vale Azul" };
  const media = { media_type: 1, image_versions2: { candidates: [{ url: "https://media.example/quay.jpg" }] } };
  const web = { items: [{ pk: "3317023193151045733", code, taken_at: 1_709_640_000, ...media, location: place }] };
  const medium = {
    category: "instagram",
    subcategory: "posts",
    post_id: "3317023193151045733",
    post_shortcode: code,
    location_id: place.pk,
    location_slug: "cafe-muller-quay",
  };
  const captures = [web, medium].map((value, index) => ({ value, at: 1_780_000_000_000 + index }));
  for (const order of [captures, captures.toReversed()]) {
    await withFiles([], async (imported) => {
      for (const { value, at } of order) await importJson(imported, value, at);
      assert.equal((await search(imported, "quay")).places[0]?.place.location.name, place.name);
    });
  }
});

test("instagrapi: what it writes where it was given nothing replaces nothing", () =>
  withFiles(
    ["web/instagrapi.json"],
    async (imported) => {
      const given = { pk: "3335336777360934901", code: "C5JfyCs5Qf1", taken_at: "2024-03-30 12:00:00+00:00" };
      const nobody = { username: null, full_name: "", profile_pic_url: null };
      const mira = { pk: "5501002003", username: "mira.holm", full_name: "Mira Holm", biography: "Harbours" };
      await importJson(imported, mira, 1_725_000_000_000);
      const dump = {
        ...given,
        media_type: 8,
        user: { pk: "5501002041", ...nobody },
        usertags: [{ user: { pk: "5501002004", ...nobody }, x: 0.1, y: 0.2 }],
        coauthor_producers: [{ ...mira, full_name: "" }],
        caption_text: "Two glazes #glaze",
        comments_disabled: false,
        like_count: 0,
        comment_count: 0,
        play_count: 0,
        view_count: 0,
        video_duration: 0,
        title: "",
        resources: [],
      };
      await importJson(imported, [dump], 1_730_000_000_000);
      const album = (await posts<UserPosts>(imported, "asta.brink")).posts[1]?.node;
      assert.deepEqual(
        [album?.code, album?.like_count, album?.comment_count, album?.user.full_name],
        ["C5JfyCs5Qf1", 6, 5, "Asta Brink"],
      );
      const names = { "asta.brink": "Asta Brink", "tavo.reyes": "Tavo Reyes", "mira.holm": "Mira Holm" };
      for (const [name, fullName] of Object.entries(names)) {
        assert.equal((await profile<Profile>(imported, name)).user_data.full_name, fullName);
      }
    },
    { capturedAt: 1_720_000_000_000 },
  ));

test("one picture, bare URLs and links without a title replace no richer lists, whatever the order", async () => {
  const size = (name: string, width: number) => ({ url: `https://media.example/${name}`, width, height: width });
  const medium = (pk: string, media_type: number) => ({
    pk,
    media_type,
    image_versions2: { candidates: [size(`${pk}.jpg`, 1080), size(`${pk}-s.jpg`, 320)] },
  });
  const id = "3466666666666600001";
  const known = { code: "DAcEvdVWaZB", taken_at: 1_779_000_000 };
  const wren = { pk: "5560001", username: "wren.castellow", full_name: "Wren Castellow" };
  const [shop, kiln, old] = ["shop", "kiln", "old"].map((name) => `https://${name}.example/`);
  const item = {
    ...medium(id, 8),
    ...known,
    user: wren,
    usertags: { in: [{ user: { pk: "7788", username: "tag.owner" } }] },
    carousel_media: [
      medium("901", 1),
      { ...medium("902", 2), video_versions: [size("902.mp4", 720), size("902-s.mp4", 320)] },
    ],
  };
  const links = [
    { title: "Shop", lynx_url: "https://l.example/shop", url: shop },
    { title: "Old", url: old },
  ];
  const graphApi = {
    id: "17896666600001",
    media_type: "CAROUSEL_ALBUM",
    media_url: "https://media.example/graph.jpg",
    permalink: "https://www.instagram.com/p/DAcEvdVWaZB/",
    timestamp: "2026-05-17T06:40:00+0000",
    username: wren.username,
  };
  const [first, second] = ["https://media.example/1.jpg", "https://media.example/2.jpg"];
  const scrapfly = {
    id,
    shortcode: known.code,
    taken_at: known.taken_at,
    dimensions: { width: 1080, height: 1350 },
    src: first,
    src_attached: [first, second],
    captions: [],
    related_profiles: [],
  };
  const profileOfScrapfly = {
    id: wren.pk,
    username: wren.username,
    followers: 3,
    follows: 4,
    profile_image: "https://scontent.cdninstagram.com/wren.jpg",
    image_count: 1,
    bio_links: [shop, kiln],
  };
  const instagrapi = {
    ...known,
    pk: id,
    media_type: 8,
    user: wren,
    caption_text: "",
    usertags: [],
    resources: [
      { pk: "901", media_type: 1, thumbnail_url: first },
      { pk: "902", media_type: 2, thumbnail_url: second, video_url: "https://media.example/2.mp4" },
    ],
  };
  const captures = [
    { items: [item], users: [{ ...wren, biography: "", bio_links: links }] },
    { data: [graphApi] },
    [scrapfly],
    profileOfScrapfly,
    [instagrapi],
  ].map((value, index) => ({ value, at: 1_780_000_000_000 + index }));
  for (const order of [captures, captures.toReversed()]) {
    await withFiles([], async (imported) => {
      for (const { value, at } of order) await importJson(imported, value, at);
      const { tagged_posts: list } = await tagged<{ tagged_posts: { node: object }[] }>(imported, "tag.owner");
      const { image_versions2, carousel_media } = item;
      assert.deepEqual(list[0]?.node, { ...list[0]?.node, image_versions2, carousel_media });
      const shown = await bioLinks<{ title: string; lynx_url: string; url: string }[]>(imported, wren.username);
      assert.deepEqual(
        shown.map(({ title, lynx_url, url }) => [title, lynx_url, url]),
        [
          ["Shop", "https://l.example/shop", shop],
          ["", "", kiln],
        ],
      );
    });
  }
});

test("takeout: followers known by name resolve to accounts, in any import order", () =>
  withFiles(
    ["takeout/followers_1.json", "takeout/following.json", "takeout/blocked_profiles.json"],
    async (imported) => {
      const names = async () =>
        (await followers<Followers>(imported, "mira.holm")).users.map(({ username }) => username);
      assert.deepEqual(await names(), ["sem_lindqvist", "odile.varga"]);
      assert.equal((await followers<Followers>(imported, "tavo.reyes")).users[0]?.username, "mira.holm");
      await imported.importMore([fixturePath("scrapfly/user.json")]);
      const { users } = await followers<Followers>(imported, "mira.holm");
      assert.deepEqual(users[0], { ...users[0], id: "5501002012", username: "sem_lindqvist" });
    },
    { subject: "mira.holm" },
  ));

test("takeout: without --of nothing is guessed, and the report asks for it", () =>
  withFiles(["takeout/followers_1.json"], async ({ report }) => {
    assert.deepEqual(Object.keys(report.total.refused), ["followers_without_owner"]);
  }));

test("a newer capture wins; an older or partial one erases nothing", () =>
  withFiles(
    ["web/items.json"],
    async (imported) => {
      await imported.importMore([fixturePath("zeeschuimer.ndjson")], { capturedAt: 1_700_000_000_000 });
      const photo = (await posts<UserPosts>(imported, "mira.holm")).posts.at(-1)?.node;
      assert.deepEqual([photo?.like_count, photo?.user.full_name], [412, "Mira Holm"]);
    },
    { capturedAt: 1_720_000_000_000 },
  ));
