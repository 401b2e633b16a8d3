import assert from "node:assert/strict";
import { test } from "node:test";
import { fixture, nativeOf, recognised } from "#testing/photoshare-fixtures.ts";
import { recordingCollector } from "#testing/recording-collector.ts";
import { sourceFile } from "#testing/source-documents.ts";
import { recognise } from "./recognise.ts";

const MIRA = "5501002003";
const PHOTO = "3317023193151045733";
const ALBUM = "3317747968882245834";
const REEL = "3318472744613445935";

test("an item yields the post, its author, place, tagged accounts, hashtags and comments", () => {
  const found = recognised(fixture("web/items.json"));
  const photo = found.posts.find(({ id }) => id === PHOTO);
  assert.equal(photo?.authorId, MIRA);
  assert.equal(photo?.publishedAt, 1709640000);
  assert.deepEqual(photo?.hashtags, ["Harbour", "morninglight"]);
  assert.deepEqual(photo?.taggedIds, ["5501002004"]);
  assert.equal(photo?.placeId, "880011");
  assert.deepEqual(photo?.counters, { likes: 412, comments: 2 });
  assert.deepEqual(found.places[0], {
    id: "880011",
    name: "Harbour Market",
    latitude: 55.61,
    longitude: 12.99,
    address: "12 Quay Row",
    city: "Sandhamn",
    counters: undefined,
  });
  assert.deepEqual(
    found.comments.map(({ id, postId, parentId }) => [id, postId, parentId]),
    [
      ["17900000000000011", PHOTO, undefined],
      ["17900000000000012", PHOTO, "17900000000000011"],
    ],
  );
});

test("data that only the capturing person sees is not collected", () => {
  const kept = JSON.stringify([recognised(fixture("web/items.json")), recognised(fixture("web/profile.json"))]);
  assert.doesNotMatch(kept, /has_liked|friendship_status|mutual|facepile/);
});

test("hidden likes are unknown, and a null caption is an empty text", () => {
  const album = recognised(fixture("web/items.json")).posts.find(({ id }) => id === ALBUM);
  assert.deepEqual(album?.counters, { comments: 0 });
  assert.equal(album?.text, "");
  assert.deepEqual(album?.taggedIds, ["5501002005"]);
  const parts = nativeOf(album)["carousel_media"] as { media_type?: number }[];
  assert.deepEqual(
    parts.map(({ media_type }) => media_type),
    [1, 2],
  );
});

test("names in GraphQL responses of the app have the type of numbers before them", () => {
  const { posts, places } = recognised({
    __typename: "XDTMediaDict",
    id: `${PHOTO}_${MIRA}`,
    code: "C4IbwUTgABl",
    media_type: 1,
    "1ltaken_at": 1709640000,
    caption: null,
    location: { pk: "880011", name: "Harbour Market", "1flat": 55.61, "1flng": 12.99 },
    user: { id: MIRA, username: "mira.holm" },
  });
  assert.deepEqual([posts[0]?.id, posts[0]?.publishedAt, posts[0]?.text], [PHOTO, 1709640000, ""]);
  assert.deepEqual([places[0]?.latitude, places[0]?.longitude], [55.61, 12.99]);
  const follower = { pk: "7", username: "seven", "1llatest_reel_media": 1709640000, "1lfollower_count": 12 };
  const { accounts } = recognised({ users: [follower] }, null, "mira.holm", "followers.json");
  assert.deepEqual(
    [accounts[0]?.counters, accounts[0]?.native],
    [{ followers: 12 }, { latest_reel_media: 1709640000 }],
  );
});

test("an empty text that Instagram gave is known to be empty", () => {
  const user = { pk: 1, username: "one", biography: "", full_name: "", city_name: "", zip: "", category: "" };
  const [account] = recognised(user).accounts;
  assert.deepEqual([account?.bio, account?.displayName], ["", ""]);
  assert.deepEqual(account?.native, { city_name: "", zip: "", category: "" });
  const item = {
    pk: PHOTO,
    code: "C4IbwUTgABl",
    media_type: 1,
    taken_at: 1709640000,
    caption: { text: "" },
    title: "",
  };
  const [post] = recognised({ ...item, user }).posts;
  assert.deepEqual([post?.text, post?.title], ["", ""]);
});

test("pictures in image_versions and accounts in tagged_users are those of the item, also in an album", () => {
  const image = (name: string) => ({
    image_versions: { items: [{ url: `https://media.example/${name}.jpg`, width: 640, height: 480 }] },
  });
  const candidates = (name: string) => ({
    candidates: [{ url: `https://media.example/${name}.jpg`, width: 640, height: 480 }],
  });
  const [post] = recognised({
    id: ALBUM,
    code: "C4LAjMTgADK",
    media_type: 8,
    taken_at: 1709640000,
    caption: { text: "Nets" },
    user: { id: MIRA, username: "mira.holm" },
    ...image("nets"),
    tagged_users: [{ position: [0, 0], user: { id: "5501002004", username: "tavo.reyes" } }],
    carousel_media: [{ id: "1", media_type: 1, ...image("part") }],
  }).posts;
  assert.deepEqual(post?.taggedIds, ["5501002004"]);
  assert.deepEqual(nativeOf(post)["image_versions2"], candidates("nets"));
  assert.deepEqual(nativeOf(post)["carousel_media"], [{ pk: "1", media_type: 1, image_versions2: candidates("part") }]);
});

