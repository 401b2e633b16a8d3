import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import * as fc from "fast-check";
import { AnswerMemory } from "./answer-memory.ts";
import { FileRing } from "./file-ring.ts";
import { MemoryRing } from "./memory-ring.ts";
import type { Lasting } from "./remembered.ts";

const MIB = 1024 * 1024;

const folder = mkdtempSync(join(tmpdir(), "triptych-answers-"));
after(() => rmSync(folder, { recursive: true }));

function memoryOf<Subject>(memory: number, file = 0): AnswerMemory<Subject> {
  return new AnswerMemory({ memory, file, folder, failed: (error) => assert.fail(String(error)) });
}

function answer(text: string): Lasting {
  return { etag: "", lines: "", body: { pieces: [text], between: [] } };
}

/** Asks as a server does: looks, and keeps what it had to make. Whether it was remembered. */
function ask(memory: AnswerMemory<string>, key: string, stamp = 1, text = "x".repeat(1_000)): boolean {
  if (memory.get(key, stamp) !== undefined) return true;
  memory.put(key, stamp, "subject", answer(text));
  return false;
}

test("what was asked for is remembered, until something is written", () => {
  const memory = memoryOf<string>(MIB);
  assert.deepEqual([ask(memory, "a"), ask(memory, "a"), ask(memory, "b")], [false, true, false]);
  assert.deepEqual([ask(memory, "a", 2), ask(memory, "a", 2)], [false, true]);
  assert.equal(memory.size, 1);
  memory.put("late", 1, "subject", answer("made before it was written"));
  assert.equal(memory.get("late", 2), undefined);
});

for (const [where, room] of [
  ["in memory", [300_000, 0]],
  ["in memory and in a file", [40_000, 1_600_000]],
] as const) {
  test(`whatever is kept ${where} is given as it was, and no more than there is room for`, () => {
    const sizes = fc.oneof({ weight: 9, arbitrary: fc.nat(3_000) }, { weight: 1, arbitrary: fc.nat(50_000) });
    const forms = fc.constantFrom("plain", "cut", "compressed" as const);
    const writing = fc.integer({ min: 0, max: 99 }).map((number) => number === 0);
    const asking = fc.record({ key: fc.nat(60), size: sizes, form: forms, written: writing });
    fc.assert(
      fc.property(fc.array(asking, { maxLength: 1_500, size: "max" }), (askings) => {
        const memory = memoryOf<number>(room[0], room[1]);
        const put = new Map<string, Lasting>();
        let stamp = 0;
        askings.forEach(({ key: number, size, form, written }, index) => {
          if (written) stamp++;
          const key = `key ${number}`;
          const kept = memory.get(key, stamp);
          if (kept !== undefined) {
            const lasting = put.get(`${key}/${stamp}`) as Lasting;
            assert.deepEqual(kept.copy(), lasting);
            const isCut = !("encoding" in lasting.body) && lasting.body.between.length > 0;
            assert.equal(kept.wire()?.toString("latin1") ?? null, isCut ? null : wireOf(lasting));
          } else {
            const lasting = answerOf(index, size, form);
            memory.put(key, stamp, index, lasting);
            put.set(`${key}/${stamp}`, lasting);
          }
        });
        let held = 0;
        for (let key = 0; key <= 60; key++) held += memory.get(`key ${key}`, stamp)?.bodyLength ?? 0;
        assert.ok(held <= room[0] + room[1] && memory.size <= 61);
        memory.close();
      }),
      { numRuns: 100 },
    );
  });
}

function answerOf(index: number, size: number, form: string): Lasting {
  const lasting = { etag: `W/"${index}"`, lines: `etag: W/"${index}"\r\n` };
  const text = `${index} ${"ä☃😀z".repeat(size / 10)}`;
  if (form === "compressed") return { ...lasting, body: { encoding: "gzip", bytes: Buffer.from(text) } };
  if (form === "plain") return { ...lasting, body: { pieces: [text], between: [] } };
  return { ...lasting, body: { pieces: [text, "and", text], between: ["requestId", "now"] } };
}

