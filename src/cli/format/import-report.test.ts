import assert from "node:assert/strict";
import { test } from "node:test";
import { REFUSALS } from "#api/refusals.ts";
import { emptyReport } from "#import/report.ts";
import { formatFile, formatProblems, formatTotal } from "./import-report.ts";

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

test("names are shortened by the folders that all files are in, and by nothing if there are none", () => {
  const summaryOf = (...names: string[]) => {
    const files = names.map((name) => ({ name, ...emptyReport() }));
    const own = { ...emptyReport(), files: [] };
    return formatProblems({ job: "j", files, total: emptyReport(), own, elsewhere: [], rejects: null });
  };
  assert.equal(summaryOf("/a/b/c.json", "/a/b/d/e.json"), "  nothing recognised in 2 files: c.json, d/e.json\n");
  assert.equal(
    summaryOf("/a/b.json", "standard input"),
    "  nothing recognised in 2 files: /a/b.json, standard input\n",
  );
  assert.equal(summaryOf("/a.json", "/b.json"), "  nothing recognised in 2 files: a.json, b.json\n");
  assert.equal(summaryOf("a.json"), "  nothing recognised in 1 file: a.json\n");
});

test("a summary counts what was erased, says where refusals are listed, and names the files of each reason", () => {
  const files = Array.from({ length: 25 }, (_, at) => ({ name: `/captures/${at}.json`, ...emptyReport() }));
  const refused = { not_json: 1 };
  const first = Array.from({ length: 20 }, (_, at) => `${at}.json`).join(", ");
  const skipped = { media: 2 };
  const total = {
    formats: { apify: 3 },
    records: { post: { new: 1, updated: 2, unchanged: 3, erased: 4 } },
    refused: { unknown_format: 1, not_json: 3 },
    skipped,
  };
  const report = {
    job: "j",
    files: [
      ...files,
      { name: "/captures/photo.jpg", ...emptyReport(), skipped },
      { name: "/captures/a/part.json", ...emptyReport(), refused, skipped },
      { name: "/captures/b/part.json", ...emptyReport(), refused: { not_json: 2, unknown_format: 1 } },
    ],
    total,
    own: { ...emptyReport(), files: [] },
    elsewhere: [],
    rejects: "/data/rejects/j.ndjson",
  };
  assert.equal(
    formatTotal(report, true),
    [
      "Would import from 28 files (job j):",
      `  refused 3: ${REFUSALS.not_json}`,
      "    in 2 files: a/part.json, b/part.json",
      `  refused 1: ${REFUSALS.unknown_format}`,
      "    in 1 file: b/part.json",
      `  nothing recognised in 25 files: ${first} and 5 more (--verbose lists all)`,
      "  refused records are listed in /data/rejects/j.ndjson",
      "  formats: apify",
      "  post: 1 new, 2 updated, 3 unchanged, 4 skipped because they were erased",
      "  skipped 2: media",
      "",
    ].join("\n"),
  );
});
