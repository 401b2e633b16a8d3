/** How every store remembers imports, and how it lets each file of them be read by one process at a time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ClaimLost, type FileClaim, type Job, type JobFile } from "#domain/job.ts";
import { encodeRecord } from "../row-encoder.ts";
import { PLATFORM, post } from "#testing/sample-records.ts";
import type { Changes, Checkpoint, Store } from "../store.ts";

/** Leases: longer than any test takes, and over as soon as it is given. */
const LONG = 600_000;
const OVER = 0;

function aJob(more: Partial<Job> = {}): Job {
  return {
    id: "j",
    fingerprint: "f",
    origin: "command",
    label: "captures",
    state: "running",
    createdAt: 1,
    updatedAt: 1,
    owner: "north:1:a",
    ...more,
  };
}

function aFile(more: Partial<JobFile> = {}): JobFile {
  const report = { formats: {}, records: {}, refused: {}, skipped: {} };
  return { jobId: "j", name: "captures/a", fingerprint: "1:1", state: "running", position: 7, report, ...more };
}

function aClaim(owner: string, more: Partial<FileClaim> = {}): FileClaim {
  return { jobId: "j", claimGroup: "j", path: "/captures/a", name: "captures/a", fingerprint: "1:1", owner, ...more };
}

function onePost(id: string): Changes {
  const record = { kind: "post" as const, postId: null, incoming: encodeRecord("post", post(id)), point: null };
  return { platform: PLATFORM, records: [record], subtitles: [], follows: [], chartEntries: [] };
}

