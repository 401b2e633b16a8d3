/** Conformance of erasures: what goes, and what stays out when it is imported again. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { account, comment, NOW, PLATFORM, post, SECOND } from "#testing/sample-records.ts";
import { replace, toChanges, toUnit } from "#store/write/batch-changes.ts";
import type { Store } from "#store/store.ts";
import type { Batch } from "#store/write/port.ts";

export function erasureSuite(current: () => Store): void {
  const reader = () => current().reader(PLATFORM);

  test("an erased record goes with everything derived from it, and stays erased when it is written again", async () => {
    const world = {
      accounts: [account("1", { name: "gone" }), account("2")],
      posts: [
        post("p1", { text: "secretword", hashtags: ["tag"], counters: { views: 3 } }),
        post("p2", { authorId: "2", taggedIds: ["1"] }),
      ],
      comments: [
        comment("c1"),
        comment("c2", { postId: "p2", authorId: "1" }),
        comment("c3", { postId: "p2", authorId: "2" }),
      ],
      follows: [{ accountId: "2", followerId: "1", since: 5, capturedAt: NOW, source: "test" }],
      subtitles: [{ postId: "p1", language: "en", automatic: false, lines: [], capturedAt: NOW, source: "test" }],
    };
    await current().writer.write([toUnit(PLATFORM, world)]);
    const counts = {
      account: 1,
      post: 1,
      comment: 2,
      subtitles: 1,
      follow: 1,
      chart: 0,
      sound: 0,
      history: 1,
      mention: 1,
      file: 0,
    };
    assert.deepEqual(await current().writer.previewErasure(PLATFORM, "account", "1"), counts);
    assert.ok((await reader().getPost("p1")) !== null, "a preview changes nothing");
    assert.deepEqual(await current().verify(), []);
    assert.deepEqual(await current().writer.erase(PLATFORM, "account", "1"), { counts, jobs: [] });
    assert.deepEqual((await reader().getPost("p2"))?.taggedIds, [], "who was tagged is not said any more");
    for (const again of [false, true]) {
      if (again) {
        const points = [{ capturedAt: NOW - 1, counters: { views: 2, followers: 2 } }];
        const history = [
          { kind: "post" as const, id: "p1", points },
          { kind: "account" as const, id: "1", points },
        ];
        await current().writer.write([toUnit(PLATFORM, { ...world, history })]);
        // A later capture of another account's post that tags the erased account.
        const changed = post("p2", { authorId: "2", taggedIds: ["1"], publishedAt: SECOND - 9, capturedAt: NOW + 1 });
        await current().writer.write([toUnit(PLATFORM, { posts: [changed] })]);
      }
      assert.equal(await reader().countPosts("tagged", "1"), 0);
      assert.equal(await reader().getAccount("1"), null);
      assert.equal(await reader().getAccountByName("gone"), null);
      assert.equal(await reader().getPost("p1"), null);
      assert.equal(await reader().countPosts("author", "1"), 0);
      assert.equal(await reader().countPosts("hashtag", "tag"), 0);
      assert.deepEqual(
        (await reader().listComments("p2", "newest", { limit: 9 })).items.map(({ id }) => id),
        ["c3"],
      );
      assert.deepEqual((await reader().listComments("p1", "newest", { limit: 9 })).items, []);
      assert.equal(await reader().countFollowers("2"), 0);
      assert.deepEqual(await reader().listSubtitleLanguages("p1"), []);
      for (const [kind, id] of [["post", "p1"] as const, ["account", "1"] as const])
        assert.deepEqual(await reader().listCounters(kind, id), []);
      assert.deepEqual((await reader().searchPosts({ text: "secretword", offset: 0, limit: 1, now: 0 })).items, []);
      assert.deepEqual(
        (await reader().searchNames({ text: "gone", accounts: 5, hashtags: 0, places: 0, keywords: 0 })).accounts,
        [],
      );
    }
    assert.ok((await reader().getPost("p2")) !== null, "posts of other accounts stay");
  });

  test("a preview of an erasure counts what the erasure deletes and changes, each once", async () => {
    const captured = { capturedAt: NOW, source: "test" };
    const sound = { artistName: null, artistId: "1", durationS: null, counters: {}, ...captured };
    const lines = [{ startS: 0, durationS: 1, text: "thanks @gone.girl" }];
    const subtitles = { language: "en", automatic: false, lines, ...captured };
    const entry = { country: "US", section: "now", day: "2026-11-15", ...captured };
    await current().writer.write([
      toUnit(PLATFORM, {
        accounts: [
          account("1", { name: "gone.girl", counters: { followers: 5 } }),
          account("@gone.girl", { name: "gone.girl" }),
          account("2", { bio: "with @gone.girl" }),
        ],
        posts: [
          post("p1", { text: "me, @gone.girl", counters: { views: 3 }, soundId: "s1" }),
          post("p2", { authorId: "@gone.girl", counters: { views: 4 } }),
          post("p3", { authorId: "2", taggedIds: ["1"], soundId: "s1" }),
          post("p4", { authorId: "2", text: "nothing about anyone" }),
        ],
        sounds: [{ id: "s1", title: "Low tide", native: {}, ...sound }],
        comments: [
          comment("c1", { authorId: "1", text: "by @gone.girl on a post of hers" }),
          comment("c2", { authorId: "2", text: "@gone.girl on a post of hers" }),
          comment("c3", { postId: "p3", authorId: "1" }),
          comment("c4", { postId: "p3", authorId: "2", text: "hello @gone.girl" }),
          comment("c5", { postId: "p4", authorId: "2" }),
        ],
        follows: [
          { accountId: "1", followerId: "2", since: 5, ...captured },
          { accountId: "2", followerId: "1", since: 5, ...captured },
          { accountId: "1", followerId: "@gone.girl", since: 5, ...captured },
        ],
        subtitles: ["p1", "p3", "p4"].map((postId) => ({ postId, ...subtitles })),
        chartEntries: ["p1", "p2", "p3"].map((postId, index) => ({ ...entry, rank: index + 1, postId })),
      }),
    ]);
    const job = { id: "j", fingerprint: "", origin: "command" as const, label: "files", owner: "" };
    await current().jobs.writeJob({ ...job, state: "done", createdAt: NOW, updatedAt: NOW });
    const report = { formats: {}, records: {}, refused: {}, skipped: {} };
    const file = { jobId: "j", fingerprint: "", state: "done" as const, position: 1, report };
    await current().jobs.writeJobFile({ ...file, name: "gone.girl.json" });
    for (const [kind, id] of [
      ["comment", "c5"],
      ["post", "p4"],
      ["post", "unknown"],
    ] as const) {
      const counts = await current().writer.previewErasure(PLATFORM, kind, id);
      assert.deepEqual((await current().writer.erase(PLATFORM, kind, id)).counts, counts);
    }
    const counts = await current().writer.previewErasure(PLATFORM, "account", "1");
    assert.deepEqual(counts, {
      account: 2,
      post: 2,
      comment: 3,
      subtitles: 1,
      follow: 3,
      chart: 2,
      sound: 1,
      history: 3,
      mention: 4,
      file: 1,
    });
    assert.deepEqual(await current().writer.erase(PLATFORM, "account", "1"), { counts, jobs: ["j"] });
  });

  test("an erasure forgets the names of files that an import wrote meanwhile, after posts erased before, and counts none", async () => {
    await current().writer.write([
      toUnit(PLATFORM, {
        accounts: [account("1"), account("2")],
        posts: [post("p1"), post("p2", { authorId: "2" })],
      }),
    ]);
    await current().writer.erase(PLATFORM, "account", "1");
    const job = { id: "j", fingerprint: "", origin: "command" as const, label: "p1.mp4", owner: "" };
    await current().jobs.writeJob({ ...job, state: "done", createdAt: NOW, updatedAt: NOW });
    const report = { formats: {}, records: {}, refused: {}, skipped: {} };
    const file = { jobId: "j", fingerprint: "", state: "done" as const, position: 1, report };
    for (const video of ["p1.mp4", "p2.mp4"]) await current().jobs.writeJobFile({ ...file, name: video });
    const preview = await current().writer.previewErasure(PLATFORM, "account", "3");
    const { counts, jobs } = await current().writer.erase(PLATFORM, "account", "3");
    assert.deepEqual([counts, counts.file, jobs], [preview, 0, ["j"]], "they may be of somebody else");
    const files = await current().jobs.listJobFiles("j");
    assert.deepEqual(files.map((listed) => listed.name).toSorted(), ["erased-0", "p2.mp4"]);
    assert.equal((await current().jobs.getJob("j"))?.label, "[erased]");
  });

  test("a post is in the list of each of its authors, is found under each, and is erased with any of them", async () => {
    const world = {
      accounts: [account("1", { name: "mira" }), account("2", { name: "sem" })],
      posts: [
        post("together", { authorId: "1", coauthorIds: ["2"], text: "duet" }),
        post("alone", { authorId: "1", publishedAt: SECOND - 9 }),
      ],
    };
    await current().writer.write([toUnit(PLATFORM, world)]);
    const idsOf = async (id: string) =>
      (await reader().listPosts("author", id, { limit: 5 })).items.map((one) => one.id);
    assert.deepEqual([await idsOf("1"), await idsOf("2")], [["together", "alone"], ["together"]]);
    for (const from of ["1", "2"]) {
      const found = await reader().searchPosts({ text: `duet from:${from}`, offset: 0, limit: 5, now: SECOND });
      assert.deepEqual(
        found.items.map(({ id }) => id),
        ["together"],
      );
    }
    await current().writer.write([
      toUnit(PLATFORM, {
        posts: [post("together", { authorId: "1", coauthorIds: [], capturedAt: NOW + 1 })],
      }),
    ]);
    assert.deepEqual(await idsOf("2"), [], "a list that it left");
    await current().writer.write([
      toUnit(PLATFORM, {
        posts: [post("together", { authorId: "1", coauthorIds: ["2"], capturedAt: NOW + 2 })],
      }),
    ]);
    await current().writer.erase(PLATFORM, "account", "2");
    for (const again of [false, true]) {
      if (again)
        await current().writer.write([
          toUnit(PLATFORM, {
            posts: [...world.posts, post("new", { authorId: "1", coauthorIds: ["2"] })],
          }),
        ]);
      assert.deepEqual([await idsOf("1"), await idsOf("2")], [["alone"], []]);
      assert.equal(await reader().getPost("new"), null);
    }
  });

  test("what refers to a new post of somebody erased is refused, also where the post itself comes after it", async () => {
    await current().writer.write([toUnit(PLATFORM, { accounts: [account("1"), account("2")] })]);
    await current().writer.erase(PLATFORM, "account", "1");
    const stamp = { capturedAt: NOW, source: "test" };
    const parts: Batch[] = [
      {
        comments: [comment("c1", { postId: "p1", authorId: "2" })],
        subtitles: [{ postId: "p1", language: "en", automatic: false, lines: [], ...stamp }],
        chartEntries: [{ country: "US", section: "now", day: "2026-11-14", rank: 1, postId: "p1", ...stamp }],
      },
      { posts: [post("p1", { authorId: "1" })] },
    ];
    const refused = { new: 0, updated: 0, unchanged: 0, erased: 1 };
    const counts = await current().writer.write([
      { changes: parts.map((part) => toChanges(PLATFORM, part)), merge: replace },
    ]);
    assert.deepEqual(counts, [{ comment: refused, subtitles: refused, chart: refused, post: refused }]);
  });

  test("comments and posts are refused whose author was erased and is named without an id", async () => {
    await current().writer.write([toUnit(PLATFORM, { accounts: [account("1", { name: "mira" })] })]);
    await current().writer.erase(PLATFORM, "account", "1");
    const counts = await current().writer.write([
      toUnit(PLATFORM, {
        posts: [post("p1", { authorId: "@mira" })],
        comments: [comment("c1", { postId: "p2", authorId: "@mira" })],
      }),
    ]);
    const refused = { new: 0, updated: 0, unchanged: 0, erased: 1 };
    assert.deepEqual(counts, [{ post: refused, comment: refused }]);
    assert.equal((await reader().countComments("p2")).comments, 0);
  });

  test("posts and comments without any id of their author go with who has the name shown, if few share it", async () => {
    const shown = (channelTitle: string) => ({ authorId: null, native: { channelTitle } });
    const said = (authorName: string, postId: string) => ({ authorId: null, postId, native: { authorName } });
    const stamp = { native: {}, counters: {}, capturedAt: NOW, source: "test" };
    await current().writer.write([
      toUnit(PLATFORM, {
        accounts: [account("1", { name: "otto", displayName: "Otto Brine" }), account("2", { displayName: "Ines" })],
        sounds: [{ id: "s1", title: null, artistName: "Ines", artistId: null, durationS: null, ...stamp }],
        posts: [
          post("p1", shown("OTTO brine")),
          post("p2", shown("Otto Brine Fans")),
          post("p3", { ...shown("Otto Brine"), authorId: "2" }),
          post("p4", shown("Ines")),
        ],
        comments: [
          comment("c1", said("Otto Brine", "p3")),
          comment("c2", said("Brine Otto", "p3")),
          comment("c3", said("Someone Else", "p1")),
          comment("c1", said("Otto Brine", "p4")),
          comment("c1", said("Brine Otto", "p2")),
        ],
      }),
    ]);
    const preview = await current().writer.previewErasure(PLATFORM, "account", "1");
    const { counts } = await current().writer.erase(PLATFORM, "account", "1");
    assert.deepEqual(counts, preview);
    assert.deepEqual([counts.account, counts.post, counts.comment], [1, 1, 3]);
    await current().writer.erase(PLATFORM, "account", "2");
    const stored = async () => (await reader().getPosts(["p1", "p2", "p3", "p4", "p5"])).map(({ id }) => id);
    assert.deepEqual(await stored(), ["p2", "p4"], "a short word tells nobody");
    assert.notEqual(await reader().getSound("s1"), null);
    for (const [id, count] of Object.entries({ p2: 1, p4: 0 }))
      assert.equal((await reader().countComments(id)).comments, count);

    const [later = {}] = await current().writer.write([
      toUnit(PLATFORM, {
        posts: [post("p5", shown("otto brine")), post("p2", shown("Otto Brine")), post("p4", shown("Ines"))],
        comments: [
          comment("c5", said("Otto Brine", "p4")),
          comment("c6", said("Someone Else", "p5")),
          comment("c7", said("Someone Else", "p4")),
        ],
      }),
    ]);
    assert.deepEqual([later["post"]?.erased, later["comment"]?.erased], [2, 2]);
    assert.deepEqual(await stored(), ["p4"], "a later capture shows whose it is");
    assert.equal((await reader().countComments("p4")).comments, 1);
  });

  test("the name shown may have other case and accents than the one that is erased", async () => {
    const shown = (channelTitle: string) => ({ authorId: null, native: { channelTitle } });
    await current().writer.write([
      toUnit(PLATFORM, {
        accounts: ["Élodie Øst", "Jose Luna", "Zoë Märk", 'Ann "Tea" Lee'].map((displayName, index) =>
          account(`${index + 1}`, { displayName }),
        ),
        posts: ["ÉLODIE ØST", "élodie øst", "JOSÉ Luna", "zoe mark", 'ann "tea" lee'].map((title, index) =>
          post(`p${index}`, shown(title)),
        ),
        comments: [comment("c1", { authorId: null, postId: "p4", native: { authorName: "ELODIE ØST" } })],
      }),
    ]);
    for (const [id, posts, comments] of [
      ["1", 2, 1],
      ["2", 1, 0],
      ["3", 1, 0],
      ["4", 1, 0],
    ] as const) {
      const preview = await current().writer.previewErasure(PLATFORM, "account", id);
      const { counts } = await current().writer.erase(PLATFORM, "account", id);
      assert.deepEqual(counts, preview);
      assert.deepEqual([counts.post, counts.comment], [posts, comments]);
    }
  });

  test("what has only a displayed name is skipped once a capture shows that it is of somebody erased by name", async () => {
    await current().writer.erase(PLATFORM, "account", "otto");
    const shown = { authorId: null, native: { channelTitle: "Otto Brine" } };
    const [counts = {}] = await current().writer.write([
      toUnit(PLATFORM, {
        accounts: [account("1", { name: "otto", displayName: "Otto Brine" })],
        posts: [post("p1", shown)],
        comments: [comment("c1", { authorId: "2" })],
      }),
    ]);
    assert.deepEqual([counts["post"]?.erased, counts["comment"]?.erased], [1, 1]);
  });

  test("a name shown without an id erases no post whose author is known", async () => {
    await current().writer.write([
      toUnit(PLATFORM, {
        accounts: [account("1", { displayName: "Otto Brine" }), account("2", { displayName: "Otto Brine" })],
        posts: [post("p1", { authorId: "2" })],
      }),
    ]);
    await current().writer.erase(PLATFORM, "account", "1");
    await current().writer.write([
      toUnit(PLATFORM, {
        posts: [post("p1", { authorId: null, native: { channelTitle: "Otto Brine" } })],
      }),
    ]);
    assert.equal((await reader().getPost("p1"))?.authorId, "2");
  });

  test("what has only a displayed name is erased by that name", async () => {
    await current().writer.write([
      toUnit(PLATFORM, {
        accounts: [account("1", { displayName: "Otto Brine" })],
        posts: [post("p1"), post("p2", { authorId: null, native: { author: { nickname: "Otto Brine" } } })],
      }),
    ]);
    const { counts } = await current().writer.erase(PLATFORM, "account", "Otto Brine");
    assert.deepEqual([counts.account, counts.post], [0, 1]);
    assert.notEqual(await reader().getPost("p1"), null);
    assert.equal(await reader().getPost("p2"), null);
  });

  test("the name of an account that an erasure rewrites is forgotten, and goes with it", async () => {
    const names = () =>
      current().tables.snapshot(async (tables) =>
        (await Array.fromAsync(tables.read("account_names"))).flat().map(([, name, id]) => `${name} ${id}`),
      );
    await current().writer.write([
      toUnit(PLATFORM, { accounts: [account("1", { name: "ada" }), account("2", { name: "@ada" })] }),
    ]);
    assert.deepEqual(await names(), ["ada 1", "ada 2"]);
    await current().writer.erase(PLATFORM, "account", "1");
    assert.equal((await reader().getAccount("2"))?.name, "[erased]");
    assert.deepEqual(await names(), []);
    await current().writer.erase(PLATFORM, "account", "2");
    assert.deepEqual(await names(), []);
  });

  test("one word that is no stored account's is a name in URLs, and no displayed one", async () => {
    await current().writer.write([
      toUnit(PLATFORM, {
        posts: [
          post("p1", { authorId: null, native: { channelTitle: "Brineworks" } }),
          post("p2", { authorId: "@brineworks" }),
        ],
      }),
    ]);
    const preview = await current().writer.previewErasure(PLATFORM, "account", "brineworks");
    const { counts } = await current().writer.erase(PLATFORM, "account", "brineworks");
    assert.deepEqual(counts, preview);
    assert.deepEqual(
      (await reader().getPosts(["p1", "p2"])).map(({ id }) => id),
      ["p1"],
    );
  });

  test("what is stored under a former name alone is erased too", async () => {
    const stamp = { capturedAt: NOW, source: "test" };
    await current().writer.write([
      toUnit(PLATFORM, {
        accounts: [account("1", { name: "new.name" }), account("@old.name", { name: "old.name" }), account("2")],
        posts: [
          post("p1", { authorId: "1", authorNames: ["old.name", "Mira"] }),
          post("p2", { authorId: "@old.name" }),
          post("p3", { authorId: "2", taggedIds: ["@old.name"] }),
        ],
        comments: [comment("c1", { postId: "p3", authorId: "@old.name" })],
        follows: [{ accountId: "2", followerId: "@old.name", since: null, ...stamp }],
      }),
    ]);
    const { counts } = await current().writer.erase(PLATFORM, "account", "1");
    assert.deepEqual([counts.account, counts.post, counts.comment, counts.follow, counts.mention], [2, 2, 1, 1, 1]);
    assert.equal(await reader().getAccount("@old.name"), null);
    assert.equal(await reader().getPost("p2"), null);
    assert.equal(await reader().countPosts("tagged", "@old.name"), 0);
    assert.equal((await reader().countComments("p3")).comments, 0);
    assert.equal(await reader().countFollowers("2"), 0);
  });

  test("what is stored under a name alone goes once a capture shows that it is of somebody erased", async () => {
    const stamp = { capturedAt: NOW, source: "test" };
    await current().writer.erase(PLATFORM, "account", "1");
    await current().writer.write([
      toUnit(PLATFORM, {
        accounts: [account("@mira", { name: "mira" }), account("2")],
        posts: [post("p1", { authorId: "@mira" }), post("p2", { authorId: "2", taggedIds: ["@mira"] })],
        comments: [comment("c1", { postId: "p2", authorId: "@mira" })],
        follows: [{ accountId: "2", followerId: "@mira", since: null, ...stamp }],
      }),
    ]);
    // As an import does with a capture of both the name and the id.
    await current().writer.mergePlaceholder(PLATFORM, "@mira", "1", replace);
    const [next] = await current().writer.write([toUnit(PLATFORM, { posts: [post("p3", { authorId: "@mira" })] })]);
    assert.equal(next?.post?.erased, 1);
    await current().writer.write([toUnit(PLATFORM, { accounts: [account("1", { name: "mira" })] })]);
    for (const id of ["1", "@mira"]) {
      assert.equal(await reader().getAccount(id), null);
      assert.equal(await reader().countPosts("author", id), 0);
      assert.equal(await reader().countPosts("tagged", id), 0);
    }
    assert.equal(await reader().getPost("p1"), null);
    assert.deepEqual((await reader().getPost("p2"))?.taggedIds, []);
    assert.equal((await reader().countComments("p2")).comments, 0);
    assert.equal(await reader().countFollowers("2"), 0);
    await current().writer.write([toUnit(PLATFORM, { accounts: [account("@mira", { name: "mira" })] })]);
    assert.equal(await reader().getAccount("@mira"), null, "the name is remembered");
  });

  test("what is stored under an id goes once a capture shows that its name was erased", async () => {
    for (const accounts of [[], [account("1", { name: null })]]) {
      const handle = `mira${accounts.length}`;
      const id = `1${accounts.length}`;
      await current().writer.write([
        toUnit(PLATFORM, {
          accounts: accounts.map((one) => ({ ...one, id })),
          posts: [post("p1", { authorId: id }), post("p2", { authorId: "2" })],
          comments: [comment("c1", { postId: "p2", authorId: id })],
        }),
      ]);
      await current().writer.erase(PLATFORM, "account", handle);
      await current().writer.write([toUnit(PLATFORM, { accounts: [account(id, { name: handle })] })]);
      assert.equal(await reader().getAccount(id), null);
      assert.equal(await reader().countPosts("author", id), 0);
      assert.equal((await reader().countComments("p2")).comments, 0);
    }
    // One that was known under another name is somebody else, who took the name since.
    await current().writer.write([toUnit(PLATFORM, { accounts: [account("3", { name: "sem" })] })]);
    await current().writer.erase(PLATFORM, "account", "star");
    await current().writer.write([
      toUnit(PLATFORM, { accounts: [account("3", { name: "star", capturedAt: NOW + 1 })] }),
    ]);
    assert.equal((await reader().getAccount("3"))?.name, "star");

    await current().writer.write([toUnit(PLATFORM, { accounts: [account("@lena", { name: "lena" })] })]);
    await current().writer.erase(PLATFORM, "account", "@lena");
    await current().writer.write([toUnit(PLATFORM, { accounts: [account("4", { name: "lena" })] })]);
    assert.equal(await reader().getAccount("4"), null, "only the name was stored");
  });

  test("a displayed name that a capture shows after the erasure takes no sound out of what others wrote before", async () => {
    const music = { id: "s1", title: "Low tide", authorName: "Otto Brine" };
    await current().writer.erase(PLATFORM, "account", "otto");
    const tagging = { authorId: "2", taggedIds: ["1", "3"], native: { music } };
    await current().writer.write([toUnit(PLATFORM, { posts: [post("p1", tagging)] })]);
    await current().writer.write([
      toUnit(PLATFORM, { accounts: [account("1", { name: "otto", displayName: "Otto Brine" })] }),
    ]);
    const stored = await reader().getPost("p1");
    assert.deepEqual([stored?.taggedIds, stored?.native], [["3"], { music }]);
    await current().writer.write([toUnit(PLATFORM, { posts: [post("p2", tagging)] })]);
    assert.deepEqual((await reader().getPost("p2"))?.native, {}, "later captures are without it");
  });

  test("a displayed name that is only learnt deletes nothing, so no bytes have to be removed", async () => {
    await current().writer.write([toUnit(PLATFORM, { accounts: [account("1")] })]);
    await current().writer.erase(PLATFORM, "account", "1");
    await current().writer.purgeErased();
    assert.equal(await current().getPurgePending(), null);
    await current().writer.write([toUnit(PLATFORM, { accounts: [account("1", { displayName: "Otto Brine" })] })]);
    assert.equal(await current().getPurgePending(), null);
    const [later] = await current().writer.write([
      toUnit(PLATFORM, { posts: [post("p1", { authorId: null, native: { channelTitle: "Otto Brine" } })] }),
    ]);
    assert.equal(later?.post?.erased, 1);
  });

  test("a capture that names somebody erased as the author of another's post erases nothing", async () => {
    await current().writer.write([
      toUnit(PLATFORM, {
        accounts: [account("1"), account("2")],
        posts: [post("p1", { authorId: "1" }), post("p2", { authorId: "2" }), post("p3", { authorId: null })],
      }),
    ]);
    await current().writer.erase(PLATFORM, "account", "1");
    const claimed = { authorId: "1", text: "claimed" };
    const posts = ["p2", "p3", "p4"].map((id) => post(id, claimed));
    const comments = posts.map(({ id }) => comment(`c-${id}`, { postId: id, authorId: "2" }));
    await current().writer.write([toUnit(PLATFORM, { posts, comments })]);
    const [kept, ...others] = await reader().getPosts(["p2", "p3", "p4"]);
    assert.deepEqual([kept?.authorId, kept?.text, others.length], ["2", post("p2").text, 0]);
    const counts = await Promise.all(posts.map(async ({ id }) => (await reader().countComments(id)).comments));
    assert.deepEqual(counts, [1, 0, 0]);
  });

  test("an erased name is found in other spellings too, in what others wrote and in names of files", async () => {
    const job = { id: "j", fingerprint: "", origin: "command" as const, label: "José_Núñez.json", owner: "" };
    await current().jobs.writeJob({ ...job, state: "done", createdAt: NOW, updatedAt: NOW });
    await current().writer.write([
      toUnit(PLATFORM, {
        accounts: [
          account("700001", { name: "Мария" }),
          account("700002", { name: "José_Núñez" }),
          account("700003", { name: "हिन्दी" }),
          account("700004", { name: "mira" }),
        ],
        posts: [
          post("p1", { authorId: "3", text: "hi @МАРИЯ" }),
          post("p2", { authorId: "3", text: "hi @jose_nuñez" }),
          post("p3", { authorId: "3", text: "hi @हिन्दी" }),
          post("p4", { authorId: "3", text: "hi ＠ｍｉｒａ" }),
        ],
      }),
    ]);
    for (const id of ["700001", "700002", "700003", "700004"]) await current().writer.erase(PLATFORM, "account", id);
    for (const { text } of await reader().getPosts(["p1", "p2", "p3", "p4"])) assert.equal(text, "hi [erased]");
    assert.equal((await current().jobs.getJob("j"))?.label, "[erased]");
  });

  test("a trace is found in the text of a record alone, and in what only its platform's object has", async () => {
    const native = { about: "see @mira.tasse", shown: { unique_id: "mira.tasse", nickname: "Mira" } };
    await current().writer.write([
      toUnit(PLATFORM, {
        accounts: [account("700001", { name: "mira.tasse" }), account("2")],
        posts: [post("p1", { authorId: "2", text: "hi @mira.tasse" }), post("p2", { authorId: "2", native })],
        comments: [
          comment("c1", { authorId: "2", text: "hi @mira.tasse" }),
          comment("c2", { authorId: "2", native, publishedAt: SECOND - 9 }),
        ],
      }),
    ]);
    assert.equal((await current().writer.erase(PLATFORM, "account", "700001")).counts.mention, 4);
    const posts = await reader().getPosts(["p1", "p2"]);
    const { items: comments } = await reader().listComments("p1", "newest", { limit: 9 });
    for (const [first, second] of [posts, comments]) {
      assert.deepEqual([first?.text, second?.native], ["hi [erased]", { about: "see [erased]" }]);
    }
  });

  test("an erasure changes subtitles and posts with a sound of the person, and no mention of a co-author", async () => {
    const stamp = { capturedAt: NOW, source: "test" };
    const sound = { artistName: null, artistId: "700001", durationS: null, counters: {}, ...stamp };
    const music = { id: "s1", title: "Low tide" };
    const lines = [{ startS: 0, durationS: 1, text: "with @mira.tasse and @sem.ola" }];
    const spokenMention = { postId: "mention", automatic: false, lines, ...stamp };
    await current().writer.write([
      toUnit(PLATFORM, {
        accounts: [account("700001", { name: "mira.tasse" }), account("700002", { name: "sem.ola" })],
        sounds: [{ ...sound, id: "s1", title: "Low tide", native: {} }],
        posts: [
          post("together", { authorId: "700002", authorNames: ["sem.ola", "Sem Ola"], coauthorIds: ["700001"] }),
          post("mention", { authorId: "3", text: "hi @sem.ola" }),
          post("sound", { authorId: "3", soundId: "s1", native: { music } }),
        ],
        subtitles: [{ ...spokenMention, language: "en" }],
      }),
    ]);
    const spoken = async (text: string) => {
      const sources = [{ platform: PLATFORM, kind: "subtitle" as const, state: undefined }];
      return (await current().search({ text, sources, limit: 5, now: SECOND })).hits.length;
    };
    assert.equal(await spoken("tasse"), 1);
    const { counts } = await current().writer.erase(PLATFORM, "account", "700001");
    assert.deepEqual([counts.post, counts.sound, counts.mention], [1, 1, 2]);
    await current().writer.write([
      toUnit(PLATFORM, {
        sounds: [{ ...sound, artistId: null, id: "s1", title: "Low tide", native: {} }],
        posts: [post("sound later", { authorId: "3", soundId: "s1", native: { music } })],
        subtitles: [{ ...spokenMention, language: "fr" }],
      }),
    ]);
    const [stored, later, mention, embedding, embeddingLater] = await Promise.all([
      reader().getSubtitles("mention", "en"),
      reader().getSubtitles("mention", "fr"),
      reader().getPost("mention"),
      reader().getPost("sound"),
      reader().getPost("sound later"),
    ]);
    for (const track of [stored, later]) assert.equal(track?.lines[0]?.text, "with [erased] and @sem.ola");
    assert.deepEqual([await spoken("tasse"), await spoken("sem.ola")], [0, 2]);
    assert.equal(mention?.text, "hi @sem.ola");
    assert.deepEqual([embedding?.native, embeddingLater?.native], [{}, {}]);
    assert.equal(await reader().getSound("s1"), null, "also from a capture that does not name its artist");
  });

  test("a sound with a short displayed name is theirs only if a post of theirs uses it", async () => {
    const stamp = { native: {}, counters: {}, capturedAt: NOW, source: "test" };
    const soundOf = (id: string, artistName: string) => ({
      id,
      title: null,
      artistName,
      artistId: null,
      durationS: null,
      ...stamp,
    });
    await current().writer.write([
      toUnit(PLATFORM, {
        accounts: [account("1", { displayName: "Ines" }), account("2")],
        sounds: [soundOf("s1", "Ines"), soundOf("s2", "Ines"), soundOf("s3", "Orla"), soundOf("s4", "name.1")],
        posts: [
          post("p1", { soundId: "s1" }),
          post("p2", { soundId: "s2", authorId: "2" }),
          post("p3", { soundId: "s3" }),
        ],
      }),
    ]);
    const sources = [{ platform: PLATFORM, kind: "sound" as const, state: undefined }];
    const count = async () =>
      (await current().search({ text: "ines", sources, limit: 5, now: SECOND })).facets[0]?.counted;
    assert.equal(await count(), 2);
    assert.equal((await current().writer.erase(PLATFORM, "account", "1")).counts.sound, 2);
    assert.equal(await count(), 1);
    const stored = await Promise.all(["s1", "s2", "s3", "s4"].map((id) => reader().getSound(id)));
    assert.deepEqual(
      stored.map((sound) => sound?.id ?? null),
      [null, "s2", "s3", null],
    );
  });

  test("what is stored of a post is removed once a capture shows that it is of somebody erased", async () => {
    await current().writer.write([
      toUnit(PLATFORM, {
        accounts: [account("1"), account("2")],
        posts: [post("p2", { authorId: "2" })],
      }),
    ]);
    await current().writer.erase(PLATFORM, "account", "1");
    const stamp = { capturedAt: NOW, source: "test" };
    const lines = [{ startS: 0, durationS: 1, text: "secretword" }];
    const chart = { country: "US", section: "now", day: "2026-11-14" };
    await current().writer.write([
      toUnit(PLATFORM, {
        comments: [comment("c1", { postId: "p1", authorId: "2" }), comment("c2", { postId: "p2", authorId: "2" })],
        subtitles: [{ postId: "p1", language: "en", automatic: false, lines, ...stamp }],
        chartEntries: [{ ...chart, rank: 1, postId: "p1", ...stamp }],
      }),
    ]);
    assert.equal((await reader().listSubtitleLanguages("p1")).length, 1);
    await current().writer.write([toUnit(PLATFORM, { posts: [post("p1", { authorId: "1" })] })]);
    assert.deepEqual(await reader().listSubtitleLanguages("p1"), []);
    assert.deepEqual(await reader().listChartRanks("p1", {}, 9), []);
    assert.equal((await reader().countComments("p1")).comments, 0);
    assert.equal((await reader().countComments("p2")).comments, 1, "those on other posts stay");
    assert.deepEqual(await current().verify(), []);
  });
}
