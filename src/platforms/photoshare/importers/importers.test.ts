import assert from "node:assert/strict";
import { test } from "node:test";
import { fixture, fixtureLines, imported, nativeOf } from "#testing/photoshare-fixtures.ts";
import { recordingCollector } from "#testing/recording-collector.ts";
import { sourceDocument, sourceFile } from "#testing/source-documents.ts";
import { fourCat } from "./4cat.ts";
import { apidojo } from "./apidojo.ts";
import { apify } from "./apify.ts";
import { brightData } from "./bright-data.ts";
import { crowdTangle } from "./crowdtangle.ts";
import { galleryDl } from "./gallery-dl.ts";
import { graphApi } from "./graph-api.ts";
import { instaloaderComments } from "./instaloader-comments.ts";
import { instaloader } from "./instaloader.ts";
import { scrapfly } from "./scrapfly.ts";
import { splitResponses } from "./split-responses.ts";
import { takeoutFollowers } from "./takeout-followers.ts";
import { zeeschuimer } from "./zeeschuimer.ts";

test("zeeschuimer: lines have their capture time; advertisements are skipped, ambiguous and anonymous posts refused", () => {
  const { posts, skipped, refused } = imported(zeeschuimer, "zeeschuimer.ndjson");
  assert.deepEqual(
    posts.map(({ id, capturedAt }) => [id, capturedAt]),
    [
      ["3317023193151045733", 1710928800001],
      ["3320647071807046238", 1710928800002],
    ],
  );
  assert.deepEqual(skipped, ["advertisement"]);
  assert.deepEqual(refused, ["post_with_two_authors", "post_without_id", "not claimed"]);
});

test("zeeschuimer: what a partial object lacks stays unknown", () => {
  const partial = imported(zeeschuimer, "zeeschuimer.ndjson").posts[1];
  assert.deepEqual([partial?.text, partial?.publishedAt, partial?.hashtags], [undefined, undefined, undefined]);
  assert.equal(partial?.counters, undefined);
  assert.equal(partial?.authorId, "5501002004");
});

test("zeeschuimer: 4CAT lines have the envelope inside", () => {
  const [reel] = imported(zeeschuimer, "4cat.ndjson").posts;
  assert.equal(reel?.capturedAt, 1710928800007);
});

test("4cat: posts of an anonymised table belong to nobody, and other tables are not claimed", () => {
  const url = "https://www.instagram.com/p/C4IbwUTgABl";
  const post = { id: "C4IbwUTgABl", thread_id: "C4IbwUTgABl", parent_id: "C4IbwUTgABl", body: "Kiln", num_likes: "3" };
  const row = { ...post, author: "REDACTED", author_fullname: "REDACTED", num_comments: "1", url };
  const { collect, recording } = recordingCollector();
  const document = sourceDocument("row", row);
  assert.ok(fourCat.detects(document, sourceFile("posts.csv")));
  fourCat.read(document, sourceFile("posts.csv"), collect);
  assert.deepEqual([recording.posts[0]?.authorId, recording.accounts], [undefined, []]);
  for (const other of [
    { ...row, url: "https://www.threads.com/@mira.holm/post/C4IbwUTgABl" },
    { ...row, url: "" },
    { ...row, num_comments: undefined, url },
  ]) {
    const columns = Object.fromEntries(Object.entries(other).filter(([, cell]) => cell !== undefined));
    assert.ok(!fourCat.detects(sourceDocument("row", columns), sourceFile("posts.csv")));
  }
});

test("instaloader: profiles, hashtags, stories and resume files", () => {
  const [mira] = imported(instaloader, "instaloader/mira.holm_5501002003.json").accounts;
  assert.deepEqual(mira?.counters, { followers: 18200, following: 309, posts: 86 });
  assert.equal(mira?.bio, "Harbours and hands");
  const [film] = imported(instaloader, "instaloader/film.json").hashtags;
  assert.deepEqual([film?.id, film?.counters], ["17841500000000009", { posts: 6400 }]);
  assert.deepEqual(imported(instaloader, "instaloader/story.json").skipped, ["story"]);
  const resume = imported(instaloader, "instaloader/iterator.json");
  assert.deepEqual([resume.skipped.length, resume.posts.length], [1, 0]);
});

