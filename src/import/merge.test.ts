import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import type { Counters, PlatformName, RecordKind } from "#domain/record.ts";
import type { AnyRecord } from "#store/write/encoded-record.ts";
import { type Capture, merge } from "./merge.ts";

/** A capture of a post with some of its fields. */
function capture(capturedAt: number, fields: Record<string, unknown> = {}): Capture {
  return { id: "7422000000000000001", capturedAt, source: `source ${capturedAt}`, ...fields };
}

function mergeAll(
  captures: readonly Capture[],
  kind: RecordKind = "post",
  platform: PlatformName = "shortvideo",
): Record<string, unknown> {
  const merged = captures.reduce<AnyRecord | null>((stored, next) => merge(kind, stored, next, platform), null);
  return merged as unknown as Record<string, unknown>;
}

/** Some of the fields, as plain objects. */
function someOf<Fields extends object>(model: { [Name in keyof Fields]: fc.Arbitrary<Fields[Name]> }) {
  return fc.record<Fields, never>(model, { requiredKeys: [], noNullPrototype: true });
}

const someCounters = someOf<Counters>({ views: fc.nat(), likes: fc.nat(), comments: fc.nat(), shares: fc.nat() });

/** Each name has the same type in all captures, as a platform's fields do. */
const someNative = someOf({
  desc: fc.string(),
  isAd: fc.boolean(),
  video: someOf({ id: fc.string(), width: fc.nat(), cover: someOf({ url: fc.string() }) }),
  challenges: fc.array(fc.string(), { maxLength: 3 }),
  music: fc.constant(null),
});

const known = fc.string({ minLength: 1 });

const someFields = someOf({
  text: fc.option(known),
  title: fc.option(known),
  authorId: fc.option(known),
  publishedAt: fc.option(fc.nat()),
  hashtags: fc.array(fc.constantFrom("tide", "moon", "salt")),
  taggedIds: fc.array(fc.constantFrom("1", "2", "3")),
  counters: someCounters,
  native: someNative,
  approximate: fc.dictionary(
    fc.constantFrom("publishedAt", "text", "counters.views", "counters.likes"),
    fc.integer({ min: 1, max: 3 }),
    { noNullPrototype: true },
  ),
});

/** Captures of distinct instants, with the same captures in another order. */
function shuffledCaptures(maxLength: number) {
  return fc
    .uniqueArray(fc.tuple(fc.integer({ min: 1, max: 1_000 }), someFields), {
      selector: ([at]) => at,
      minLength: 2,
      maxLength,
    })
    .map((pairs) => pairs.map(([at, fields]) => capture(at, fields)))
    .chain((captures) =>
      fc.tuple(fc.constant(captures), fc.shuffledSubarray(captures, { minLength: captures.length })),
    );
}

/** Lists that captures add to are sets without an order. */
function asSets(record: Record<string, unknown>): Record<string, unknown> {
  const sorted = (list: unknown) => (list as string[]).toSorted();
  return { ...record, hashtags: sorted(record["hashtags"]), taggedIds: sorted(record["taggedIds"]) };
}

