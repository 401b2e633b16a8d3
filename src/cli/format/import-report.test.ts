import assert from "node:assert/strict";
import { test } from "node:test";
import { REFUSALS } from "#api/refusals.ts";
import { formatFile } from "./import-report.ts";

test("refusals are printed as sentences; unknown codes of an older version as they are", () => {
  const refused = { post_without_id: 2, "a post has no id": 1 };
  assert.equal(
    formatFile("posts.json", { formats: { apify: 3 }, records: {}, refused, skipped: { advertisement: 4 } }),
    `posts.json: apify; refused 2: ${REFUSALS.post_without_id}; refused 1: a post has no id; skipped 4: advertisement\n`,
  );
});