test("instaloader: hidden likes are unknown, though the tool copies the count beside them", () => {
  const post = {
    shortcode: "C4IbwUTgABl",
    id: "3317023193151045733",
    edge_media_preview_like: { count: 3 },
    comments: 7,
  };
  const item = {
    pk: post.id,
    code: post.shortcode,
    media_type: 1,
    taken_at: 1709640000,
    like_count: 3,
    comment_count: 7,
  };
  const read = (like_and_view_counts_disabled: boolean) => {
    const { collect, recording } = recordingCollector();
    const node = { ...post, iphone_struct: { ...item, like_and_view_counts_disabled } };
    const document = sourceDocument("json", { node, instaloader: { version: "4.14", node_type: "Post" } });
    instaloader.read(document, sourceFile("post.json"), collect);
    return recording.posts[0]?.counters;
  };
  assert.deepEqual(read(true), { comments: 7 });
  assert.deepEqual(read(false), { likes: 3, comments: 7 });
});

test("instaloader: posts of a profile's :tagged folder tag it, posts of a #hashtag folder have the hashtag", () => {
  const read = (path: string, of: string | null = null) => {
    const { collect, recording } = recordingCollector();
    const node = {
      id: "3317023193151045733",
      shortcode: "C4IbwUTgABl",
      owner: { id: "5501002004" },
      edge_media_to_tagged_user: { edges: [{ node: { user: { id: "5501002012", username: "sem_lindqvist" } } }] },
    };
    const document = sourceDocument("json", { node, instaloader: { version: "4.14", node_type: "Post" } });
    instaloader.read(document, sourceFile(path, of), collect);
    const [post] = recording.posts;
    return { taggedIds: post?.taggedIds, hashtags: post?.hashtags, refused: recording.refused };
  };
  for (const path of ["mira.holm/:tagged/C4IbwUTgABl.json", "saved/mira.holm/：tagged/C4IbwUTgABl.json"]) {
    assert.deepEqual(read(path).taggedIds, ["5501002012", "name:mira.holm"]);
    assert.equal(read(path).hashtags, undefined);
  }
  assert.deepEqual(read(":tagged/C4IbwUTgABl.json", "mira.holm").taggedIds, ["5501002012", "name:mira.holm"]);
  const unsaid = read(":tagged/C4IbwUTgABl.json");
  assert.deepEqual([unsaid.taggedIds, unsaid.refused], [["5501002012"], ["tagged_posts_without_owner"]]);
  const inHashtag = read("#pottery/C4IbwUTgABl.json");
  assert.deepEqual([inHashtag.taggedIds, inHashtag.hashtags], [["5501002012"], ["pottery"]]);
  for (const path of ["mira.holm/C4IbwUTgABl.json", "#1 of many/C4IbwUTgABl.json", "#pottery.json"])
    assert.deepEqual([read(path).taggedIds, read(path).hashtags], [["5501002012"], undefined]);
});

test("instaloader: comments belong to the post in the file name, or to --of", () => {
  const byName = imported(instaloaderComments, "instaloader/C4iLtETgARX_comments.json");
  assert.deepEqual(
    byName.comments.map(({ id, postId, parentId }) => [id, postId, parentId]),
    [
      ["17900000000000061", "3324270950463046743", undefined],
      ["17900000000000062", "3324270950463046743", "17900000000000061"],
    ],
  );
  const dated = "instaloader/2024-03-15_12-00-00_UTC_comments.json";
  assert.deepEqual(imported(instaloaderComments, dated).refused, [
    "comments_without_post: instaloader writes it there with --filename-pattern {shortcode}",
  ]);
  assert.equal(imported(instaloaderComments, dated, "C4iLtETgARX").comments.length, 2);
  assert.equal(imported(instaloaderComments, dated, "tavoreyes").comments.length, 0);
  for (const subject of ["tavoreyes", "C4IbwUTgABl"]) {
    const { comments } = imported(instaloaderComments, "instaloader/C4iLtETgARX_comments.json", subject);
    assert.deepEqual(comments, byName.comments);
  }
});

