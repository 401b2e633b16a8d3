import assert from "node:assert/strict";
import { test } from "node:test";
import type { Rows } from "#store/copy/port.ts";
import { exactPoints } from "./exact-points.ts";

test("exported points have the counts of the history, however the rows come in batches", async () => {
  const row = (platform: string, id: string, at: number, views: number): Rows["counter_points"] => {
    return [platform, "post", id, at, JSON.stringify({ views })];
  };
  const rows = [
    row("longvideo", "p", 1, 12_345),
    row("longvideo", "p", 2, 12_300),
    row("shortvideo", "p", 1, 12_200),
    row("shortvideo", "p", 2, 12_300),
    row("shortvideo", "p", 3, 12_345),
    row("shortvideo", "p", 4, 12_300),
    row("shortvideo", "q", 1, 12_300),
  ];
  const exact = [...rows.slice(0, 3), row("shortvideo", "p", 2, 12_345), row("shortvideo", "q", 1, 12_300)];
  for (let size = 1; size <= rows.length; size++) {
    async function* batches() {
      for (let start = 0; start < rows.length; start += size) {
        yield rows.slice(start, start + size);
        yield [];
      }
    }
    assert.deepEqual((await Array.fromAsync(exactPoints(batches()))).flat(), exact, `batches of ${size}`);
  }
  assert.deepEqual((await Array.fromAsync(exactPoints((async function* () {})()))).flat(), []);
});