test("plays replace views that Instagram no longer counts", () => {
  const { posts, sounds } = recognised(fixture("web/items.json"));
  const reel = posts.find(({ id }) => id === REEL);
  assert.equal(reel?.counters?.views, 20450);
  assert.equal(reel?.durationS, 21.4);
  assert.equal(reel?.soundId, "4400110022003300");
  assert.equal(sounds[0]?.artistId, MIRA);
});

test("advertisements are skipped and reported", () => {
  const { posts, skipped } = recognised(fixture("web/items.json"));
  assert.equal(posts.length, 3);
  assert.deepEqual(skipped, ["advertisement"]);
});

test("a post whose user and owner are different people is refused", () => {
  const item = { pk: PHOTO, code: "C4IbwUTgABl", media_type: 1, taken_at: 1709640000, caption: null };
  const disputed = recognised({ ...item, user: { pk: 1, username: "one" }, owner: { pk: 2, username: "two" } });
  assert.deepEqual(disputed.posts, []);
  assert.deepEqual(disputed.refused, ["post_with_two_authors"]);
  const renamed = recognised({ ...item, user: { pk: 1, username: "one" }, owner: { pk: 1, username: "two" } });
  assert.equal(renamed.posts.length, 1);
});

test("those who published a post together are its authors, in either format", () => {
  const mira = { pk: 1, username: "mira.holm" };
  const sem = { pk: 2, username: "sem_lindqvist", is_verified: false };
  const item = { pk: PHOTO, code: "C4IbwUTgABl", media_type: 1, taken_at: 1709640000, coauthor_producers: [sem] };
  const graph = { id: PHOTO, shortcode: "C4IbwUTgABl", taken_at_timestamp: 1709640000, coauthor_producers: [sem] };
  for (const post of [
    { ...item, user: mira },
    { ...graph, owner: mira },
    // In a list of the second author.
    { ...item, user: sem, owner: mira },
  ]) {
    const { posts, accounts } = recognised(post);
    assert.deepEqual(
      posts.map(({ authorId, coauthorIds }) => [authorId, coauthorIds]),
      [["1", ["2"]]],
    );
    assert.deepEqual(
      accounts.map(({ name }) => name),
      ["mira.holm", "sem_lindqvist"],
    );
  }
});

test("a post that is only shown to those who are logged in is skipped, not stored empty", () => {
  const gated = { __typename: "XIGPolarisImageMedia", pk: PHOTO, code: "C4IbwUTgABl", if_not_gated_logged_out: null };
  const { posts, skipped, refused } = recognised({ data: { xig_polaris_media: gated } });
  assert.deepEqual([posts, skipped, refused], [[], ["a post that is only shown to those who are logged in"], []]);
});

test("other posts of an author who is in a hashtag's list have that hashtag only if they say so", () => {
  const other = { pk: ALBUM, code: "C4LAjMTgADK", media_type: 1, taken_at: 1709640000, caption: { text: "Nets" } };
  const user = { pk: MIRA, username: "mira.holm", polaris_ordered_timeline_connection: { edges: [{ node: other }] } };
  const node = { pk: PHOTO, code: "C4IbwUTgABl", media_type: 1, taken_at: 1709640000, caption: null, user };
  const { posts } = recognised({ name: "harbour", edge_hashtag_to_media: { edges: [{ node }] } });
  assert.deepEqual(
    posts.map(({ id, authorId, hashtags }) => [id, authorId, hashtags]),
    [
      [ALBUM, MIRA, []],
      [PHOTO, MIRA, ["harbour"]],
    ],
  );
});

test("a post without any id is refused, one with a code alone is not", () => {
  const item = { media_type: 1, taken_at: 1709640000, user: { pk: 1, username: "one" } };
  assert.deepEqual(recognised(item).refused, ["post_without_id"]);
  assert.deepEqual(
    recognised({ ...item, code: "C4IbwUTgABl" }).posts.map(({ id }) => id),
    [PHOTO],
  );
});

test("a profile in the new form yields everything that belongs to it", () => {
  const { accounts } = recognised(fixture("web/profile.json"));
  const [mira] = accounts;
  assert.equal(mira?.id, MIRA);
  assert.equal(mira?.bio, "Harbours and hands. Write to mira@studio.example");
  assert.deepEqual(mira?.counters, { followers: 18203, following: 310, posts: 87 });
  const native = nativeOf(mira);
  assert.equal(native["category"], "Photographer");
  assert.equal(native["fbid_v2"], "17841400000000003");
  assert.deepEqual(native["bio_links"], [
    {
      link_type: "external",
      title: "Prints",
      lynx_url: "https://l.links.example/?u=prints",
      url: "https://prints.example/mira",
      is_pinned: false,
    },
  ]);
});