test("gallery-dl: its older versions name the album of a medium, and do not count its parts", () => {
  const read = (medium: object) => {
    const { collect, recording } = recordingCollector();
    const post = {
      category: "instagram",
      subcategory: "posts",
      post_id: "3324995726194246844",
      owner_id: "5501002005",
    };
    const video_url = "https://media.example/ferry.mp4";
    galleryDl.read(sourceDocument("json", { ...post, video_url, ...medium }), sourceFile("ferry.json"), collect);
    const { media_type, video_versions } = nativeOf(recording.posts[0]);
    return [media_type, video_versions === undefined];
  };
  assert.deepEqual(read({ num: 1, sidecar_media_id: "3324995726194246844" }), [8, true]);
  assert.deepEqual(read({ num: 2, sidecar_media_id: "3324995726194246844" }), [8, true]);
  assert.deepEqual(read({}), [2, false]);
});

test("gallery-dl: each medium updates the post, and only the first is its cover", () => {
  const [first] = imported(galleryDl, "gallery-dl/ferry-1.jpg.json").posts;
  const [second] = imported(galleryDl, "gallery-dl/ferry-2.jpg.json").posts;
  assert.equal(first?.id, second?.id);
  assert.deepEqual([first?.publishedAt, first?.counters], [1710590400, { likes: 151 }]);
  assert.deepEqual([first?.hashtags, first?.taggedIds, first?.placeId], [["ferry"], ["5501002004"], "880013"]);
  assert.equal(nativeOf(first)["display_uri"], "https://media.example/ferry-1.jpg");
  assert.deepEqual(second?.native, {
    media_type: 8,
    carousel_media_count: 2,
    code: "C4kwf8TgAS8",
    user: { pk: "5501002005", username: "ines_okafor", full_name: "Inês Okafor" },
  });
});

const FERRY = {
  category: "instagram",
  subcategory: "posts",
  post_id: "3324995726194246844",
  post_shortcode: "C4kwf8TgAS8",
  owner_id: "5501002005",
  username: "ines_okafor",
};

function readGalleryDl(metadata: object) {
  const { collect, recording } = recordingCollector();
  galleryDl.read(sourceDocument("json", { ...FERRY, ...metadata }), sourceFile("ferry.jpg.json"), collect);
  return recording;
}

test("gallery-dl: 0 likes are unknown, since the tool writes that for hidden ones too", () => {
  assert.deepEqual(readGalleryDl({ likes: 0 }).posts[0]?.counters, undefined);
  assert.deepEqual(readGalleryDl({ likes: 151 }).posts[0]?.counters, { likes: 151 });
});

test("gallery-dl: the profile whose posts were listed is beside each post", () => {
  const user = { id: "5501002005", username: "ines_okafor", biography: "Ferries", is_verified: true };
  const counts = { count_followed: 18200, count_follow: 309, count_media: 86, count_mutual: 0 };
  const [profile] = readGalleryDl({ user: { ...user, ...counts } }).accounts;
  assert.deepEqual([profile?.bio, profile?.verified], ["Ferries", true]);
  assert.deepEqual(profile?.counters, { followers: 18200, following: 309, posts: 86 });
  const [info] = readGalleryDl({
    ...user,
    ...counts,
    subcategory: "info",
    post_id: null,
    post_shortcode: null,
  }).accounts;
  assert.deepEqual(info?.counters, { followers: 18200, following: 309, posts: 86 });
});

test("gallery-dl: coauthors, pinned posts, and the hashtag or account by which a post was found", () => {
  const tavo = { id: "5501002004", username: "tavo.reyes", full_name: "Tavo Reyes" };
  assert.deepEqual(readGalleryDl({ coauthors: [tavo] }).posts[0]?.coauthorIds, ["5501002004"]);
  assert.deepEqual(nativeOf(readGalleryDl({ pinned: [5501002005] }).posts[0])["timeline_pinned_user_ids"], [
    "5501002005",
  ]);
  assert.deepEqual(readGalleryDl({ subcategory: "tag", tag: "ferry" }).posts[0]?.hashtags, ["ferry"]);
  const found = { subcategory: "tagged", tagged_owner_id: "5501002004", tagged_username: "tavo.reyes" };
  assert.deepEqual(readGalleryDl({ ...found, tagged_users: [] }).posts[0]?.taggedIds, ["5501002004"]);
});