describe("one capture after another", () => {
  test("the newer known value wins, field by field, whichever comes first", () => {
    const older = capture(1, { text: "before", title: "only here" });
    const newer = capture(2, { text: "after", language: "da" });
    for (const captures of [
      [older, newer],
      [newer, older],
    ]) {
      const { text, title, language, capturedAt, source } = mergeAll(captures);
      assert.deepEqual([text, title, language, capturedAt, source], ["after", "only here", "da", 2, "source 2"]);
    }
  });

  test("an empty text is known: a removed caption stays removed in any order", () => {
    const older = capture(1, { text: "a caption" });
    const newer = capture(2, { text: "" });
    assert.equal(mergeAll([older, newer])["text"], "");
    assert.equal(mergeAll([newer, older])["text"], "");
  });

  test("absence never erases: not null, not undefined, not an empty list, not an empty object", () => {
    fc.assert(
      fc.property(someFields, (fields) => {
        const before = mergeAll([capture(1, fields)]);
        const blank = Object.fromEntries(Object.keys(fields).map((key) => [key, null]));
        const empty = { text: undefined, hashtags: [], taggedIds: [], counters: {}, native: {} };
        for (const silent of [{}, blank, empty]) {
          const {
            capturedAt: _,
            source: __,
            ages: _ages,
            ...after
          } = mergeAll([capture(1, fields), capture(2, silent)]);
          const { capturedAt: ___, source: ____, ...stored } = before;
          assert.deepEqual(after, stored);
        }
      }),
    );
  });

  test("a capture that shows nothing of a record leaves it as old, and from the same source, as what is known of it", () => {
    const text = capture(2, { text: "known" });
    for (const silent of [capture(3), capture(1, { text: null, counters: {}, native: {} })]) {
      for (const captures of [
        [text, silent],
        [silent, text],
      ])
        assert.deepEqual(mergeAll(captures), mergeAll([text]));
    }
    const comment = [capture(2, { postId: "7", text: "known" }), capture(3, { postId: "7" })];
    assert.equal(mergeAll(comment, "comment")["capturedAt"], 2);
    for (const silent of [
      [capture(1), capture(2)],
      [capture(2), capture(1)],
    ])
      assert.equal(mergeAll(silent)["capturedAt"], 2);
  });

  test("a partial object never replaces a full one, at any depth", () => {
    const full = { author: { id: "1", nickname: "Pell", avatar: { large: "l", thumb: "t" } }, tags: [{ id: "5" }] };
    const partial = { author: { id: "1", avatar: { thumb: "newer" } }, tags: [] };
    assert.deepEqual(mergeAll([capture(1, { native: full }), capture(2, { native: partial })])["native"], {
      author: { id: "1", nickname: "Pell", avatar: { large: "l", thumb: "newer" } },
      tags: [{ id: "5" }],
    });
    assert.deepEqual(mergeAll([capture(2, { native: partial }), capture(1, { native: full })])["native"], {
      author: { id: "1", nickname: "Pell", avatar: { large: "l", thumb: "newer" } },
      tags: [{ id: "5" }],
    });
  });

  test("each counter has its newest value", () => {
    const { counters } = mergeAll([
      capture(1, { counters: { views: 10, likes: 5 } }),
      capture(2, { counters: { views: 20 } }),
      capture(3, { counters: { comments: 1 } }),
    ]);
    assert.deepEqual(counters, { views: 20, likes: 5, comments: 1 });
  });

  test("an exact value of any age replaces an approximate one; the newer of two approximate ones wins", () => {
    const rough = (at: number, views: number) =>
      capture(at, { counters: { views }, approximate: { "counters.views": 1000 } });
    const exact = capture(1, { counters: { views: 25_317 } });
    const margins = { "counters.views": 1000 };
    for (const captures of [
      [exact, rough(2, 26_000), rough(3, 27_000)],
      [rough(3, 27_000), exact, rough(2, 26_000)],
    ]) {
      const { counters, approximate, ages } = mergeAll(captures);
      assert.deepEqual([counters, approximate], [{ views: 25_317 }, undefined]);
      assert.deepEqual(ages, { counters: { at: 3, parts: { views: 1 } } });
    }
    for (const captures of [
      [rough(2, 26_000), rough(3, 27_000)],
      [rough(3, 27_000), rough(2, 26_000)],
    ]) {
      const { counters, approximate } = mergeAll(captures);
      assert.deepEqual([counters, approximate], [{ views: 27_000 }, margins]);
    }
  });

  test("a count that is another one rounded does not replace it, whatever their age", () => {
    const exact = capture(1, { counters: { views: 1_776_621, likes: 15_955, saves: 1_510_358_266, shares: 9_960 } });
    const rounded = capture(2, { counters: { views: 1_800_000, likes: 16_000, saves: 1_500_000_000, shares: 10_000 } });
    const wanted = { ...exact["counters"], shares: 10_000 };
    for (const captures of [
      [exact, rounded],
      [rounded, exact],
    ]) {
      const { counters, approximate, ages } = mergeAll(captures);
      assert.deepEqual([counters, approximate], [wanted, undefined]);
      assert.deepEqual(ages, { counters: { at: 2, parts: { likes: 1, saves: 1, views: 1 } } });
    }
    const later = capture(3, { counters: { views: 1_900_000, likes: 15_956, saves: 1_600_000_000 } });
    const { counters } = mergeAll([exact, rounded, later]);
    assert.deepEqual(counters, { ...later["counters"], shares: 10_000 });
    // The other platforms round no count that is not marked.
    assert.deepEqual(mergeAll([exact, rounded], "post", "longvideo")["counters"], rounded["counters"]);
  });

  test("of two estimates of a time of publication the finer one wins, since the time does not change", () => {
    const hours = capture(1, { publishedAt: 500, approximate: { publishedAt: 3600 } });
    const years = capture(2, { publishedAt: 900, approximate: { publishedAt: 31_536_000 } });
    for (const captures of [
      [hours, years],
      [years, hours],
    ]) {
      const { publishedAt, approximate } = mergeAll(captures);
      assert.deepEqual([publishedAt, approximate], [500, { publishedAt: 3600 }]);
    }
  });

  test("a margin without its value is dropped", () => {
    const { approximate } = mergeAll([capture(1, { text: "x", approximate: { publishedAt: 60, text: 1, "a.b": 2 } })]);
    assert.deepEqual(approximate, { text: 1 });
  });

  test("a counter may decrease, also to zero", () => {
    const { counters } = mergeAll([capture(1, { counters: { likes: 9 } }), capture(2, { counters: { likes: 0 } })]);
    assert.deepEqual(counters, { likes: 0 });
  });

  test("lists that captures contain in part are united", () => {
    const { hashtags, taggedIds, coauthorIds } = mergeAll([
      capture(2, { hashtags: ["tide"], taggedIds: ["1"], coauthorIds: ["3"] }),
      capture(1, { hashtags: ["moon", "tide"], taggedIds: ["2"], coauthorIds: ["4"] }),
    ]);
    assert.deepEqual(
      { hashtags, taggedIds, coauthorIds },
      { hashtags: ["tide", "moon"], taggedIds: ["1", "2"], coauthorIds: ["3", "4"] },
    );
  });

  test("links keep what an older capture says of them, and long lists take linear time", () => {
    let reads = 0;
    const links = Array.from({ length: 1_000 }, (_, index) => ({
      title: `Stall ${index}`,
      get url() {
        reads++;
        return `https://stalls.example/${index}`;
      },
    }));
    const urls = links.map(({ url }) => ({ url })).toReversed();
    const captures = [capture(1, { native: { bio_links: links } }), capture(2, { native: { bio_links: urls } })];
    const { bio_links } = mergeAll(captures, "account", "photoshare")["native"] as { bio_links: object[] };
    assert.deepEqual(bio_links[0], { title: "Stall 999", url: "https://stalls.example/999" });
    assert.ok(reads <= 10 * links.length, `${reads} URLs were read`);
  });

  test("a list that is far longer than platforms allow grows no further", () => {
    const names = (from: number) => Array.from({ length: 1_500 }, (_, index) => `tag${from + index}`);
    const captures = [0, 1_500, 3_000, 4_500].map((from, at) => capture(at + 1, { hashtags: names(from) }));
    assert.equal((mergeAll(captures)["hashtags"] as string[]).length, 3_000);
  });

  test("what no capture contains is unknown, for every kind", () => {
    for (const kind of ["account", "post", "comment", "sound", "hashtag", "place"] as const) {
      const merged = mergeAll([capture(1)], kind);
      assert.deepEqual([merged["counters"], merged["native"]], [{}, {}]);
      assert.ok(
        Object.values(merged).every((value) => value !== undefined),
        kind,
      );
    }
  });

  test("nothing reaches the prototype of a stored record", () => {
    const native = JSON.parse('{"__proto__":{"polluted":true},"a":{"__proto__":{"polluted":true}}}') as object;
    for (const captures of [
      [capture(2, { native })],
      [capture(1, { native: { a: { b: 1 } } }), capture(2, { native })],
    ]) {
      const merged = mergeAll(captures)["native"] as { a?: object };
      for (const object of [{}, merged, merged.a ?? {}]) {
        assert.equal(Object.getPrototypeOf(object), Object.prototype);
        assert.ok(!("polluted" in object) && !Object.hasOwn(object, "__proto__"));
      }
    }
  });
});