test("posts and lists of followers on Threads are skipped, and Instagram's users with a badge of Threads are not", () => {
  const user = { pk: "7", username: "seven", profile_pic_url: "https://media.example/7.jpg" };
  const post = { pk: PHOTO, code: "C4IbwUTgABl", media_type: 1, taken_at: 1709640000, user };
  const onThreads = recognised({ post, followers: [user] }, "https://www.threads.net/graphql/query", "mira.holm");
  assert.deepEqual(onThreads.skipped, ["a Threads post", "a Threads profile"]);
  assert.deepEqual([onThreads.accounts, onThreads.posts, onThreads.follows], [[], [], []]);
  const saved = { users: [{ ...user, text_post_app_is_private: false }] };
  const { accounts, follows, skipped } = recognised(saved, null, "mira.holm", "followers.json");
  assert.deepEqual([accounts, follows, skipped], [[], [], ["a Threads profile"]]);
  const badge = {
    show_text_post_app_badge: true,
    text_post_app_badge_label: "seven",
    has_onboarded_to_text_post_app: 1,
  };
  assert.equal(recognised({ data: { user: { ...user, ...badge } } }).accounts.length, 1);
});

test("the largest of several profile pictures is kept", () => {
  const sizes = [320, 640].map((width) => ({ url: `https://media.example/${width}.jpg`, width, height: width }));
  const [account] = recognised({ pk: 1, username: "one", hd_profile_pic_versions: sizes, biography: "" }).accounts;
  assert.deepEqual(nativeOf(account)["hd_profile_pic_url_info"], { url: "https://media.example/640.jpg" });
});

test("a profile in the old form yields its posts, comments and tagged accounts", () => {
  const { accounts, posts, comments } = recognised(fixture("web/profile-old.json"));
  const tavo = accounts.find(({ bio }) => bio != null);
  assert.deepEqual(tavo?.counters, { followers: 940, following: 120, posts: 41 });
  assert.deepEqual(nativeOf(tavo)["city_name"], "Bramford");
  assert.deepEqual(posts[0]?.taggedIds, [MIRA]);
  assert.equal(comments[0]?.postId, posts[0]?.id);
  assert.ok(!accounts.some(({ name }) => name === "viewer.friend"));
});

test("a profile of 2017 yields the account with its counts and all of its posts", () => {
  const { accounts, posts, refused } = recognised(fixture("web/profile-2017.json"));
  assert.deepEqual(accounts.find(({ name }) => name === "runa.fjeld")?.counters, {
    followers: 731,
    following: 95,
    posts: 212,
  });
  assert.deepEqual(
    posts.map(({ id, authorId, publishedAt, text, counters }) => [id, authorId, publishedAt, text, counters]),
    [
      ["1612345678901234567", "5501002031", 1506945600, "Second firing #clay", { likes: 84, comments: 3 }],
      ["1610345678901234567", "5501002031", 1506707200, "Kiln day", { likes: 61, comments: 0 }],
    ],
  );
  assert.equal(nativeOf(posts[0])["display_uri"], "https://media.example/BZgK3T-hZ2H.jpg");
  assert.deepEqual(refused, []);
});

test("a list of a profile that is not understood is refused; posts in a list of an unknown name are read", () => {
  const user = { id: MIRA, username: "mira.holm", biography: "", profile_pic_url: "https://media.example/m.jpg" };
  const unknown = { edge_of_tomorrow: { edges: [{ node: { id: "9", what: "?" } }] } };
  assert.deepEqual(recognised({ ...user, ...unknown }).refused, ["unknown_record"]);
  const node = { id: "77", shortcode: "C4IbwUTgABl", taken_at_timestamp: 1709640000 };
  const { posts, refused } = recognised({ ...user, edge_web_feed_timeline: { edges: [{ node }] } });
  assert.deepEqual([posts.map(({ id, authorId }) => [id, authorId]), refused], [[["77", MIRA]], []]);
});

test("instagram-scraper: the name beside the owner's id is the author's, and the profile has its counts", () => {
  const { accounts, posts, comments } = recognised(fixture("web/instagram-scraper.json"));
  assert.deepEqual(
    posts.map(({ id, authorId }) => [id, authorId]),
    [
      ["2412345678901234561", "5501002032"],
      ["2412345678901234572", "5501002032"],
    ],
  );
  assert.deepEqual(
    accounts.filter(({ id }) => id === "5501002032").map(({ name, counters }) => [name, counters]),
    [
      ["loom.and.wool", undefined],
      ["loom.and.wool", undefined],
      ["loom.and.wool", { followers: 4120, following: 310, posts: 88 }],
    ],
  );
  assert.deepEqual(
    comments.map(({ postId, authorId }) => [postId, authorId]),
    posts.map(({ id }) => [id, "5501002031"]),
  );
});