test("gallery-dl: a profile picture is not a post", () => {
  const { posts, skipped } = readGalleryDl({ subcategory: "avatar", likes: 0, description: "" });
  assert.deepEqual(posts, []);
  assert.deepEqual(skipped, ["a profile picture, which is not a post"]);
});

test("gallery-dl: --dump-json output is read too, and stories are skipped", () => {
  const { posts, skipped } = imported(galleryDl, "gallery-dl/output.json");
  assert.equal(posts.length, 2);
  assert.deepEqual(skipped, ["story"]);
});

test("bright-data: an album has its parts, a reel its plays, and zeros of comments are unknown", () => {
  const { posts, comments } = imported(brightData, "bright-data/posts.json");
  assert.deepEqual(nativeOf(posts[0])["carousel_media"], [
    {
      pk: "3332437667567634530",
      media_type: 1,
      display_uri: "https://media.example/last-ferry.jpg",
      image_versions2: { candidates: [{ url: "https://media.example/last-ferry.jpg" }] },
    },
    {
      pk: "3332437667567634531",
      media_type: 2,
      video_versions: [{ url: "https://media.example/gulls.mp4" }],
    },
  ]);
  assert.deepEqual(
    comments.map(({ id, authorId, counters, approximate }) => [id, authorId, counters, approximate]),
    [["17900000000000091", "name:tavo.reyes", undefined, { publishedAt: 86_400 }]],
  );
  const { collect, recording } = recordingCollector();
  const reel = { url: "https://www.instagram.com/reel/C5BxZUTgAi_/", user_posted: "sem_lindqvist", views: 0 };
  const document = sourceDocument("json", { ...reel, video_play_count: 3418, length: "27.3" });
  brightData.read(document, sourceFile("reels.json"), collect);
  assert.deepEqual([recording.posts[0]?.counters, recording.posts[0]?.durationS], [{ views: 3418, plays: 3418 }, 27.3]);
  const elsewhere = { ...reel, url: "https://www.facebook.com/reel/1234567890" };
  assert.ok(!brightData.detects(sourceDocument("json", elsewhere), sourceFile("reels.json")));
});

test("bright-data: hashtags that the set has cut at a letter with an accent are those of the caption", () => {
  const read = (post: object) => {
    const { collect, recording } = recordingCollector();
    const known = { url: "https://www.instagram.com/p/C4_MmcTgAhh/", user_posted: "ines_okafor" };
    brightData.read(sourceDocument("json", { ...known, ...post }), sourceFile("posts.json"), collect);
    return [recording.posts[0]?.hashtags, recording.hashtags.map(({ name }) => name)];
  };
  const hashtags = ["#a", "#prata"];
  const inCaption = ["açoinoxidável", "prata"];
  assert.deepEqual(read({ description: "Novo #açoinoxidável #prata", hashtags }), [inCaption, inCaption]);
  assert.deepEqual(read({ description: null, hashtags: ["#prata"] }), [["prata"], ["prata"]]);
  assert.deepEqual(read({ description: "Novo #a #ação", hashtags: ["#a"] })[0], ["a", "ação"]);
});

test("graph-api: an account has its own id on Facebook, not one that only an app uses", () => {
  const read = (ids: object) => {
    const { collect, recording } = recordingCollector();
    const profile_picture_url = "https://scontent.cdninstagram.com/v/tavo.jpg";
    const account = { username: "tavo.reyes", followers_count: 955, media_count: 41, profile_picture_url, ...ids };
    graphApi.read(sourceDocument("json", account), sourceFile("me.json"), collect);
    return [recording.accounts[0]?.id, nativeOf(recording.accounts[0])["fbid_v2"]];
  };
  const own = "17841400000000004";
  assert.deepEqual(read({ id: own }), [undefined, own]);
  assert.deepEqual(read({ id: "9876543210123456", user_id: own }), [undefined, own]);
  assert.deepEqual(read({ id: "9876543210123456" }), [undefined, undefined]);
});

