/** Conformance of the query language, of paging through search results, and of what can be searched. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { propertyBudget } from "#testing/budget.ts";
import type { SearchKind } from "#domain/record.ts";
import type { SearchState } from "#domain/search-state.ts";
import { DAY_S } from "#domain/time.ts";
import { account, comment, NOW, PLATFORM, post, SECOND } from "#testing/sample-records.ts";
import type { PostSearch } from "./port.ts";
import { toUnit } from "#store/write/batch-changes.ts";
import type { Store } from "#store/store.ts";
import type { Batch } from "#store/write/port.ts";

/** `current` returns the fresh store of the running test. */
export function queryLanguageSuite(current: () => Store): void {
  const reader = () => current().reader(PLATFORM);
  const write = (batch: Batch) => current().writer.write([toUnit(PLATFORM, batch)]);
  const query = (text: string): PostSearch => ({ text, offset: 0, limit: 20, now: SECOND });
  const search = (kind: SearchKind, text: string, state?: SearchState) =>
    current().search({ text, sources: [{ platform: PLATFORM, kind, state }], limit: 20, now: SECOND });
  const find = async (text: string) => (await reader().searchPosts(query(text))).items.map(({ id }) => id).toSorted();

  test("every operator of the query language filters as documented", async () => {
    await write({
      accounts: [account("1", { name: "nora" }), account("2", { name: "Ivo.K" })],
      sounds: [
        {
          id: "s1",
          title: "Night Train",
          artistName: "Nobody",
          artistId: null,
          durationS: null,
          counters: {},
          native: {},
          capturedAt: NOW,
          source: "test",
        },
      ],
      posts: [
        post("a", { text: "hot soup with egg noodles", authorId: "1", language: "en", counters: { views: 900 } }),
        post("b", { text: "cold soup, noodles and egg", authorId: "2", language: "en-GB", counters: { likes: 50 } }),
        post("c", { text: "soup of the day #ramen", authorId: "2", language: "fr", soundId: "s1" }),
        post("e", { text: "كتاب المنحل", authorId: "3", counters: {} }),
        post("f", { text: "sopa", authorId: "3", language: "pt-BR" }),
        post("g", { text: "sopa", authorId: "3", language: "pt_PT" }),
        post("h", { text: "sopa", authorId: "3", language: "zh-Hant-TW" }),
        post("i", { text: "sopa", authorId: "3", language: "iw" }),
        post("d", {
          text: "ramen @nora.lind",
          authorId: "3",
          publishedAt: SECOND - 40 * DAY_S,
          counters: { views: 12_000, likes: 700 },
        }),
      ],
    });
    const cases: [text: string, ids: string[]][] = [
      ["soup ", ["a", "b", "c"]],
      ['"egg noodles"', ["a"]],
      ["soup -noodles", ["c"]],
      ['soup -"egg noodles"', ["b", "c"]],
      ["hot OR cold soup", ["a", "b"]],
      ["#ramen", ["c"]],
      ["ramen", ["c", "d"]],
      ["@nora.lind", ["d"]],
      ["from:nora", ["a"]],
      ["soup from:@ivo.k", ["b", "c"]],
      ["soup -from:ivo.k", ["a"]],
      ["soup from:nobody", []],
      ["sound:s1", ["c"]],
      ['sound:"night train"', ["c"]],
      // Filters are not spell-checked: the client would not learn of the correction.
      ['sound:"nihgt train"', []],
      ["soup since:1970 until:9999", ["a", "b", "c"]],
      ["soup since:2003-05-09 until:2049-11-20", ["a", "b", "c"]],
      ["soup lang:en", ["a", "b"]],
      ["soup -lang:en", ["c"]],
      ["sopa lang:pt", ["f", "g"]],
      ["sopa lang:PT-br", ["f"]],
      ["sopa -lang:pt-br", ["g", "h", "i"]],
      ["sopa lang:pt-PT", ["g"]],
      ["sopa lang:zh-hant", ["h"]],
      ["sopa lang:zh-Hant-TW", ["h"]],
      ["sopa lang:zh-TW", []],
      // The code of Hebrew that YouTube writes, and the usual one.
      ["sopa lang:he", ["i"]],
      ["sopa lang:iw", ["i"]],
      ["sopa lang:por-BR", ["f"]],
      ["until:2026-11-01", ["d"]],
      ["soup since:2026-11-15T12:00:00Z", ["a", "b", "c"]],
      ["soup since:2026-11-15T12:00:01Z", []],
      ["soup until:2026-11-15T12:00:00Z", []],
      ["كتاب منحل ", ["e"]],
      ["min_views:900", ["a", "d"]],
      ["min_views:901", ["d"]],
      ["min_likes:51", ["d"]],
      ["ramen min_likes:0", ["d"]],
    ];
    for (const [text, ids] of cases) assert.deepEqual(await find(text), ids, text);
    // Of two windows, the part that both have counts.
    for (const [text, window] of [
      ["soup since:2026", { publishedSince: SECOND + 1 }],
      ["soup since:2026-11-15T12:00:01Z", { publishedSince: SECOND }],
      ["soup until:2027", { publishedUntil: SECOND }],
      ["soup until:2026-11-15T12:00:00Z", { publishedUntil: SECOND + 1 }],
    ] as const)
      assert.deepEqual((await reader().searchPosts({ ...query(text), ...window })).items, [], text);
  });

  test("two to four words find names and hashtags that join them, and other words beside those", async () => {
    await write({
      accounts: [account("1", { name: "marksandspencer", displayName: "M&S" }), account("2", { name: "spencer" })],
      hashtags: [
        {
          id: "marksandspencer",
          platformId: null,
          name: "marksandspencer",
          counters: {},
          native: {},
          capturedAt: NOW,
          source: "test",
        },
      ],
      posts: [
        post("tag", { text: "new in", hashtags: ["marksandspencer"], authorId: "9" }),
        post("mention", { text: "thanks @marksandspencer for the sandwich", authorId: "9" }),
        post("named", { text: "hello", authorNames: ["marksandspencer"], authorId: "9" }),
        post("author", { text: "hello again", authorId: "1" }),
        post("words", { text: "Marks walks, and Spencer runs", authorId: "9" }),
        post("none", { text: "marks of a pen", authorId: "9" }),
        post("夜市", { text: "#深夜食堂街", authorId: "9" }),
      ],
    });
    const posts = ["author", "mention", "named", "tag", "words"];
    assert.deepEqual(await find("marks and spencer"), posts);
    assert.deepEqual(await find("marks and spencer "), posts);
    assert.deepEqual(await find("spencer sandwich marks and "), []);
    assert.deepEqual(await find("marks and spencer sandwich"), ["mention"]);
    assert.deepEqual(
      await find("marks and spencer -thanks"),
      posts.filter((id) => id !== "mention"),
    );
    assert.deepEqual(await find('"marks and spencer"'), []);
    assert.deepEqual(await find("深夜 食堂 街"), ["夜市"]);
    for (const kind of ["account", "hashtag"] as const) {
      const { hits } = await search(kind, "marks and spencer");
      assert.deepEqual(
        hits.map(({ record }) => (record as { name: string }).name),
        ["marksandspencer"],
        kind,
      );
    }
  });

  test("if no record has all words, those with the most and rarest words are found, and marked", async () => {
    const common = Array.from({ length: 30 }, (_, index) =>
      post(`common${index}`, { text: "how to make the tea at home" }),
    );
    await write({
      accounts: [account("1", { name: "sourdough.home" })],
      posts: [
        ...common,
        post("three", { text: "A sourdough bread oven", counters: { likes: 1 } }),
        post("two", { text: "Bread from an oven", counters: { likes: 90_000 } }),
        post("one", { text: "Oven gloves", counters: { likes: 900_000 } }),
        post("french", { text: "Sourdough bread oven", language: "fr" }),
        post("phrase", { text: "the night train" }),
        post("apart", { text: "a train at night" }),
        post("zh", { text: "上海的夜市小吃" }),
      ],
    });
    const request = { ...query(""), orPartial: true };
    const partial = async (text: string) => {
      const { items, isPartial } = await reader().searchPosts({ ...request, text });
      return [items.map(({ id }) => id), isPartial];
    };
    assert.deepEqual(await partial("how to make the sourdough bread in an oven -french lang:fr"), [["french"], true]);
    const [sentence] = await partial("where to make a sourdough bread in your oven tomorrow");
    assert.deepEqual((sentence as string[]).slice(0, 3), ["three", "french", "two"]);
    assert.ok(!(sentence as string[]).some((id) => id.startsWith("common")), "common words alone are too little");
    assert.deepEqual(await partial("sourdough quokka -bread "), [[], false]);
    assert.deepEqual(await partial("sourdough quokka from:nobody "), [[], false]);
    assert.deepEqual(await partial('"night train" quokka '), [["phrase"], true]);
    assert.deepEqual(await partial("gloves OR mittens quokka "), [["one"], true]);
    assert.deepEqual(await partial("我想去上海的夜市吃面 "), [["zh"], true]);
    assert.deepEqual(await partial("oven gloves "), [["one"], false]);
    assert.deepEqual(await partial("quokka "), [[], false]);
    assert.deepEqual((await reader().searchPosts({ ...request, orPartial: false, text: "oven quokka " })).items, []);
    const sources = (["post", "account"] as const).map((kind) => ({ platform: PLATFORM, kind }));
    const all = await current().search({ ...request, text: "sourdough quokka ", sources });
    assert.deepEqual(
      [all.isPartial, all.facets.map(({ kind, complete }) => [kind, complete])],
      [
        true,
        [
          ["post", false],
          ["account", false],
        ],
      ],
    );
    const named = await reader().searchNames({
      text: "sourdough quokka",
      accounts: 5,
      hashtags: 5,
      places: 5,
      keywords: 0,
      orPartial: true,
    });
    assert.deepEqual([named.accounts.map(({ item }) => item.id), named.isPartial], [["1"], true]);
  });

  test("pages of partial matches have each once, and a page of full matches never becomes one of partial ones", async () => {
    const oven = (number: number) => post(`p${number}`, { text: "bread oven", counters: { likes: number } });
    await write({ posts: Array.from({ length: 23 }, (_, number) => oven(number)) });
    const walk = async (text: string, between: () => Promise<unknown>) => {
      const returned: string[] = [];
      let state: SearchState | undefined;
      for (let offset: number | undefined = 0; offset !== undefined;) {
        const asTyped = state !== undefined;
        const page = await reader().searchPosts({
          text,
          offset,
          limit: 5,
          now: SECOND,
          state,
          asTyped,
          orPartial: true,
        });
        returned.push(...page.items.map(({ id }) => id));
        ({ state, next: offset } = page as typeof page & { next: number | undefined });
        await between();
      }
      return returned;
    };
    let late = 100;
    const partial = await walk("bread oven quokka ", () => write({ posts: [oven(late++)] }));
    assert.deepEqual(
      partial,
      Array.from({ length: 23 }, (_, index) => `p${22 - index}`),
    );
    const full = await walk("bread oven ", async () => {
      for (let number = 0; number < late; number++) await current().writer.erase(PLATFORM, "post", `p${number}`);
      await write({ posts: [post("loaf", { text: "bread" })] });
    });
    assert.equal(full.length, 5);
  });

  test("when nothing matches, the nearest known word is searched and reported", async () => {
    await write({ posts: [post("a", { text: "midnight dumplings" }), post("b", { text: "борщ и пампушки" })] });
    const correct = async (text: string) => {
      const { items, corrected } = await reader().searchPosts(query(text));
      return [items.map(({ id }) => id), corrected];
    };
    assert.deepEqual(await correct("midnigth dumplings"), [["a"], "midnight dumplings"]);
    assert.deepEqual(await correct("dumplimgs "), [["a"], "dumplings "]);
    assert.deepEqual(await correct("dummplimgs"), [["a"], "dumplings"]);
    assert.deepEqual(await correct("пампшки"), [["b"], "пампушки"]);
    assert.deepEqual(await correct("midnight"), [["a"], null]);
    assert.deepEqual(await correct("midnight zebra"), [[], null]);
    assert.deepEqual(await correct("midnight борщ"), [[], null]);
    const typed = await reader().searchPosts({ ...query("midnigth"), asTyped: true });
    assert.deepEqual([typed.items, typed.corrected], [[], null]);
    await write({ posts: [post("c", { text: "brief form", authorId: "ivo" }), post("d", { text: "brief form" })] });
    assert.deepEqual(await correct("brief from from:ivo"), [["c"], "brief form from:ivo"]);
  });

  test("words of up to 24 letters (a Korean syllable has two or three) and queries of limited length are corrected", async () => {
    const words = "neighbourhood strawberries documentaries photographers skateboarding thunderstorms".split(" ");
    await write({
      posts: [
        post("a", { text: "internationalisierungens", authorId: "1" }),
        post("b", { text: "한국음식맛집", authorId: "1" }),
        post("c", { text: words.join(" ") }),
      ],
    });
    const corrected = async (text: string) => (await reader().searchPosts(query(text))).corrected;
    assert.equal(await corrected("internationalisirungens "), "internationalisierungens ");
    assert.equal(await corrected("internationalisierungenns "), null);
    assert.equal(await corrected("한국음식맛짐 "), "한국음식맛집 ");
    assert.equal(await corrected(`${"한국음식".repeat(3)} `), null);
    const misspelt = words.map((word) => word.slice(0, -1));
    assert.equal(await corrected(`${misspelt.slice(0, 4).join(" ")} `), `${words.slice(0, 4).join(" ")} `);
    assert.equal(await corrected(`${misspelt.join(" ")} `), null);
  });

  test("a part in the middle of a compound is found in languages without word boundaries", async () => {
    await write({
      posts: [
        post("ja", { text: "東京都庁の展望台" }),
        post("zh", { text: "上海城隍庙小吃街" }),
        post("ko", { text: "서울길거리음식투어" }),
        post("th", { text: "ตลาดนัดกลางคืนเชียงใหม่" }),
      ],
    });
    for (const [text, id] of [
      ["都庁", "ja"],
      ["展望", "ja"],
      ["城隍", "zh"],
      ["小吃", "zh"],
      ["음식", "ko"],
      ["กลางคืน", "th"],
    ] as const) {
      assert.deepEqual(await find(text), [id], text);
    }
  });

  test("beside a part of a compound all other words, the hashtag and the order of a phrase are required", async () => {
    await write({
      posts: [
        post("a", { text: "iphone充電器の選び方" }),
        post("b", { text: "充電器の選び方" }),
        post("c", { text: "ramen 寿司屋めぐり" }),
        post("d", { text: "寿司屋めぐりと ramen" }),
        post("e", { text: "寿司屋めぐり", hashtags: ["寿司"] }),
        post("f", { text: "국립 도서관에서 졸았다" }),
        post("g", { text: "도서관에서 만난 국립 무용단" }),
      ],
    });
    const cases: [text: string, ids: string[]][] = [
      ["iphone充電", ["a"]],
      ["iphone充電 ", ["a"]],
      ["充電iph", ["a"]],
      ["android充電", []],
      ["充電", ["a", "b"]],
      ["ramen 寿司", ["c", "d"]],
      ['"ramen 寿司"', ["c"]],
      ['"寿司屋 めぐり"', ["c", "d", "e"]],
      ["#寿司", ["e"]],
      ["#寿", ["e"]],
      ["寿司", ["c", "d", "e"]],
      ['"국립 도서관"', ["f"]],
      ["국립 도서관", ["f", "g"]],
      ["#도서관", []],
    ];
    for (const [text, ids] of cases) {
      const { items } = await reader().searchPosts({ ...query(text), asTyped: true });
      assert.deepEqual(items.map(({ id }) => id).toSorted(), ids, text);
    }
  });

  test("paging returns each match once, whatever is written meanwhile", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 9 }),
        fc.array(fc.record({ post: fc.nat(60), likes: fc.nat(1e7) }), { maxLength: 12 }),
        fc.uuid(),
        async (stored, limit, writes, word) => {
          const matching = (number: number, likes: number) =>
            post(`${word}-${number}`, { text: `tea ${word}`, counters: { likes } });
          await write({ posts: Array.from({ length: stored }, (_, number) => matching(number, number)) });
          const returned: string[] = [];
          let state: SearchState | undefined;
          for (let offset: number | undefined = 0; offset !== undefined;) {
            const page = await reader().searchPosts({ text: `tea ${word} `, offset, limit, now: SECOND, state });
            returned.push(...page.items.map(({ id }) => id));
            ({ state, next: offset } = page as typeof page & { next: number | undefined });
            const next = writes.pop();
            if (next !== undefined) await write({ posts: [matching(next.post, next.likes)] });
          }
          const expected = Array.from({ length: stored }, (_, number) => `${word}-${number}`);
          assert.deepEqual(returned.toSorted(), expected.toSorted());
        },
      ),
      propertyBudget(25),
    );
  });

  test("comments and subtitles are searched too, with facets", async () => {
    await write({
      posts: [post("a", { text: "soup", hashtags: ["Ramen"], authorId: "7", language: "en" })],
      comments: [
        comment("c1", { postId: "a", text: "best soup ever", authorId: "9" }),
        comment("c2", { postId: "a", text: "no" }),
      ],
      subtitles: [
        {
          postId: "a",
          language: "en",
          automatic: false,
          lines: [
            { startS: 0, durationS: 2, text: "hello again" },
            { startS: 2.5, durationS: 3, text: "today we boil the soup" },
          ],
          capturedAt: NOW,
          source: "test",
        },
      ],
    });
    const comments = await search("comment", "soup");
    assert.deepEqual(
      comments.hits.map(({ record }) => (record as { id: string }).id),
      ["c1"],
    );
    const [spoken] = (await search("subtitle", "boil soup")).hits;
    assert.equal(spoken?.kind === "subtitle" ? spoken.line.startS : null, 2.5);
    const posts = await search("post", "soup");
    assert.deepEqual(posts.facets[0], {
      platform: PLATFORM,
      kind: "post",
      counted: 1,
      complete: true,
      author: new Map([["7", 1]]),
      hashtag: new Map([["ramen", 1]]),
      language: new Map([["en", 1]]),
      month: new Map([["2026-11", 1]]),
    });
    const next = await search("post", "soup", posts.sources[0]?.state);
    assert.deepEqual([next.hits, next.more], [[], false]);
  });

  test("erased records are not found by word, prefix, n-gram, comment, subtitle or correction", async () => {
    await write({
      accounts: [account("7", { name: "zofia", bio: "quixotic 展望台" })],
      posts: [post("a", { text: "quixotic 展望台", authorId: "7" }), post("b", { text: "plain", authorId: "8" })],
      comments: [comment("c", { postId: "b", text: "quixotic 展望台", authorId: "7" })],
      subtitles: [
        {
          postId: "a",
          language: "en",
          automatic: true,
          lines: [{ startS: 0, durationS: 1, text: "quixotic 展望台" }],
          capturedAt: NOW,
          source: "test",
        },
      ],
    });
    const traces = async () => {
      const found = [];
      for (const text of ["quixotic ", "quixot", "展望", "quixoticc "]) {
        for (const kind of ["post", "account", "comment", "subtitle"] as const) {
          const { hits, corrected } = await search(kind, text);
          found.push(...hits.map(() => `${kind} ${text}`), ...(corrected === null ? [] : [corrected]));
        }
      }
      return found.length;
    };
    assert.ok((await traces()) >= 16);
    await current().writer.erase(PLATFORM, "account", "7");
    assert.equal(await traces(), 0);
  });

  test("posts are found by the names of their author, as captured with them and as they are now", async () => {
    await write({
      posts: [
        post("a", { text: "kites", authorId: "1", authorNames: ["old.handle", "Bruna Calder"] }),
        post("b", { text: "kites", authorId: "1" }),
        post("c", { text: "kites", authorId: "2", authorNames: ["SkyPainter"] }),
      ],
    });
    assert.deepEqual(await find("bruna calder"), ["a"]);
    assert.deepEqual(await find('"bruna calder"'), ["a"]);
    assert.deepEqual(await find("kites old.handle "), ["a"]);
    assert.deepEqual(await find("painter "), ["c"]);
    assert.deepEqual(await find("skypainter"), ["c"]);
    // The account arrives after its posts, and later under another name.
    await write({ accounts: [account("1", { name: "bruna.flies", displayName: "Bruna Calder" })] });
    assert.deepEqual(await find("kites bruna"), ["a", "b"]);
    await write({
      accounts: [account("1", { name: "bruna.flies", displayName: "Bruna Winter", capturedAt: NOW + 1 })],
    });
    assert.deepEqual(await find("winter"), ["a", "b"]);
    assert.deepEqual(await find('"bruna winter" kites'), ["a", "b"]);
    assert.deepEqual(await find("kites -winter"), ["a", "b", "c"]);
  });

  test("from: takes a handle, a display name in quotes, or an id", async () => {
    await write({
      accounts: [
        account("u1", { name: "bruna", displayName: "Sky Painter" }),
        account("u2", { name: "someone", displayName: "Bruna" }),
        account("u3", { name: "sky.painter", displayName: null }),
      ],
      posts: ["u1", "u2", "u3"].map((authorId, index) => post(`p${index + 1}`, { text: "kites", authorId })),
    });
    const cases: [text: string, ids: string[]][] = [
      ["from:bruna", ["p1"]],
      ["from:@BRUNA", ["p1"]],
      ["from:＠bruna", ["p1"]],
      ['from:"bruna"', ["p1", "p2"]],
      ['from:"Sky Painter"', ["p1", "p3"]],
      ["from:sky.painter", ["p3"]],
      ["from:u2", ["p2"]],
      ["kites -from:u2", ["p1", "p3"]],
      ["from:nobody", []],
    ];
    for (const [text, ids] of cases) assert.deepEqual(await find(text), ids, text);
  });

  test("a handle and an exact title are found among any number of more popular names that contain them", async () => {
    const numbers = Array.from({ length: 21 }, (_, index) => 10 + index);
    const sound = (id: string, title: string, posts: number) => ({
      id,
      title,
      artistName: null,
      artistId: null,
      durationS: null,
      counters: { posts },
      native: {},
      capturedAt: NOW,
      source: "test",
    });
    await write({
      accounts: [
        account("1", { name: "nora", counters: { followers: 1 } }),
        ...numbers.map((id) => account(`${id}`, { displayName: "Nora", counters: { followers: 1_000 } })),
      ],
      sounds: [sound("s1", "Night Train", 1), ...numbers.map((id) => sound(`s${id}`, `Night Train ${id}`, 1_000))],
      posts: [1, ...numbers].map((id) => post(`p${id}`, { text: "kites", authorId: `${id}`, soundId: `s${id}` })),
    });
    const others = numbers.map((id) => `p${id}`);
    const idsAndComplete = async (text: string) => {
      const sources = [{ platform: PLATFORM, kind: "post" as const }];
      const { hits, facets } = await current().search({ text, sources, limit: 50, now: SECOND });
      return [hits.map(({ record }) => (record as { id: string }).id).toSorted(), facets[0]?.complete];
    };
    assert.deepEqual(await idsAndComplete("from:nora"), [["p1"], true]);
    assert.deepEqual(await idsAndComplete("kites -from:nora"), [others, true]);
    assert.deepEqual(await idsAndComplete('from:"nora"'), [["p1", ...others.slice(0, -1)].toSorted(), false]);
    assert.deepEqual(await idsAndComplete('kites -from:"nora"'), [["p30"], false]);
    assert.deepEqual(await idsAndComplete('sound:"night train"'), [["p1", ...others.slice(0, -1)].toSorted(), false]);
    assert.deepEqual(await idsAndComplete('sound:"night train 12"'), [["p12"], true]);
  });

  test("keywords, compounds by their end and Arabic words with prefixes are found", async () => {
    await write({
      posts: [
        post("k", { title: "Untitled", keywords: ["paper kites", "PaperPlanes"] }),
        post("de", { text: "Omas Kartoffelsuppe mit Speck" }),
        post("tag", { text: "yum", hashtags: ["Linsensuppe"] }),
        post("ar", { text: "وبالكتاب نبدأ" }),
        post("ar2", { text: "للكتاب" }),
        post("ar3", { text: "الكتابة" }),
      ],
    });
    assert.deepEqual(await find('"paper kites"'), ["k"]);
    assert.deepEqual(await find("planes "), ["k"]);
    assert.deepEqual(await find("suppe "), ["de", "tag"]);
    assert.deepEqual(await find("suppe speck"), ["de"]);
    assert.deepEqual(await find("ppe "), []);
    assert.deepEqual(await find("كتاب "), ["ar", "ar2"]);
    assert.deepEqual(await find("كتاب"), ["ar", "ar2", "ar3"]);
    assert.deepEqual(await find("للكتاب "), ["ar2"]);
  });

  test("a known name is not corrected, and a word is split before it is respelt", async () => {
    await write({
      accounts: [account("7", { name: "gronkhar" }), account("8", { name: "lanternn" })],
      posts: [
        post("a", { text: "gronkhat lantern", authorId: "1" }),
        post("b", { text: "the iron man runs", authorId: "1" }),
        post("c", { text: "ironmen", authorId: "1" }),
      ],
    });
    const correct = async (text: string) => {
      const { items, corrected } = await reader().searchPosts(query(text));
      return [items.map(({ id }) => id), corrected];
    };
    assert.deepEqual(await correct("gronkhar "), [[], null]);
    assert.deepEqual(await correct("gronkhas "), [["a"], "gronkhat "]);
    assert.deepEqual(await correct("lanternn "), [[], null]);
    assert.deepEqual(await correct("ironman "), [["b"], '"iron man" ']);
    assert.deepEqual(await correct("ironman runs"), [["b"], '"iron man" runs']);
    assert.deepEqual(await correct('"ironman runs"'), [["b"], '"iron man runs"']);
    // The parts are known, but never next to each other.
    assert.deepEqual(await correct("runsman "), [[], null]);
  });

  test("from: still finds an account known by name only after its id becomes known", async () => {
    await write({
      accounts: [account("@mika", { name: "mika" })],
      posts: [post("a", { text: "kites", authorId: "@mika" })],
      comments: [comment("c", { postId: "a", text: "kites", authorId: "@mika" })],
    });
    await current().writer.mergePlaceholder(PLATFORM, "@mika", "42", (_kind, stored, incoming) => ({
      ...stored,
      ...incoming,
    }));
    assert.deepEqual(await find("kites from:mika"), ["a"]);
    assert.equal((await search("comment", "kites from:mika")).hits.length, 1);
  });
}
