import assert from "node:assert/strict";
import { test } from "node:test";
import { REFUSALS } from "#api/refusals.ts";
import { emptyReport } from "#import/report.ts";
import { formatFile, formatTotal } from "./import-report.ts";

test("refusals are printed as sentences; unknown codes of an older version as they are", () => {
  const refused = { post_without_id: 2, "a post has no id": 1 };
  assert.equal(
    formatFile("posts.json", { formats: { apify: 3 }, records: {}, refused, skipped: { advertisement: 4 } }),
    `posts.json: apify; refused 2: ${REFUSALS.post_without_id}; refused 1: a post has no id; skipped 4: advertisement\n`,
  );
});

test("a name in an archive is printed without what a terminal would obey", () => {
  const file = { name: "a.zip!\u001b[2J\u009b31mposts\u202e.json\n", ...emptyReport() };
  const printed = "a.zip! [2J 31mposts .json";
  assert.equal(formatFile(file.name, file), `${printed}: nothing recognised\n`);
  const own = { ...emptyReport(), files: [] };
  const report = { job: "j", files: [file], total: emptyReport(), own, elsewhere: [], rejects: null };
  assert.match(
    formatTotal(report, false),
    new RegExp(`^  nothing recognised in 1 file: ${RegExp.escape(printed)}$`, "m"),
  );
});
