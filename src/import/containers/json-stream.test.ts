import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { UnindexedItem } from "./document.ts";
import { readJson } from "./json-stream.ts";
import { DEFAULT_SIZE_LIMITS, type SizeLimits } from "./size-limits.ts";

async function* chunksOf(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string, limits: Partial<SizeLimits> = {}, size = 7, from = 0): Promise<UnindexedItem[]> {
  const pieces: UnindexedItem[] = [];
  const reading = { limits: { ...DEFAULT_SIZE_LIMITS, ...limits }, isWanted: (ordinal: number) => ordinal >= from };
  for await (const batch of readJson(chunksOf(text, size), reading)) pieces.push(...batch);
  return pieces;
}

const values = (pieces: UnindexedItem[]): unknown[] => pieces.map((piece) => ("value" in piece ? piece.value : piece));

/** What is changed on purpose has tests of its own below. */
const jsonValue = fc
  .jsonValue({ stringUnit: "grapheme" })
  .filter((value) => !/[1-9]\d{15}|\\u0000|__proto__|"\$/.test(JSON.stringify(value)))
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown);

test("any value comes back whole, in any chunks", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(jsonValue, { maxLength: 6 }), fc.integer({ min: 1, max: 40 }), async (list, size) => {
      assert.deepEqual(values(await read(JSON.stringify(list), {}, size)), list);
      assert.deepEqual(values(await read(JSON.stringify({ list }, null, 2), {}, size)), [{ list }]);
    }),
    { numRuns: 300 },
  );
});

test("splitting loses nothing and does not depend on the chunks", async () => {
  const item = fc.record(
    { id: fc.nat(), text: fc.string({ unit: "grapheme" }), tags: fc.array(fc.string(), { maxLength: 3 }) },
    { noNullPrototype: true },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(item, { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 64 }),
      async (items, size) => {
        const text = JSON.stringify({ id: "v1", comments: items, after: { more: items } });
        const limits = { splitBytes: 200 };
        const pieces = await read(text, limits, size);
        assert.deepEqual(pieces, await read(text, limits, 1000));
        const skeleton = pieces.at(-1)!;
        assert.ok("value" in skeleton);
        const taken = (path: string): unknown[] =>
          pieces.flatMap((piece) => ("value" in piece && piece.location?.path.join(".") === path ? [piece.value] : []));
        const { comments, after } = skeleton.value as { comments: unknown[]; after: { more: unknown[] } };
        const emptied = new Set((skeleton.splitPaths ?? []).map((path) => path.join(".")));
        assert.deepEqual(emptied.has("comments") ? taken("comments") : comments, items);
        assert.deepEqual(emptied.has("after.more") ? taken("after.more") : after.more, items);
      },
    ),
  );
});

test("elements of a large array know the scalars around them", async () => {
  const comments = Array.from({ length: 20 }, (_, at) => ({ id: `c${at}`, text: "well said" }));
  const pieces = await read(JSON.stringify({ id: "v1", info: { lang: "en", comments }, epoch: 9 }), {
    splitBytes: 100,
  });
  assert.deepEqual(pieces[0], {
    kind: "json",
    value: comments[0],
    location: { path: ["info", "comments"], scalars: { id: "v1", lang: "en" } },
  });
  assert.deepEqual(pieces.at(-1), {
    kind: "json",
    value: { id: "v1", info: { lang: "en", comments: [] }, epoch: 9 },
    splitPaths: [["info", "comments"]],
  });
});

test("an array inside an element that is too large is taken apart as well", async () => {
  const replies = Array.from({ length: 30 }, (_, at) => at);
  const pieces = await read(JSON.stringify({ a: [{ id: 1, replies }, { id: 2 }] }), { splitBytes: 40 });
  const first = pieces[0]!;
  assert.ok("value" in first);
  assert.deepEqual(first.location, { path: ["a", "0", "replies"], scalars: { id: 1 } });
  assert.deepEqual(values(pieces).slice(0, 30), replies);
  assert.deepEqual(values(pieces).slice(30), [{ id: 1, replies: [] }, { id: 2 }, { a: [] }]);
});