test("InstaTouch: the caption, views, type and size have names of their own", () => {
  const { posts } = recognised({
    id: REEL,
    shortcode: "C4NlWETgAEv",
    type: "GraphVideo",
    is_video: true,
    dimension: { height: 1350, width: 1080 },
    display_url: "https://media.example/mending.jpg",
    owner: { id: MIRA, username: "mira.holm" },
    description: "Mending nets #förtöjning #harbour",
    comments: 7,
    likes: 90,
    views: 4321,
    taken_at_timestamp: 1709812800,
    // It cuts them at letters with accents.
    hashtags: ["#f", "#harbour"],
  });
  assert.deepEqual(
    posts.map(({ text, hashtags, counters }) => [text, hashtags, counters]),
    [["Mending nets #förtöjning #harbour", ["förtöjning", "harbour"], { likes: 90, views: 4321, comments: 7 }]],
  );
  const { media_type, original_width, original_height, __typename } = nativeOf(posts[0]);
  assert.deepEqual([media_type, original_width, original_height, __typename], [2, 1080, 1350, "GraphVideo"]);
  const other = { id: PHOTO, shortcode: "C4IbwUTgABl", type: "photo", taken_at_timestamp: 1709640000 };
  const [post] = recognised(other).posts;
  assert.deepEqual([post?.text, post?.counters, nativeOf(post)["__typename"]], [undefined, undefined, undefined]);
});

test("instagrapi: parts of an album have their pictures and videos; no tags and 0 views may only be left out", () => {
  const [album, reel] = recognised(fixture("web/instagrapi.json")).posts;
  assert.deepEqual(nativeOf(album)["carousel_media"], [
    {
      pk: "3335336777360934903",
      media_type: 1,
      image_versions2: { candidates: [{ url: "https://media.example/glaze-1.jpg" }] },
    },
    {
      pk: "3335336777360934904",
      media_type: 2,
      image_versions2: { candidates: [{ url: "https://media.example/glaze-2.jpg" }] },
      video_versions: [{ url: "https://media.example/glaze-2.mp4" }],
    },
  ]);
  assert.deepEqual([album?.taggedIds, reel?.taggedIds], [["5501002004"], undefined]);
  assert.deepEqual(
    [album?.counters, reel?.counters],
    [
      { likes: 6, comments: 5 },
      { likes: 6, comments: 5, views: 900, plays: 900 },
    ],
  );
});

test("instagrapi: a comment has its likes, and belongs to the post in --of", () => {
  const user = { pk: "9", username: "nine" };
  const times = { created_at_utc: "2024-03-30T12:05:00+00:00", content_type: "comment", status: "Active" };
  const [comment] = recognised(
    [{ pk: "17900000000000052", text: "Hm", user, ...times, has_liked: null, like_count: 4 }],
    null,
    "C4IbwUTgABl",
  ).comments;
  assert.deepEqual([comment?.postId, comment?.publishedAt, comment?.counters], [PHOTO, 1711800300, { likes: 4 }]);
});

test("InstaTouch: a comment has its likes and the number of its replies", () => {
  const owner = { id: "5501002004", username: "tavo.reyes", profile_pic_url: null };
  const comment = { id: "17900000000000031", text: "Yes", created_at: 1709640300, owner, likes: 9, comments: 2 };
  const { comments } = recognised([comment], null, "C4IbwUTgABl");
  assert.deepEqual(
    comments.map(({ postId, counters }) => [postId, counters]),
    [[PHOTO, { likes: 9, replies: 2 }]],
  );
});

test("--of names the author of a list that has only the id, and not a second one", () => {
  const post = (id: string, owner: string) => ({
    id,
    shortcode: "C4IbwUTgABl",
    taken_at_timestamp: 1709640000,
    owner: { id: owner },
  });
  const { accounts } = recognised([post("11", "5"), post("12", "5"), post("13", "6")], null, "loom.and.wool");
  assert.deepEqual(
    accounts.map(({ id, name }) => [id, name]),
    [
      ["5", "loom.and.wool"],
      ["5", "loom.and.wool"],
      ["6", undefined],
    ],
  );
  const inHashtag = { name: "clay", edge_hashtag_to_media: { edges: [{ node: post("14", "7") }] } };
  assert.equal(recognised(inHashtag, null, "loom.and.wool").accounts[0]?.name, undefined);
  const [subject] = recognised(post("3317023193151045733", "7"), null, "C4IbwUTgABl").accounts;
  assert.equal(subject?.name, undefined, "--of names the post, not its author");
});

test("a hashtag response yields the hashtag, and its posts have it even if their caption does not", () => {
  const { hashtags, posts } = recognised(fixture("web/hashtag.json"));
  assert.equal(hashtags[0]?.id, "17841500000000007");
  assert.deepEqual(hashtags[0]?.counters, { posts: 5120 });
  assert.deepEqual(
    posts.map((post) => post.hashtags),
    [["lanterns"], ["Lanterns"]],
  );
});