function wireOf({ lines, body }: Lasting): string {
  const bytes = "encoding" in body ? body.bytes : Buffer.from(body.pieces.join(""));
  const encoding = "encoding" in body ? `content-encoding: ${body.encoding}\r\n` : "";
  const form = `content-type: application/json; charset=utf-8\r\ncontent-length: ${bytes.length}\r\n\r\n`;
  return lines + encoding + form + bytes.toString("latin1");
}

test("those asked for often stay, however many are asked for once or twice", () => {
  const memory = memoryOf<string>(MIB);
  const often = Array.from({ length: 100 }, (_, number) => `often ${number}`);
  for (let round = 0; round < 20; round++) for (const key of often) ask(memory, key);
  for (let number = 0; number < 20_000; number++) ask(memory, `seldom ${number % 10_000}`);
  assert.ok(often.filter((key) => memory.get(key, 1) !== undefined).length > 90);
});

test("what became popular takes the place of what was", () => {
  const memory = memoryOf<string>(MIB);
  for (let round = 0; round < 50; round++) for (let n = 0; n < 600; n++) ask(memory, `before ${n}`);
  for (let round = 0; round < 400; round++) for (let n = 0; n < 600; n++) ask(memory, `after ${n}`);
  let found = 0;
  for (let n = 0; n < 600; n++) if (memory.get(`after ${n}`, 1) !== undefined) found++;
  assert.ok(found > 400, `${found} of 600`);
});

test("with no room nothing is remembered, and too large an answer is not either", () => {
  const none = memoryOf<string>(0);
  for (let time = 0; time < 3; time++) assert.equal(ask(none, "a"), false);
  const memory = memoryOf<string>(MIB);
  for (let time = 0; time < 3; time++) assert.equal(ask(memory, "a", 1, "z".repeat(MIB / 8)), false);
});

test("long answers that find no room in memory are in a file that has no name, and short ones are not", () => {
  const memory = memoryOf<string>(MIB, 10 * MIB);
  const long = "l".repeat(20_000);
  for (let number = 0; number < 300; number++) ask(memory, `long ${number}`, 1, long);
  assert.ok(memory.size > 250, `${memory.size}`);
  assert.deepEqual(readdirSync(folder), []);
  const before = memory.size;
  for (let number = 0; number < 300; number++) ask(memory, `short ${number}`);
  assert.ok(memory.size < before + 20, "but where there is room for no long one");
  memory.see(2);
  assert.equal(memory.size, 0);
  memory.close();
});

test("no piece of a ring goes over the edge of one of its sheets", () => {
  const ring = new MemoryRing(40 * MIB);
  const places = Array.from({ length: 30 }, (_, number) => ring.put(5 * MIB, (room) => room.fill(number)));
  assert.equal(ring.capacity, 32 * MIB);
  assert.ok(places.every((place) => (place % ring.sheetBytes) + 5 * MIB <= ring.sheetBytes));
  assert.deepEqual(
    places.slice(-6).map((place) => ring.get(place, 5 * MIB).at(-1)),
    [24, 25, 26, 27, 28, 29],
  );
});

test("nothing can be read of a file that was cleared", () => {
  const ring = new FileRing(join(folder, "ring"), MIB);
  const place = ring.put(5, (room) => room.write("erase"));
  assert.equal(ring.get(place, 5).toString(), "erase");
  ring.clear();
  assert.throws(() => ring.get(place, 5), /shorter/);
  ring.close();
});

test("a file that cannot be made is done without, and said once", () => {
  const told: unknown[] = [];
  const failed = (error: unknown) => void told.push(error);
  const memory = new AnswerMemory<string>({ memory: MIB, file: MIB, folder: join(folder, "missing"), failed });
  const long = "l".repeat(20_000);
  for (let round = 0; round < 3; round++) {
    for (let number = 0; number < 100; number++) ask(memory, `long ${number}`, 1, long);
  }
  assert.equal(told.length, 1);
  assert.match(String(told[0]), /ENOENT/);
  assert.ok(memory.size > 10);
});
