import assert from "node:assert/strict";
import { test } from "node:test";
import { toSubtitleLine } from "./subtitle-line.ts";

test("a subtitle line has its index, and times to the millisecond", () => {
  const line = { startS: 1.0004, durationS: 2.5006, text: "Good morning, harbour" };
  assert.deepEqual(toSubtitleLine(line, 3), { id: 3, start: 1, duration: 2.501, text: "Good morning, harbour" });
});