test("integers that a double cannot hold are kept as text, to the digit", async () => {
  await fc.assert(
    fc.asyncProperty(fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }), async (number) => {
      const safe = number >= -(2n ** 53n) + 1n && number <= 2n ** 53n - 1n;
      const wanted = safe ? Number(number) : String(number);
      const text = `{"pk":${number},"in":"say :${number}, twice","list":[${number}],"f":0.${String(number).replace("-", "")}}`;
      const [value] = values(await read(text)) as [Record<string, unknown>];
      assert.equal(value["pk"], wanted);
      assert.equal(value["in"], `say :${number}, twice`);
      assert.deepEqual(value["list"], [wanted]);
      assert.equal(typeof value["f"], "number");
    }),
  );
});

test("wrappers of database dumps, words that JSON lacks, NUL and half characters", async () => {
  const text = String.raw`[{"_id":{"$oid":"abc"},"n":{"$numberLong":"7100000000000000001"},"m":{"$numberLong":"12"},"d":{"$date":{"$numberLong":"5"}}},
    {"a":NaN,"b":-Infinity,"c":"NaN"},{"s":"a\u0000b\ud83dc\ud83d\ude00"},{"__proto__":{"x":1},"y":2}]`;
  assert.deepEqual(values(await read(text)), [
    { _id: "abc", n: "7100000000000000001", m: 12, d: 5 },
    { a: null, b: null, c: "NaN" },
    { s: "ab\ufffdc😀" },
    { y: 2 },
  ]);
});

test("a broken element is refused and the ones after it are read", async () => {
  assert.deepEqual(await read('[{"a":1},{"b":tru},{"c":[1},{"d":4}]'), [
    { kind: "json", value: { a: 1 } },
    { refused: "not_json" },
    { refused: "json_broken: at character 8" },
    { kind: "json", value: { d: 4 } },
  ]);
});

test("values one after the other, with and without commas and lines between", async () => {
  assert.deepEqual(values(await read('{"a":1}{"b":2},\n{"c":\n3} [4,5]\n null')), [
    { a: 1 },
    { b: 2 },
    { c: 3 },
    4,
    5,
    null,
  ]);
});

test("a file that was cut gives its whole elements and one refusal", async () => {
  const text = JSON.stringify([{ a: 1 }, { b: "two" }]);
  for (let cut = 1; cut < text.length; cut++) {
    const pieces = await read(text.slice(0, cut));
    const whole = cut >= 8 ? (cut >= text.length - 1 ? 2 : 1) : 0;
    assert.equal(pieces.filter((piece) => "value" in piece).length, whole, text.slice(0, cut));
    assert.equal(pieces.filter((piece) => "refused" in piece).length, 1, text.slice(0, cut));
  }
});

test("ten thousand levels are refused, not followed", async () => {
  const deep = "[".repeat(10_000) + "]".repeat(10_000);
  assert.deepEqual(await read(`[{"a":1},{"d":${deep}},{"b":2}]`, {}, 1000), [
    { kind: "json", value: { a: 1 } },
    { refused: "nested_too_deep: more than 1000 levels" },
    { kind: "json", value: { b: 2 } },
  ]);
  assert.deepEqual(await read(`{"d":${deep}}{"b":2}`, {}, 1000), [
    { refused: "nested_too_deep: more than 1000 levels" },
    { kind: "json", value: { b: 2 } },
  ]);
});

test("a record beyond the limit is refused without being kept, and the next is read", async () => {
  const limits = { splitBytes: 1000, recordBytes: 4000 };
  assert.deepEqual(await read(`[{"a":"${"x".repeat(9000)}","b":{"c":1}},{"d":2}]`, limits, 100), [
    { refused: "record_too_large: more than 4 KiB" },
    { kind: "json", value: { d: 2 } },
  ]);
});

test("reading from an ordinal passes over what comes before without building it", async () => {
  const pieces = await read('[{"a":1},{"b":oops},{"c":3}]', {}, 7, 2);
  assert.deepEqual(pieces, [{ skipped: true }, { skipped: true }, { kind: "json", value: { c: 3 } }]);
});