test("a thumbnail is kept as it was captured, not taken from those of other sizes", () => {
  const node = { id: "77", shortcode: "C4IbwUTgABl", thumbnail_src: "https://media.example/square.jpg" };
  const resources = [{ src: "https://media.example/640.jpg", config_width: 640, config_height: 640 }];
  const [post] = recognised({ ...node, thumbnail_resources: resources }).posts;
  assert.equal(nativeOf(post)["thumbnail_src"], "https://media.example/square.jpg");
});

test("a place response yields the place, and its posts are at that place", () => {
  const { places, posts } = recognised(fixture("web/location.json"));
  assert.deepEqual(places[0]?.counters, { posts: 77 });
  assert.equal(places[0]?.address, "3 Kiln Lane");
  assert.equal(posts[0]?.placeId, "880012");
  assert.equal(posts[0]?.text, "");
});

function followsOf(account: object): object[] {
  return ["5501002011", "5501002012"].map((id) => ({ account, follower: { id } }));
}

test("a list of followers needs its owner, from the URL or from --of; else it is refused", () => {
  const followers = fixture("web/followers.json");
  const address = `https://www.instagram.com/graphql/query/?variables=${encodeURIComponent(`{"id":"${MIRA}"}`)}`;
  assert.deepEqual(recognised(followers, address).follows, followsOf({ id: MIRA }));
  assert.deepEqual(recognised(followers, null, "@mira.holm").follows, followsOf({ name: "mira.holm" }));
  const unsaid = recognised(followers);
  assert.deepEqual(unsaid.follows, []);
  assert.deepEqual(unsaid.refused, ["followers_without_owner"]);
  assert.equal(unsaid.accounts.length, 2);
});

test("the URL of a friendship list tells followers from followed accounts", () => {
  const list = { users: [{ pk: 7, username: "seven" }], status: "ok" };
  const at = (path: string) =>
    recognised(list, `https://i.instagram.com/api/v1/friendships/5/${path}/?count=9`).follows;
  assert.deepEqual(at("followers"), [{ account: { id: "5" }, follower: { id: "7" } }]);
  assert.deepEqual(at("following"), [{ account: { id: "7" }, follower: { id: "5" } }]);
});

test("without its URL, the file's name tells followers from followed accounts; else the list is refused", () => {
  const list = { users: [{ pk: 7, username: "seven" }], big_list: false, status: "ok" };
  const named = (name: string, of: string | null = "mira.holm") => recognised(list, null, of, name);
  const mira = { name: "mira.holm" };
  assert.deepEqual(named("mira_Followers_1.json").follows, [{ account: mira, follower: { id: "7" } }]);
  assert.deepEqual(named("following.json").follows, [{ account: { id: "7" }, follower: mira }]);
  assert.deepEqual(named("shaun_followers.json").follows, [{ account: mira, follower: { id: "7" } }]);
  const others = ["unfollowers.json", "non-followers.json", "lost_followers.json", "mira_not_following_back.json"];
  for (const name of ["capture.json", "followers-and-following.json", ...others]) {
    const { follows, refused, accounts } = named(name);
    assert.deepEqual([follows, refused], [[], ["followers_or_following"]]);
    assert.equal(accounts.length, 1);
  }
  assert.deepEqual(named("capture.json", null).refused, ["followers_without_owner"]);
});

test("lists of GraphQL have their direction in their name, and their owner in the URL or in --of", () => {
  const user = { pk: 7, username: "seven" };
  const posted = `https://www.instagram.com/graphql/query?variables=${encodeURIComponent('{"user_id":"5"}')}`;
  for (const [name, list] of Object.entries({
    xdt_api__v1__friendships__followers__connection: { edges: [{ node: user }] },
    xdt_api__v1__friendships__followers: { users: [user] },
    "1$xdt_api__v1__friendships__followers(_request_data:$request_data,user_id:$user_id)": { users: [user] },
  })) {
    const data = { data: { [name]: list } };
    assert.deepEqual(recognised(data, posted).follows, [{ account: { id: "5" }, follower: { id: "7" } }]);
    assert.deepEqual(recognised(data, null, "mira.holm").follows, [
      { account: { name: "mira.holm" }, follower: { id: "7" } },
    ]);
    const unsaid = recognised(data);
    assert.deepEqual([unsaid.follows, unsaid.refused], [[], ["followers_without_owner"]]);
  }
  const following = { xdt_api__v1__friendships__following__connection: { edges: [{ node: user }] } };
  assert.deepEqual(recognised(following, posted).follows, [{ account: { id: "7" }, follower: { id: "5" } }]);
});