test("graph-api: views of a video are read", () => {
  const { collect, recording } = recordingCollector();
  const reel = { media_type: "VIDEO", permalink: "https://www.instagram.com/reel/C46DAsTgAel/", like_count: 5 };
  const document = sourceDocument("json", { data: [{ ...reel, view_count: 999 }, reel] });
  graphApi.read(document, sourceFile("media.json"), collect);
  assert.deepEqual(
    recording.posts.map(({ counters }) => counters),
    [{ likes: 5, views: 999 }, { likes: 5 }],
  );
});

test("bright-data: videos in a set of profiles have their views", () => {
  const { collect, recording } = recordingCollector();
  const video = { url: "https://www.instagram.com/p/C4_MmcTgAhh/", likes: 140, video_view_count: 961 };
  const set = { account: "ines_okafor", followers: 1, posts_count: 1, profile_name: "Inês", posts: [video] };
  brightData.read(sourceDocument("json", set), sourceFile("profiles.json"), collect);
  assert.deepEqual(recording.posts[0]?.counters, { likes: 140, views: 961 });
});

test("apify: posts with their comments; hidden likes stay unknown; failed pages are skipped", () => {
  const { posts, comments, skipped } = imported(apify, "apify/posts.json");
  assert.deepEqual(
    posts.map(({ counters }) => counters),
    [{ comments: 1 }, { likes: 77, views: 2100, plays: 2100, comments: 1 }],
  );
  assert.equal(posts[0]?.publishedAt, 1710676800);
  assert.equal(comments[0]?.authorId, "5501002012");
  assert.deepEqual(skipped, ["the scraper could not open the page"]);
});

test("apify: a record of another vendor that has no error is left to others", () => {
  const post = { url: "https://www.instagram.com/p/C4nVS0TgAUh/", user_posted: "odile.varga" };
  const detects = (error: unknown) =>
    apify.detects(sourceDocument("json", { ...post, error }), sourceFile("posts.json"));
  assert.deepEqual([detects(null), detects("not_found")], [false, true]);
});

test("apify: a pinned post is pinned for its owner", () => {
  const pinnedBy = (item: object) => {
    const { collect, recording } = recordingCollector();
    const post = { shortCode: "C4nVS0TgAUh", ownerId: "5501002011", ownerUsername: "odile.varga", ...item };
    apify.read(sourceDocument("json", post), sourceFile("posts.json"), collect);
    return nativeOf(recording.posts[0])["timeline_pinned_user_ids"];
  };
  assert.deepEqual(pinnedBy({ isPinned: true }), ["5501002011"]);
  for (const item of [{}, { isPinned: false }, { isPinned: true, ownerId: null }])
    assert.equal(pinnedBy(item), undefined);
});

test("crowdtangle: tables of Facebook's posts are not claimed", () => {
  const row = {
    "User Name": "runa.fjeld",
    "Followers at Posting": "3",
    Likes: "1",
    Comments: "0",
    Description: "Kiln",
  };
  const claims = (URL: string) => crowdTangle.detects(sourceDocument("row", { ...row, URL }), sourceFile("posts.csv"));
  assert.ok(claims("https://www.instagram.com/p/C4IbwUTgABl/"));
  assert.ok(!claims("https://www.facebook.com/runa.fjeld/posts/C4IbwUTgABl"));
  assert.ok(!claims("https://www.facebook.com/p/C4IbwUTgABl/"));
});

test("apidojo: a table has a column per path", () => {
  const row = {
    caption: "[2024] Kiln",
    code: "C4NlWETgAEv",
    commentCount: "4",
    createdAt: "2024-03-07T12:00:00.000Z",
    isCarousel: "false",
    isVideo: "true",
    likeCount: "",
    "owner/id": "5501002031",
    "owner/username": "runa.fjeld",
    url: "https://www.instagram.com/p/C4NlWETgAEv/",
    "video/playCount": "900",
  };
  const { collect, recording } = recordingCollector();
  assert.ok(apidojo.detects(sourceDocument("row", row), sourceFile("posts.csv")));
  apidojo.read(sourceDocument("row", row), sourceFile("posts.csv"), collect);
  const [post] = recording.posts;
  assert.deepEqual(
    [post?.id, post?.authorId, post?.text, post?.counters, nativeOf(post)["media_type"]],
    ["3318472744613445935", "5501002031", "[2024] Kiln", { views: 900, plays: 900, comments: 4 }, 2],
  );
  const other = { ...row, url: "https://www.threads.com/@runa.fjeld/post/C4NlWETgAEv" };
  assert.ok(!apidojo.detects(sourceDocument("row", other), sourceFile("posts.csv")));
});