describe("whatever the captures", () => {
  test("captures of the same instant give the same record in any order, and again change nothing", () => {
    fc.assert(
      fc.property(
        fc.array(someFields, { minLength: 2, maxLength: 4 }),
        fc.integer({ min: 0, max: 1 }),
        (all, spread) => {
          const captures = all.map((fields, index) => ({
            ...capture(10 + (index % 2) * spread, { ...fields, approximate: {} }),
            source: `source ${index}`,
          }));
          const merged = mergeAll(captures, "post", "longvideo");
          assert.deepEqual(mergeAll([...captures, ...captures], "post", "longvideo"), merged);
          assert.deepEqual(asSets(mergeAll(captures.toReversed(), "post", "longvideo")), asSets(merged));
        },
      ),
    );
  });

  test("the same capture again changes nothing", () => {
    fc.assert(
      fc.property(shuffledCaptures(5), ([captures]) => {
        const once = mergeAll(captures);
        const last = captures.reduce((newest, next) => (next.capturedAt > newest.capturedAt ? next : newest));
        assert.deepEqual(mergeAll([...captures, last]), once);
        assert.deepEqual(asSets(mergeAll([...captures, ...captures])), asSets(once));
      }),
    );
  });

  test("merging does not change its arguments", () => {
    fc.assert(
      fc.property(shuffledCaptures(3), ([captures]) => {
        const copies = structuredClone(captures);
        const stored = merge("post", null, captures[0]!, "shortvideo");
        const storedCopy = structuredClone(stored);
        merge("post", stored, captures[1]!, "shortvideo");
        assert.deepEqual([captures, stored], [copies, storedCopy]);
      }),
    );
  });

  test("two captures of distinct times give the same record in both orders", () => {
    fc.assert(
      fc.property(shuffledCaptures(2), ([one, other]) => {
        assert.deepEqual(asSets(mergeAll(one)), asSets(mergeAll(other)));
      }),
    );
  });

  test("any number of captures of distinct times gives the same record in any order", () => {
    fc.assert(
      fc.property(shuffledCaptures(6), ([one, other]) => {
        assert.deepEqual(asSets(mergeAll(one)), asSets(mergeAll(other)));
      }),
    );
  });

  test("an older value survives if the newest capture, which lacks it, was imported before it", () => {
    const first = capture(1, { text: "first", counters: { likes: 1 }, native: { desc: "first" } });
    const middle = capture(2, { text: "middle", counters: { likes: 2 }, native: { desc: "middle" } });
    const silent = capture(3, { counters: { views: 9 } });
    const { text, counters, native } = mergeAll([first, silent, middle]);
    assert.deepEqual(
      { text, counters, native },
      { text: "middle", counters: { likes: 2, views: 9 }, native: { desc: "middle" } },
    );
  });
});
