import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { UnindexedItem } from "./document.ts";
import { GrowingBuffer } from "./growing-buffer.ts";
import { readJson } from "./json-stream.ts";
import { DEFAULT_SIZE_LIMITS, type SizeLimits } from "./size-limits.ts";

async function* chunksOf(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string, limits: Partial<SizeLimits> = {}, size = 7, from = 0): Promise<UnindexedItem[]> {
  const items: UnindexedItem[] = [];
  const reading = { limits: { ...DEFAULT_SIZE_LIMITS, ...limits }, isWanted: (ordinal: number) => ordinal >= from };
  for await (const batch of readJson(chunksOf(text, size), reading)) items.push(...batch);
  return items;
}

const values = (items: UnindexedItem[]): unknown[] => items.map((item) => ("value" in item ? item.value : item));

/** Without what the parser changes on purpose, which has tests below. */
const jsonValue = fc
  .jsonValue({ stringUnit: "grapheme" })
  .filter((value) => !/[1-9]\d{15}|\\u0000|__proto__|"\$/.test(JSON.stringify(value)))
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown);

test("any value is parsed, in any chunks", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(jsonValue, { maxLength: 6 }), fc.integer({ min: 1, max: 40 }), async (list, size) => {
      assert.deepEqual(values(await read(JSON.stringify(list), {}, size)), list);
      assert.deepEqual(values(await read(JSON.stringify({ list }, null, 2), {}, size)), [{ list }]);
    }),
    { numRuns: 300 },
  );
});

test("splitting loses nothing and does not depend on the chunks", async () => {
  const comment = fc.record(
    { id: fc.nat(), text: fc.string({ unit: "grapheme" }), tags: fc.array(fc.string(), { maxLength: 3 }) },
    { noNullPrototype: true },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(comment, { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 64 }),
      async (list, size) => {
        const text = JSON.stringify({ id: "v1", comments: list, after: { more: list } });
        const limits = { splitBytes: 200 };
        const items = await read(text, limits, size);
        assert.deepEqual(items, await read(text, limits, 1000));
        const rest = items.at(-1)!;
        assert.ok("value" in rest);
        const elementsOf = (path: string): unknown[] =>
          items.flatMap((item) => ("value" in item && item.location?.path.join(".") === path ? [item.value] : []));
        const { comments, after } = rest.value as { comments: unknown[]; after: { more: unknown[] } };
        const split = new Set((rest.splitPaths ?? []).map((path) => path.join(".")));
        assert.deepEqual(split.has("comments") ? elementsOf("comments") : comments, list);
        assert.deepEqual(split.has("after.more") ? elementsOf("after.more") : after.more, list);
      },
    ),
  );
});

test("elements of a large array know the scalars around them", async () => {
  const comments = Array.from({ length: 20 }, (_, at) => ({ id: `c${at}`, text: "well said" }));
  const items = await read(JSON.stringify({ id: "v1", info: { lang: "en", comments }, epoch: 9 }), {
    splitBytes: 100,
  });
  assert.deepEqual(items[0], {
    kind: "json",
    value: comments[0],
    location: { path: ["info", "comments"], scalars: { id: "v1", lang: "en" } },
  });
  assert.deepEqual(items.at(-1), {
    kind: "json",
    value: { id: "v1", info: { lang: "en", comments: [] }, epoch: 9 },
    splitPaths: [["info", "comments"]],
  });
});

test("an array inside an element that is too large is split as well", async () => {
  const replies = Array.from({ length: 30 }, (_, at) => at);
  const items = await read(JSON.stringify({ a: [{ id: 1, replies }, { id: 2 }] }), { splitBytes: 40 });
  const first = items[0]!;
  assert.ok("value" in first);
  assert.deepEqual(first.location, { path: ["a", "0", "replies"], scalars: { id: 1 } });
  assert.deepEqual(values(items).slice(0, 30), replies);
  assert.deepEqual(values(items).slice(30), [{ id: 1, replies: [] }, { id: 2 }, { a: [] }]);
});

test("integers beyond 2^53 become strings with every digit", async () => {
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

test("MongoDB's type wrappers, NaN and Infinity, NUL and lone surrogates", async () => {
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

test("consecutive values, with and without commas and newlines between them", async () => {
  assert.deepEqual(values(await read('{"a":1}{"b":2},\n{"c":\n3} [4,5]\n null')), [
    { a: 1 },
    { b: 2 },
    { c: 3 },
    4,
    5,
    null,
  ]);
});

test("a truncated file yields its complete elements and one refusal", async () => {
  const text = JSON.stringify([{ a: 1 }, { b: "two" }]);
  for (let cut = 1; cut < text.length; cut++) {
    const items = await read(text.slice(0, cut));
    const whole = cut >= 8 ? (cut >= text.length - 1 ? 2 : 1) : 0;
    assert.equal(items.filter((item) => "value" in item).length, whole, text.slice(0, cut));
    assert.equal(items.filter((item) => "refused" in item).length, 1, text.slice(0, cut));
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

test("a record beyond the limit is refused without being buffered, and the next is read", async () => {
  const limits = { splitBytes: 1000, recordBytes: 4000 };
  assert.deepEqual(await read(`[{"a":"${"x".repeat(9000)}","b":{"c":1}},{"d":2}]`, limits, 100), [
    { refused: "record_too_large: more than 4 KiB" },
    { kind: "json", value: { d: 2 } },
  ]);
});

test("reading from an index skips earlier values without parsing them", async () => {
  const items = await read('[{"a":1},{"b":oops},{"c":3}]', {}, 7, 2);
  assert.deepEqual(items, [{ skipped: true }, { skipped: true }, { kind: "json", value: { c: 3 } }]);
});

test("a large value with a broken member name is refused at its end, and the next is read", async () => {
  const broken = String.raw`{"na\me":{"list":[${"1,".repeat(50)}1]}}`;
  const items = await read(`${broken}{"b":2}`, { splitBytes: 40 });
  assert.deepEqual(items.at(-2), { refused: "json_broken: at character 6" });
  assert.deepEqual(items.at(-1), { kind: "json", value: { b: 2 } });
});

test("a buffer that a large value has grown shrinks again", () => {
  const buffer = new GrowingBuffer();
  buffer.append(Buffer.alloc(2 * 1024 * 1024), 0);
  buffer.append(Buffer.from("x"), buffer.length);
  assert.deepEqual([buffer.text(0, buffer.length), buffer.bytes.length], ["x", 64 * 1024]);
});