test("apify: tables that a spreadsheet wrote again have rounded ids, so the code counts", () => {
  const post = { id: "3324995726194240000", caption: "Ferry", ownerUsername: "ines_okafor", likesCount: "3" };
  const url = "https://www.instagram.com/p/C4kwf8TgAS8/";
  for (const row of [
    { ...post, shortCode: "C4kwf8TgAS8", url },
    { ...post, type: "Image", url },
  ]) {
    const { collect, recording } = recordingCollector();
    const document = sourceDocument("row", row);
    assert.ok(apify.detects(document, sourceFile("posts.csv")));
    apify.read(document, sourceFile("posts.csv"), collect);
    assert.deepEqual(
      recording.posts.map(({ id }) => id),
      ["3324995726194246844"],
    );
  }
});

test("apify: profiles, hashtags and comments", () => {
  const profile = imported(apify, "apify/profiles.json");
  const odile = profile.accounts[0];
  assert.deepEqual(odile?.counters, { followers: 2044, following: 88, posts: 63 });
  assert.equal(nativeOf(odile)["category"], "Bakery");
  assert.equal(profile.posts[0]?.authorId, "5501002011");
  assert.deepEqual(imported(apify, "apify/hashtags.json").hashtags[0]?.counters, { posts: 31000 });
  assert.deepEqual(
    imported(apify, "apify/comments.json").comments.map(({ postId, parentId }) => [postId, parentId]),
    [
      ["3325720501925446945", undefined],
      ["3325720501925446945", "17900000000000072"],
    ],
  );
});

test("apify: a hashtag with empty columns of a place is a hashtag", () => {
  const { collect, recording } = recordingCollector();
  const hashtag = { url: "https://www.instagram.com/explore/tags/tin", id: "17843", name: "tin", postsCount: 99 };
  const item = { ...hashtag, lat: null, addressCityName: null, hasPublicPage: null };
  apify.read(sourceDocument("json", item), sourceFile("hashtags.json"), collect);
  assert.deepEqual([recording.hashtags[0]?.name, recording.places], ["tin", []]);
});

test("apify: a place has its position, and its posts are at it", () => {
  const { places, hashtags, posts, refused } = imported(apify, "apify/places.json");
  assert.deepEqual(places, [
    {
      id: "880021",
      name: "Tin Hill",
      latitude: 55.62,
      longitude: 13.01,
      address: "1 Tin Lane",
      city: "Sandhamn",
      counters: { posts: 999 },
    },
  ]);
  assert.deepEqual(
    posts.map(({ id, placeId }) => [id, placeId]),
    [["3325720501925446945", "880021"]],
  );
  assert.deepEqual([hashtags, refused], [[], ["place_without_id"]]);
});

test("apify: the overview has no ids; hidden likes stay unknown, and an empty caption is known", () => {
  const { posts } = imported(apify, "apify/overview.json");
  assert.deepEqual(
    posts.map(({ id, counters, text, hashtags }) => [id, counters, text, hashtags]),
    [
      ["3327894816234145269", { comments: 4 }, "Rye, second proof #sourdough", ["sourdough", "bakers"]],
      ["3328901062647088778", { likes: 88, comments: 0 }, "", ["bakers"]],
    ],
  );
});

test("scrapfly: a profile names the author of its posts; a list of posts needs --of for that", () => {
  const { accounts, posts } = imported(scrapfly, "scrapfly/user.json");
  assert.deepEqual(accounts[0]?.counters, { followers: 512, following: 77, posts: 29 });
  assert.deepEqual([posts[0]?.authorId, posts[0]?.counters?.views], ["5501002012", 3150]);
  assert.equal(imported(scrapfly, "scrapfly/posts.json").posts[0]?.authorId, undefined);
  const [owned] = imported(scrapfly, "scrapfly/posts.json", "sem_lindqvist").posts;
  assert.equal(owned?.authorId, "name:sem_lindqvist");
  assert.deepEqual(owned?.taggedIds, ["name:mira.holm"]);
});

