import assert from "node:assert/strict";
import { test } from "node:test";
import { readCues } from "./subtitle-cues.ts";

const textOf = (spoken: string) => readCues(`00:00:01.000 --> 00:00:02.000\n${spoken}`)[0]?.text;

test("tags are left out, and what never closes is no tag", () => {
  assert.equal(textOf("<i>high</i> tide"), "high tide");
  assert.equal(textOf("<a <b> tide"), "tide");
  assert.equal(textOf("low <3 tide < flood"), "low <3 tide < flood");
});

test("a million signs that open nothing cost no more than their number", { timeout: 30_000 }, () => {
  assert.equal(textOf("<".repeat(1_000_000))?.length, 1_000_000);
});
