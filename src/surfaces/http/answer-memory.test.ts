import assert from "node:assert/strict";
import { test } from "node:test";
import type { Lasting } from "./answer-making.ts";
import { AnswerMemory } from "./answer-memory.ts";

const MIB = 1024 * 1024;

function answer(text: string): Lasting {
  return { pieces: [text], etag: "", headers: [], lines: "", length: text.length, bytes: null, packed: null };
}

/** Asks as a server does: looks, and keeps what it had to make. Whether it was remembered. */
function ask(memory: AnswerMemory<string>, key: string, stamp = 1, text = "x".repeat(1_000)): boolean {
  if (memory.get(key, stamp) !== undefined) return true;
  memory.put(key, stamp, "subject", answer(text));
  return false;
}

test("what was asked for is remembered, until something is written", () => {
  const memory = new AnswerMemory<string>(MIB);
  assert.deepEqual([ask(memory, "a"), ask(memory, "a"), ask(memory, "b")], [false, true, false]);
  assert.deepEqual([ask(memory, "a", 2), ask(memory, "a", 2)], [false, true]);
  assert.equal(memory.size, 2);
});

test("the bound holds, whatever is asked", () => {
  const memory = new AnswerMemory<string>(MIB);
  for (let round = 0; round < 4; round++) {
    for (let number = 0; number < 2_000; number++) {
      ask(memory, `key ${number}`, 1, "y".repeat((number * 37) % 3_000));
      assert.ok(memory.bytes <= MIB);
    }
  }
  assert.ok(memory.size > 100);
});

test("an answer that was compressed counts in both forms", () => {
  const memory = new AnswerMemory<string>(MIB);
  ask(memory, "a");
  const { bytes } = memory;
  const entry = memory.get("a", 1);
  assert.ok(entry !== undefined);
  entry.packed = { encoding: "gzip", bytes: Buffer.alloc(300) };
  memory.measure("a", entry);
  memory.measure("a", entry);
  assert.equal(memory.bytes, bytes + 300);
  ask(memory, "a", 2);
  memory.measure("a", entry);
  assert.equal(memory.bytes, bytes);
});

test("those asked for often stay, however many are asked for once or twice", () => {
  const memory = new AnswerMemory<string>(MIB);
  const often = Array.from({ length: 100 }, (_, number) => `often ${number}`);
  for (let round = 0; round < 20; round++) for (const key of often) ask(memory, key);
  for (let number = 0; number < 20_000; number++) ask(memory, `seldom ${number % 10_000}`);
  assert.ok(often.filter((key) => memory.get(key, 1) !== undefined).length > 90);
});

test("what became popular takes the place of what was", () => {
  const memory = new AnswerMemory<string>(MIB);
  for (let round = 0; round < 50; round++) for (let n = 0; n < 600; n++) ask(memory, `before ${n}`);
  for (let round = 0; round < 3_000; round++) for (let n = 0; n < 600; n++) ask(memory, `after ${n}`);
  let found = 0;
  for (let n = 0; n < 600; n++) if (memory.get(`after ${n}`, 1) !== undefined) found++;
  assert.ok(found > 400, `${found} of 600`);
});

test("with no room nothing is remembered, and too large an answer is not either", () => {
  const none = new AnswerMemory<string>(0);
  for (let time = 0; time < 3; time++) assert.equal(ask(none, "a"), false);
  const memory = new AnswerMemory<string>(MIB);
  for (let time = 0; time < 3; time++) assert.equal(ask(memory, "a", 1, "z".repeat(MIB / 8)), false);
});