export function jobsSuite(current: () => Store): void {
  const jobs = () => current().jobs;

  function commit(id: string, checkpoint: Partial<Checkpoint>): Promise<unknown> {
    const reached = { file: aFile(), rejects: [], restarted: false, ...checkpoint };
    return current().writer.apply(
      [onePost(id)],
      (_kind, _held, found) => found,
      () => reached,
    );
  }

  const commitUnder = (claim: FileClaim, id: string, position: number, ends = false) =>
    commit(id, {
      file: aFile({ position, state: ends ? "done" : "running" }),
      claim: { claim, leaseMs: LONG, ends },
    });

  const holdsPost = async (id: string) => (await current().reader(PLATFORM).getPost(id)) !== null;

  test("apply commits its checkpoint with the records", async () => {
    await jobs().writeJob(aJob());
    const reject = { file: "captures/a", line: 3, reason: "no id" };
    await commit("p1", { rejects: [reject, { ...reject, line: null }] });
    assert.deepEqual(await jobs().listJobFiles("j"), [aFile()]);
    assert.deepEqual(await jobs().listRejects("j", 0, 10), [
      { number: 1, ...reject },
      { number: 2, ...reject, line: null },
    ]);
    assert.deepEqual(
      (await jobs().listRejects("j", 1, 10)).map(({ number }) => number),
      [2],
    );
    assert.equal(await holdsPost("p1"), true);
  });

  test("refusals of a file that is begun anew go, and the numbers of others stay", async () => {
    await jobs().writeJob(aJob());
    const refused = (file: string) => ({ file, line: 1, reason: "no id" });
    await commit("p1", { rejects: [refused("captures/a"), refused("captures/b")] });
    await commit("p2", { rejects: [refused("captures/a")], restarted: true });
    assert.deepEqual(
      (await jobs().listRejects("j", 0, 10)).map(({ number, file }) => [number, file]),
      [
        [2, "captures/b"],
        [3, "captures/a"],
      ],
    );
  });

  test("the same request finds the unfinished job, and a new one begins where it is done", async () => {
    assert.equal((await jobs().startJob(aJob())).id, "j");
    const joined = await jobs().startJob(aJob({ id: "k", owner: "south:1:a", updatedAt: 5 }));
    assert.deepEqual(joined, aJob({ owner: "south:1:a", updatedAt: 5 }));
    assert.deepEqual(await jobs().getJob("j"), joined);
    assert.equal(await jobs().getJob("k"), null);
    assert.equal(await jobs().finishJob("j", 9), true);
    assert.deepEqual(await jobs().getJob("j"), { ...joined, state: "done", updatedAt: 9 });
    assert.equal((await jobs().startJob(aJob({ id: "k" }))).id, "k");
  });

  test("those who begin the same at once are in one job", async () => {
    const begun = await Promise.all(["a", "b", "c", "d"].map((id) => jobs().startJob(aJob({ id }))));
    assert.equal(new Set(begun.map(({ id }) => id)).size, 1);
    assert.equal((await jobs().listJobs(9)).length, 1);
  });

  test("a file is claimed by one, and by nobody once it is done", async () => {
    await jobs().writeJob(aJob());
    assert.deepEqual(await jobs().claimFile(aClaim("one"), LONG), { state: "begun", name: "captures/a" });
    assert.deepEqual(await jobs().claimFile(aClaim("two"), LONG), { state: "held", owner: "one" });
    assert.deepEqual(await jobs().claimFile(aClaim("two", { path: "/captures/b" }), LONG), {
      state: "begun",
      name: "captures/a",
    });
    await commitUnder(aClaim("one"), "p1", 3);
    assert.deepEqual(await jobs().claimFile(aClaim("two"), LONG), { state: "held", owner: "one" });
    await commitUnder(aClaim("one"), "p2", 5, true);
    assert.deepEqual(await jobs().claimFile(aClaim("two"), LONG), { state: "done" });
    await assert.rejects(commitUnder(aClaim("one"), "p3", 6), ClaimLost);
    assert.equal(await holdsPost("p3"), false);
  });

  test("of many who ask at once one gets the file", async () => {
    await jobs().writeJob(aJob());
    for (const path of ["/a", "/b", "/c"]) {
      const asked = ["one", "two", "three", "four"].map((owner) => jobs().claimFile(aClaim(owner, { path }), LONG));
      const states = (await Promise.all(asked)).map(({ state }) => state);
      assert.deepEqual(states.toSorted(), ["begun", "held", "held", "held"]);
    }
  });

  test("an expired claim is taken over under the name it was begun with, and whoever lost it commits nothing", async () => {
    await jobs().writeJob(aJob());
    await jobs().claimFile(aClaim("one"), LONG);
    await commitUnder(aClaim("one"), "p1", 3);
    await jobs().renewClaims("j", "one", OVER);
    const taking = aClaim("two", { name: "/captures/a" });
    assert.deepEqual(await jobs().claimFile(taking, LONG), { state: "taken", name: "captures/a" });
    await assert.rejects(commitUnder(aClaim("one"), "p2", 9), ClaimLost);
    assert.equal(await jobs().finishClaim(aClaim("one")), false);
    assert.deepEqual(await jobs().renewClaims("j", "one", LONG), []);
    assert.equal(await holdsPost("p2"), false);
    assert.equal((await jobs().listJobFiles("j"))[0]?.position, 3);
    await commitUnder(aClaim("two"), "p2", 6);
    assert.equal(await holdsPost("p2"), true);
  });

  test("an expired claim that nobody took goes on", async () => {
    await jobs().writeJob(aJob());
    await jobs().claimFile(aClaim("one"), OVER);
    assert.deepEqual(await jobs().renewClaims("j", "one", LONG), ["/captures/a"]);
    assert.deepEqual(await jobs().claimFile(aClaim("two"), LONG), { state: "held", owner: "one" });
    await commitUnder(aClaim("one"), "p1", 3);
    assert.equal(await jobs().finishClaim(aClaim("one")), true);
    assert.deepEqual(await jobs().claimFile(aClaim("two"), LONG), { state: "done" });
  });

  test("what a dead process held, or a living one gave up, is free at once", async () => {
    await jobs().writeJob(aJob());
    await jobs().claimFile(aClaim("one"), LONG);
    assert.equal((await jobs().claimFile(aClaim("two"), LONG, "another")).state, "held");
    assert.equal((await jobs().claimFile(aClaim("two"), LONG, "one")).state, "taken");
    assert.equal((await jobs().claimFile(aClaim("three"), LONG, "one")).state, "held");
    await jobs().releaseClaims("j", "two");
    assert.equal((await jobs().claimFile(aClaim("three"), LONG)).state, "taken");
  });

  test("another file at the same path is to be read, also when the first was done", async () => {
    await jobs().writeJob(aJob());
    await jobs().claimFile(aClaim("one"), LONG);
    assert.equal((await jobs().claimFile(aClaim("two", { fingerprint: "2:2" }), LONG)).state, "held");
    await jobs().finishClaim(aClaim("one"));
    assert.equal((await jobs().claimFile(aClaim("two", { fingerprint: null }), LONG)).state, "done");
    assert.equal((await jobs().claimFile(aClaim("two", { fingerprint: "2:2" }), LONG)).state, "taken");
    await jobs().finishClaim(aClaim("two"));
    assert.equal((await jobs().claimFile(aClaim("one", { fingerprint: "2:2" }), LONG)).state, "done");
  });

  test("a job ends when nobody reads for it, and then gives nothing more to read", async () => {
    await jobs().writeJob(aJob());
    await jobs().claimFile(aClaim("one"), LONG);
    assert.equal(await jobs().finishJob("j", 2), false);
    assert.equal((await jobs().getJob("j"))?.state, "running");
    // Its file is gone and its reader too: it keeps nothing waiting.
    await jobs().releaseClaims("j", "one");
    assert.equal(await jobs().finishJob("j", 2), true);
    assert.equal(await jobs().finishJob("j", 3), true);
    assert.deepEqual(await jobs().claimFile(aClaim("two", { path: "/captures/b" }), LONG), { state: "done" });
    await assert.rejects(commitUnder(aClaim("one"), "p1", 3), ClaimLost);
  });

  test("jobs on one watched folder share what is read, also after they are done", async () => {
    const watching = (owner: string, jobId: string) => aClaim(owner, { claimGroup: "watch", jobId });
    for (const id of ["j", "k"]) await jobs().writeJob(aJob({ id, fingerprint: id }));
    await jobs().claimFile(watching("one", "j"), LONG);
    assert.equal((await jobs().claimFile(watching("two", "k"), LONG)).state, "held");
    await jobs().finishClaim(watching("one", "j"));
    assert.equal(await jobs().finishJob("j", 2), true);
    assert.equal((await jobs().claimFile(watching("two", "k"), LONG)).state, "done");
  });
}
