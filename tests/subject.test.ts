/** `triptych subject`: everything that is stored about a person, and only about that person. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { SubjectReport } from "#privacy/subject.ts";
import type { Batch } from "#store/writer.ts";
import { runCommand } from "./run-command.ts";
import { startTestServer, temporaryFolder } from "./test-server.ts";
import { aComment, anAccount, aPost } from "./world.ts";

const BATCH: Batch = {
  accounts: [anAccount("100001", "mirel.tasse"), anAccount("100002", "other.one")],
  posts: [
    aPost("200001", { authorId: "100001", text: "my own" }),
    aPost("200002", { authorId: "100002", text: "with @mirel.tasse today" }),
    aPost("200003", { authorId: "100002", text: "tagged", taggedIds: ["100001"] }),
    aPost("200004", { authorId: "100002", text: "unrelated" }),
  ],
  comments: [
    aComment("300001", "200004", { authorId: "100001", text: "I was here" }),
    aComment("300002", "200001", { authorId: "100002", text: "nice" }),
    aComment("300003", "200004", { authorId: "100002", text: "hello @Mirel.Tasse" }),
  ],
  follows: [
    { accountId: "100002", followerId: "100001", since: 5, capturedAt: 1_000, source: "tool" },
    { accountId: "100001", followerId: "100002", since: 5, capturedAt: 2_000, source: "tool" },
  ],
  subtitles: [
    {
      postId: "200001",
      language: "en",
      automatic: false,
      lines: [{ startS: 0, durationS: 1, text: "spoken" }],
      capturedAt: 3_000,
      source: "tool",
    },
  ],
};

test("a person's data are exported whole, from every table, with their sources", async (t) => {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const server = await startTestServer([{ platform: "shortvideo", batch: BATCH }]);
  t.after(() => server.close());
  const file = join(folder.path, "subject.json");
  for (const name of [file, `${file}.partial`]) writeFileSync(name, "of everybody", { mode: 0o666 });
  const outcome = await runCommand(["subject", "shortvideo", "@Mirel.Tasse", "-o", file], server.env);
  assert.equal(outcome.code, 0, outcome.stderr);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(folder.path), ["subject.json"]);
  const report = JSON.parse(readFileSync(file, "utf8")) as SubjectReport;
  assert.equal(report.id, "100001");
  assert.equal(report.profile?.["id"], "100001");
  const ids = (rows: SubjectReport["posts"]) => rows.map((row) => String(row["id"])).toSorted();
  assert.deepEqual(ids(report.posts), ["200001"]);
  assert.deepEqual(ids(report.comments), ["300001"]);
  assert.deepEqual(ids(report.mentions), ["200002", "200003", "300003"]);
  assert.deepEqual([report.follows.length, report.followers.length, report.subtitles.length], [1, 1, 1]);
  assert.ok(report.history.every((row) => ["100001", "200001"].includes(row["id"] as string)));
  assert.equal(report.sources["tool"]?.rows, 3);
  assert.doesNotMatch(readFileSync(file, "utf8"), /unrelated|nice/);

  const nobody = await runCommand(["subject", "shortvideo", "nobody.here"], server.env);
  assert.deepEqual([nobody.code, nobody.stderr], [1, "triptych: nothing is stored about nobody.here on shortvideo\n"]);
  assert.equal((await runCommand(["subject", "tiktok", "x"], server.env)).code, 2);
  const erased = await runCommand(["erase", "shortvideo", "account", "mirel.tasse", "--yes"], server.env);
  assert.equal(erased.code, 0);
  assert.equal((await runCommand(["subject", "shortvideo", "mirel.tasse"], server.env)).code, 1);
  assert.equal((await runCommand(["subject", "shortvideo", "100001"], server.env)).code, 1);
});