test("lists of users that are no responses are followers where the file's name says so", () => {
  const list = { users: [{ id: "7", username: "seven", profile_pic_url: "https://scontent.cdninstagram.com/7.jpg" }] };
  const follows = [{ account: { name: "mira.holm" }, follower: { id: "7" } }];
  assert.deepEqual(recognised({ response: list }, null, "mira.holm", "mira-followers.json").follows, follows);
  const paged = { ...list, count: 1, pagination_token: "" };
  assert.deepEqual(recognised(paged, null, "mira.holm", "mira-followers.json").follows, follows);
  assert.deepEqual(recognised(paged).refused, ["followers_without_owner"]);
  assert.deepEqual(recognised(paged, null, "mira.holm").refused, ["followers_or_following"]);
  assert.deepEqual(recognised(list, null, "mira.holm").follows, []);
  const suggested = "https://www.instagram.com/api/v1/discover/chaining/";
  assert.deepEqual(recognised(list, suggested, "mira.holm", "followers.har").follows, []);
  const asObject = { ...paged, users: { "0": list.users[0] } };
  assert.deepEqual(recognised(asObject, null, "mira.holm", "mira-followers.json").follows, follows);
  assert.deepEqual(recognised(asObject).refused, ["followers_without_owner"]);
  const owner = { users: [{ pk: "5", username: "Mira.Holm" }] };
  assert.deepEqual(recognised(owner, null, "mira.holm", "mira-followers.json").follows, []);
});

test("lists that tools call followers or following belong to --of, if their users are Instagram's", () => {
  const [seven, eight] = [7, 8].map((pk) => ({ pk, username: `user${pk}`, full_name: "", profile_pic_url: null }));
  const lists = { followers: [seven], following: [eight], count: 2 };
  assert.deepEqual(recognised(lists, null, "mira.holm").follows, [
    { account: { name: "mira.holm" }, follower: { id: "7" } },
    { account: { id: "8" }, follower: { name: "mira.holm" } },
  ]);
  const unsaid = recognised(lists);
  assert.deepEqual([unsaid.accounts.length, unsaid.follows], [2, []]);
  assert.deepEqual(unsaid.refused, ["followers_without_owner", "followers_without_owner"]);
  const elsewhere = { username: "seven", display_name: "Seven", avatar_url: "https://media.example/7.jpg" };
  assert.deepEqual(recognised({ followers: [elsewhere], following: 3 }, null, "mira.holm"), recognised({}));
});

test("lists that tools call followers or following belong to the user beside them", () => {
  const [five, seven, eight] = [5, 7, 8].map((pk) => ({ pk, username: `user${pk}`, full_name: "", is_private: false }));
  const lists = { followers: [seven], following: [eight] };
  for (const named of [null, "mira.holm"]) {
    const { follows, refused } = recognised({ user: five, ...lists }, null, named);
    assert.deepEqual(
      [follows, refused],
      [
        [
          { account: { id: "5" }, follower: { id: "7" } },
          { account: { id: "8" }, follower: { id: "5" } },
        ],
        [],
      ],
    );
  }
  const own = recognised({ user: { ...five, phone_number: "" }, ...lists });
  assert.deepEqual([own.accounts.length, own.follows], [2, []], "not to the person who captured them");
});

test("a list without users is no list of followers, whatever the file's name", () => {
  const file = { url: null, file: sourceFile("my_followers.json", null) };
  for (const users of [[], ["seven", "eight"], [{ pk: "7", username: "seven" }, "eight"]]) {
    const { collect } = recordingCollector();
    assert.equal(
      recognise({ users, total: 2 }, collect, () => false, file),
      false,
    );
  }
});

test("profiles in a list of followed accounts have their posts", () => {
  const node = {
    __typename: "GraphImage",
    id: PHOTO,
    shortcode: "C4IbwUTgABl",
    taken_at_timestamp: 1709640000,
    edge_media_to_caption: { edges: [] },
    edge_liked_by: { count: 3 },
  };
  const profile = { id: "7", username: "seven", biography: "", edge_owner_to_timeline_media: { edges: [{ node }] } };
  const found = recognised({ users: [profile] }, null, "mira.holm", "mira_following.json");
  assert.deepEqual(
    found.posts.map(({ id, authorId }) => [id, authorId]),
    [[PHOTO, "7"]],
  );
  assert.deepEqual(found.follows, [{ account: { id: "7" }, follower: { name: "mira.holm" } }]);
});

test("posts of a tagged list of GraphQL tag its owner, and what is beside the list is read", () => {
  const node = {
    pk: PHOTO,
    code: "C4IbwUTgABl",
    media_type: 1,
    taken_at: 1709640000,
    user: { pk: 1, username: "one" },
  };
  for (const list of [
    { xdt_api__v1__usertags__user_id__feed_connection: { edges: [{ node, cursor: "c" }] } },
    { tagged_posts: [{ node, cursor: "c" }], pagination_token: "" },
  ]) {
    assert.deepEqual(recognised(list, null, "mira.holm").posts[0]?.taggedIds, ["name:mira.holm"]);
    const unsaid = recognised({ ...list, posts: [{ ...node, pk: ALBUM }] });
    assert.deepEqual([unsaid.posts.length, unsaid.refused], [2, ["tagged_posts_without_owner"]]);
  }
});

