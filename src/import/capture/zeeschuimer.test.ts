import assert from "node:assert/strict";
import { test } from "node:test";
import { read4cat, readZeeschuimer } from "./zeeschuimer.ts";

const META = { source_platform: "tiktok.com", timestamp_collected: 1_725_530_400_000, last_updated: 1_725_530_500_000 };

test("an envelope gives the platform, the object and the later of its times", () => {
  const expected = { platform: "tiktok.com", data: { id: "1" }, capturedAt: 1_725_530_500_000 };
  assert.deepEqual(readZeeschuimer({ ...META, data: { id: "1" } }), expected);
  assert.deepEqual(read4cat({ id: "1", __import_meta: META }), expected);
});

test("an object without an envelope has none", () => {
  for (const value of [null, [], { id: "1" }, { source_platform: "tiktok.com", data: {} }, { __import_meta: "x" }]) {
    assert.equal(readZeeschuimer(value), undefined);
    assert.equal(read4cat(value), undefined);
  }
});