test("takeout: names and times of followers, once the owner is known", () => {
  const unsaid = imported(takeoutFollowers, "takeout/followers_1.json");
  assert.deepEqual(unsaid.refused, ["followers_without_owner: in a takeout", "followers_without_owner: in a takeout"]);
  assert.deepEqual(imported(takeoutFollowers, "takeout/followers_1.json", "mira.holm").follows, [
    { account: { name: "mira.holm" }, follower: { name: "odile.varga" }, since: 1709640000 },
    { account: { name: "mira.holm" }, follower: { name: "sem_lindqvist" }, since: 1709640050 },
  ]);
  assert.deepEqual(imported(takeoutFollowers, "takeout/following.json", "mira.holm").follows, [
    { account: { name: "tavo.reyes" }, follower: { name: "mira.holm" }, since: 1709640099 },
  ]);
});

test("takeout: the archive's name gives the owner, and other lists are skipped", () => {
  const file = sourceFile("instagram-mira.holm-2024-05-01-x1Y2/followers_1.json");
  const { collect, recording } = recordingCollector();
  for (const entry of fixture("takeout/followers_1.json") as unknown[]) {
    takeoutFollowers.read(sourceDocument("json", entry), file, collect);
  }
  assert.equal(recording.follows.length, 2);
  const blocked = imported(takeoutFollowers, "takeout/blocked_profiles.json", "mira.holm");
  assert.deepEqual([blocked.follows, blocked.skipped.length], [[], 1]);
});

test("elements split off a large response are put back into their list", () => {
  const response = fixture("web/followers.json") as { data: { user: { edge_followed_by: { edges: unknown[] } } } };
  const path = ["data", "user", "edge_followed_by", "edges"];
  const within = { path, scalars: { id: "5501002003", count: 2 } };
  const { collect, recording } = recordingCollector();
  for (const edge of response.data.user.edge_followed_by.edges) {
    const document = sourceDocument("json", edge, { location: within });
    assert.ok(splitResponses.detects(document, sourceFile("large.json")));
    splitResponses.read(document, sourceFile("large.json"), collect);
  }
  assert.equal(recording.follows.length, 2);
  assert.deepEqual(recording.follows[0]?.account, { id: "5501002003" });
  assert.ok(recording.accounts.every(({ counters }) => counters?.followers === undefined));
});

test("no format claims another's file", () => {
  const all = [zeeschuimer, instaloader, instaloaderComments, galleryDl, apify, scrapfly, takeoutFollowers];
  const files: [string, string][] = [
    ["instaloader/mira.holm_5501002003.json", "instaloader"],
    ["instaloader/C4iLtETgARX_comments.json", "instaloader comments"],
    ["gallery-dl/ferry-1.jpg.json", "gallery-dl"],
    ["apify/posts.json", "apify"],
    ["apify/profiles.json", "apify"],
    ["apify/comments.json", "apify"],
    ["scrapfly/posts.json", "scrapfly"],
    ["scrapfly/user.json", "scrapfly"],
    ["takeout/followers_1.json", "takeout followers"],
    ["takeout/following.json", "takeout followers"],
    ["web/items.json", ""],
    ["web/profile.json", ""],
    ["web/hashtag.json", ""],
  ];
  for (const [name, expected] of files) {
    const document = sourceDocument("json", fixture(name));
    const claims = all
      .filter((importer) => importer.detects(document, sourceFile(name)))
      .map((importer) => importer.name);
    assert.deepEqual(claims, expected === "" ? [] : [expected], name);
  }
  for (const line of fixtureLines("zeeschuimer.ndjson").slice(0, 5)) {
    const claims = all.filter((importer) => importer.detects(sourceDocument("json", line), sourceFile("z.ndjson")));
    assert.deepEqual(claims, [zeeschuimer]);
  }
});