test("posts of a tagged feed tag the account that owns it", () => {
  const tagged = fixture("web/tagged.json");
  assert.deepEqual(recognised(tagged, null, "mira.holm").posts[0]?.taggedIds, ["name:mira.holm"]);
  const unsaid = recognised(tagged);
  assert.equal(unsaid.posts.length, 1);
  assert.deepEqual(unsaid.refused, ["tagged_posts_without_owner"]);
});

test("comments take their post from themselves, from the URL or from --of; else they are refused", () => {
  const { comments } = recognised(fixture("web/comments.json"));
  assert.deepEqual(
    comments.map(({ id, postId, counters }) => [id, postId, counters]),
    [["17900000000000031", REEL, { likes: 3, replies: 0 }]],
  );
  const owner = { id: "9", username: "nine" };
  const node = { id: "17900000000000099", text: "Hm", created_at: 1709640100, owner };
  const frame = { data: { shortcode_media: { edge_media_to_comment: { count: 1, edges: [{ node }] } } } };
  const address = `https://www.instagram.com/graphql/query/?variables=${encodeURIComponent('{"shortcode":"C4IbwUTgABl"}')}`;
  assert.equal(recognised(frame, address).comments[0]?.postId, PHOTO);
  assert.equal(recognised(frame, null, "https://www.instagram.com/p/C4IbwUTgABl/").comments[0]?.postId, PHOTO);
  assert.equal(recognised(frame, null, "C4IbwUTgABl").comments[0]?.postId, PHOTO);
  assert.equal(recognised(frame, null, `C4IbwUTgABl${"a".repeat(28)}`).comments[0]?.postId, PHOTO);
  assert.equal(recognised(frame, null, "https://www.instagram.com/p/BZgK3/").comments[0]?.postId, "23462583");
  for (const unsaid of [null, "tavoreyes", "mira.holm", "Harbours_and_hands"])
    assert.deepEqual(recognised(frame, null, unsaid).refused, ["comments_without_post"]);
});

test("comments of services have only an id; captions, and what has no mark of a comment, are none", () => {
  const user = { id: MIRA, username: "mira.holm", profile_pic_url: "https://scontent.cdninstagram.com/m.jpg" };
  const text = { id: "17900000000000031", text: "Lovely", created_at: 1709640000, user, user_id: MIRA };
  const counts = { child_comment_count: 2, comment_like_count: 5, type: 0 };
  const list = (item: object) => ({ data: { additional_data: { caption: { ...text, type: 1 } }, items: [item] } });
  const read = (item: object) => recognised(list(item), null, "https://www.instagram.com/p/C4IbwUTgABl/").comments;
  assert.deepEqual(
    read({ ...text, ...counts }).map(({ id, postId, authorId, counters }) => [id, postId, authorId, counters]),
    [["17900000000000031", PHOTO, MIRA, { likes: 5, replies: 2 }]],
  );
  assert.deepEqual(recognised(list({ ...text, ...counts })).refused, ["comments_without_post"]);
  for (const item of [text, { ...text, content_type: "note" }, { ...text, ...counts, type: 1 }])
    assert.deepEqual(read(item), []);
});

test("a list of comments says how many its post has, a list of replies does not", () => {
  const countsIn = (response: object) =>
    recognised(response, null, "C4IbwUTgABl").posts.map(({ id, counters }) => [id, counters]);
  const owner = { id: "9", username: "nine" };
  const edge = { count: 45, edges: [{ node: { id: "17900000000000099", text: "Hm", created_at: 1709640100, owner } }] };
  for (const name of ["edge_media_to_comment", "edge_media_to_parent_comment"]) {
    assert.deepEqual(countsIn({ data: { shortcode_media: { [name]: edge } } }), [[PHOTO, { comments: 45 }]]);
  }
  const comment = { pk: "17900000000000098", media_id: PHOTO, text: "Hm", created_at: 1709640100, user: owner };
  const list = { comments: [comment], comment_count: 45 };
  assert.deepEqual(countsIn(list), [[PHOTO, { comments: 45 }]]);
  assert.deepEqual(countsIn({ comments: [comment] }), []);
  const reply = { ...comment, parent_comment_id: "17900000000000097" };
  assert.deepEqual(countsIn({ ...list, comments: [reply] }), []);
});

test("comments on the post's own page belong to that post", () => {
  const user = { pk: "9", username: "nine" };
  const node = { __typename: "XDTCommentDict", pk: "17900000000000051", text: "Hm", created_at: 1709640100, user };
  const page = { xdt_api__v1__media__media_id__comments__connection: { edges: [{ node }] } };
  for (const path of ["p/C4IbwUTgABl/", "mira.holm/reel/C4IbwUTgABl/?hl=en"]) {
    assert.equal(recognised(page, `https://www.instagram.com/${path}`).comments[0]?.postId, PHOTO);
  }
  assert.deepEqual(recognised(page, "https://www.instagram.com/mira.holm/").refused, ["comments_without_post"]);
});

test("a reel in the graph format has its sound and its pinned comment", () => {
  const owner = { id: "9", username: "nine" };
  const comment = (id: string) => ({ node: { id, text: "Hm", created_at: 1709640100, owner } });
  const { posts, sounds, comments } = recognised({
    __typename: "XDTGraphVideo",
    id: REEL,
    shortcode: "C4NlU9TgABv",
    clips_music_attribution_info: { audio_id: "4400110022003311", song_name: "Low tide", artist_name: "Otter Hill" },
    edge_media_to_parent_comment: { count: 2, edges: [comment("17900000000000041")] },
    edge_media_to_hoisted_comment: { edges: [comment("17900000000000042")] },
  });
  assert.equal(posts[0]?.soundId, "4400110022003311");
  assert.deepEqual([sounds[0]?.title, sounds[0]?.artistName], ["Low tide", "Otter Hill"]);
  assert.deepEqual(
    comments.map(({ id, postId }) => [id, postId]),
    [
      ["17900000000000041", REEL],
      ["17900000000000042", REEL],
    ],
  );
});

test("a search response yields accounts, hashtags and places", () => {
  const { accounts, hashtags, places } = recognised(fixture("web/topsearch.json"));
  assert.equal(accounts[0]?.name, "tavo.reyes");
  assert.deepEqual(
    [hashtags[0]?.name, hashtags[0]?.id, hashtags[0]?.counters],
    ["harbour", "17841500000000008", { posts: 90210 }],
  );
  assert.deepEqual(places[0]?.native, { title: "Harbour Market", subtitle: "Sandhamn" });
});

const HASHTAG_PICTURE = "https://scontent.cdninstagram.com/tin.jpg";

test("a list of posts is a hashtag's only if its name can be one", () => {
  const lists = { posts: { edges: [] }, top_posts: { edges: [] } };
  const named = (object: object) =>
    recognised({ profile_pic_url: HASHTAG_PICTURE, ...object, ...lists }).hashtags.map(({ name }) => name);
  assert.deepEqual(named({ name: "tin" }), ["tin"]);
  for (const other of [{ name: "Odile Varga" }, { id: "880021", name: "Tinhill", slug: "tinhill" }])
    assert.deepEqual(named(other), [], other.name);
});

test("an error response is skipped, not refused", () => {
  for (const response of [
    fixture("web/missing-user.json"),
    { data: { xdt_shortcode_media: null }, status: "ok" },
    { message: "Please wait a few minutes before you try again.", status: "fail" },
  ]) {
    const { skipped, refused, accounts, posts } = recognised(response);
    assert.match(skipped[0] ?? "", /^an error response/);
    assert.deepEqual([refused, accounts, posts], [[], [], []]);
  }
});

test("an empty page of a list is skipped, but the account beside the list is read", () => {
  const feed = { items: [], more_available: false, num_results: 0, status: "ok" };
  for (const page of [feed, { comments: [], comment_count: 0, has_more_comments: false, status: "ok" }]) {
    assert.deepEqual(recognised(page).skipped, ["an empty response"]);
  }
  const { accounts, skipped } = recognised({ ...feed, user: { pk: "5501002003", username: "mira.holm" } });
  assert.deepEqual([accounts[0]?.name, skipped], ["mira.holm", []]);
});

test("objects of other platforms are ignored", () => {
  const nothing = recognised({});
  for (const foreign of [
    {
      id: "7300000000000000001",
      desc: "x",
      createTime: 1,
      author: { uniqueId: "a", id: "1" },
      stats: { diggCount: 1 },
    },
    { kind: "youtube#video", id: "abcdefghijk", snippet: { title: "x" }, statistics: { viewCount: "1" } },
    { cid: "1", text: "x", user: { uid: "1", unique_id: "u" } },
    { id: "x", title: "y", uploader: "z", comments: [{ id: "c", text: "t", author: "a" }] },
    { id: "81", username: "pinner", full_name: "A Pinner", pins: [] },
    { video_description: "x", username: "u", id: "1", hashtag_names: [] },
    { tagged_posts: [{ title: "Nets", slug: "nets" }] },
    { items: [], status: "ok" },
    { items: [{ title: "Nets" }], num_results: 1, status: "ok" },
    { id: "12", comments_connection: { nodes: [{ id: "5", text: "First", user: { id: "3", username: "bob" } }] } },
  ]) {
    assert.deepEqual(recognised(foreign), nothing);
  }
});

test("lists and highlights within each other are searched in time, however many there are", { timeout: 10_000 }, () => {
  let lists: unknown = {};
  let highlights: unknown = {};
  for (let depth = 0; depth < 100; depth++) {
    const user = { pk: "5501002041", username: "dell.roan", media: { edges: [{ node: lists }] } };
    lists = { followers: [{ pk: "5501002042", username: "ada.lind" }], user };
    highlights = { id: "highlight:18000000000000001", user: {}, items: [highlights] };
  }
  assert.equal(recognised(lists).follows.length, 100);
  assert.equal(recognised(highlights).accounts.length, 0);
});
