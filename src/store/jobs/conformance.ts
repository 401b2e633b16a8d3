/** Conformance of import jobs, and of the claims that let one process at a time read each file. */
import { toUnit } from "#store/write/batch-changes.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { ClaimLost, type FileClaim, type Job, type JobFile, shownState } from "#domain/job.ts";
import { replace } from "#store/write/batch-changes.ts";
import { encodeRecord } from "#store/write/row-encoder.ts";
import { account, PLATFORM, post } from "#testing/sample-records.ts";
import type { Store } from "#store/store.ts";
import type { Changes, Checkpoint, WriteCounts, WriteUnit } from "#store/write/port.ts";

/** Leases that outlast every test, and that expire immediately. */
const LONG = 600_000;
const EXPIRED = 0;

function createJob(fields: Partial<Job> = {}): Job {
  return {
    id: "j",
    fingerprint: "f",
    origin: "command",
    label: "captures",
    state: "running",
    createdAt: 1,
    updatedAt: 1,
    owner: "north:1:a",
    ...fields,
  };
}

function createFile(fields: Partial<JobFile> = {}): JobFile {
  const report = { formats: {}, records: {}, refused: {}, skipped: {} };
  return { jobId: "j", name: "captures/a", fingerprint: "1:1", state: "running", position: 7, report, ...fields };
}

function createClaim(owner: string, fields: Partial<FileClaim> = {}): FileClaim {
  return { jobId: "j", claimGroup: "j", path: "/captures/a", name: "captures/a", fingerprint: "1:1", owner, ...fields };
}

function onePost(id: string): Changes {
  const record = { kind: "post" as const, postId: null, incoming: encodeRecord("post", post(id)), point: null };
  return { platform: PLATFORM, records: [record], subtitles: [], follows: [], chartEntries: [] };
}

export function jobsSuite(current: () => Store): void {
  const jobs = () => current().jobs;

  function commit(id: string, checkpoint: Partial<Checkpoint>): Promise<unknown> {
    const reached = { file: createFile(), rejects: [], restarted: false, ...checkpoint };
    return current().writer.write([{ changes: [onePost(id)], merge: replace, checkpoint: () => reached }]);
  }

  const commitUnder = (claim: FileClaim, id: string, position: number, isLast = false) =>
    commit(id, {
      file: createFile({ position, state: isLast ? "done" : "running" }),
      claim: { claim, leaseMs: LONG, isLast },
    });

  const hasPost = async (id: string) => (await current().reader(PLATFORM).getPost(id)) !== null;

  test("apply commits its checkpoint with the records", async () => {
    await jobs().writeJob(createJob());
    const reject = { file: "captures/a", line: 3, reason: "no id" };
    await commit("p1", { rejects: [reject, { ...reject, line: null }] });
    assert.deepEqual(await jobs().listJobFiles("j"), [createFile()]);
    assert.deepEqual(await jobs().listRejects("j", 0, 10), [
      { number: 1, ...reject },
      { number: 2, ...reject, line: null },
    ]);
    assert.deepEqual(
      (await jobs().listRejects("j", 1, 10)).map(({ number }) => number),
      [2],
    );
    assert.equal(await hasPost("p1"), true);
    assert.ok(((await jobs().getJob("j"))?.updatedAt ?? 0) > 1);
  });

  test("a write of several units commits several checkpoints, each with the counts of its own changes, or none of them", async () => {
    await jobs().writeJob(createJob());
    const counts = new Map<string, WriteCounts>();
    const unit = (name: string, changes: Changes[], checkpoint: Partial<Checkpoint> = {}): WriteUnit => ({
      changes,
      merge: replace,
      checkpoint(own) {
        counts.set(name, own);
        return { file: createFile({ name }), rejects: [], restarted: false, ...checkpoint };
      },
    });
    const { writer } = current();
    await writer.write([unit("c", [onePost("p1")]), unit("a", [onePost("p1")]), unit("b", [])]);
    const none = { new: 0, updated: 0, unchanged: 0, erased: 0 };
    assert.deepEqual(Object.fromEntries(counts), {
      c: { post: { ...none, new: 1 } },
      a: { post: { ...none, unchanged: 1 } },
      b: {},
    });
    const listed = async () => (await jobs().listJobFiles("j")).map(({ name }) => name);
    assert.deepEqual(await listed(), ["c", "a", "b"]);
    const first = await jobs().listJobFilePage("j", 0, 2);
    const rest = await jobs().listJobFilePage("j", (first.at(-1)?.number ?? 0) + 1, 2);
    assert.deepEqual(
      [...first, ...rest].map(({ number: _number, ...file }) => file),
      await jobs().listJobFiles("j"),
    );
    assert.deepEqual([first.length, rest.length], [2, 1]);
    const lost = { claim: createClaim("nobody"), leaseMs: LONG, isLast: false };
    const units = [unit("d", [onePost("p2")]), unit("e", [onePost("p3")], { claim: lost })];
    await assert.rejects(writer.write(units), ClaimLost);
    assert.deepEqual([await hasPost("p2"), await hasPost("p3"), await listed()], [false, false, ["c", "a", "b"]]);
  });

  test("a restarted file loses its earlier rejects; those of other files keep their numbers", async () => {
    await jobs().writeJob(createJob());
    const reject = (file: string) => ({ file, line: 1, reason: "no id" });
    await commit("p1", { rejects: [reject("captures/a"), reject("captures/b")] });
    const changed = createFile({ fingerprint: "2:2" });
    await commit("p2", { file: changed, rejects: [reject("captures/a")], restarted: true });
    assert.deepEqual(await jobs().listJobFiles("j"), [changed]);
    assert.deepEqual(
      (await jobs().listRejects("j", 0, 10)).map(({ number, file }) => [number, file]),
      [
        [2, "captures/b"],
        [3, "captures/a"],
      ],
    );
  });

  test("an erasure takes names out of files, rejects, labels and finished claims, and says which imports changed", async () => {
    const { writer } = current();
    await writer.write([toUnit(PLATFORM, { accounts: [account("1", { name: "mira.tasse" })] })]);
    await jobs().writeJob(createJob());
    const reject = (file: string, reason: string) => ({ file, line: 1, reason });
    const rejects = [
      reject("mira.tasse.json", "no id"),
      reject("a.zip/mira.tasse.json", "no id"),
      reject("b.json", "unknown account: mira.tasse"),
      reject("b.json", "unknown account: sem.ola"),
    ];
    await commit("p1", { file: createFile({ name: "mira.tasse.json" }), rejects });
    await jobs().writeJob(createJob({ id: "k", fingerprint: "g", label: "mira.tasse.json and more" }));
    await jobs().writeJob(createJob({ id: "l", fingerprint: "h" }));
    const claims = [
      createClaim("a", { path: "/mira.tasse.json" }),
      createClaim("a", { path: "/2", name: "mira.tasse.json" }),
      createClaim("a", { path: "/other.json" }),
      createClaim("a", { path: "/mira.tasse.now.json" }),
    ];
    for (const claim of claims) await jobs().claimFile(claim, LONG);
    for (const claim of claims.slice(0, 3)) await jobs().finishClaim(claim);

    const { jobs: changed } = await writer.erase(PLATFORM, "account", "1");
    assert.deepEqual(changed.toSorted(), ["j", "k"]);
    const [file] = await jobs().listJobFilePage("j", 0, 9);
    assert.match(file?.name ?? "", /^erased-\d+$/);
    assert.deepEqual(
      (await jobs().listRejects("j", 0, 10)).map((listed) => [listed.file, listed.reason]),
      [
        [file?.name, "no id"],
        ["[erased]", "no id"],
        ["b.json", "unknown account"],
        ["b.json", "unknown account: sem.ola"],
      ],
    );
    assert.equal((await jobs().getJob("k"))?.label, "[erased] and more");
    const outcomes = await Promise.all(claims.map((claim) => jobs().claimFile({ ...claim, owner: "b" }, LONG)));
    assert.deepEqual(
      outcomes.map(({ state }) => state),
      ["acquired", "acquired", "done", "busy"],
      "an import that runs keeps its claims",
    );
  });

  test("a repeated request resumes the unfinished job, and starts a new one when it is done", async () => {
    assert.equal((await jobs().startJob(createJob())).id, "j");
    const joined = await jobs().startJob(createJob({ id: "k", owner: "south:1:a", updatedAt: 5 }));
    assert.deepEqual(joined, createJob({ owner: "south:1:a", updatedAt: 5 }));
    assert.deepEqual(await jobs().getJob("j"), { ...joined, isLive: false });
    assert.deepEqual(await jobs().startJob(createJob({ id: "k", owner: "south:1:a", updatedAt: 4 })), joined);
    assert.equal(await jobs().getJob("k"), null);
    assert.equal(await jobs().finishJob("j", 9), true);
    assert.deepEqual(await jobs().getJob("j"), { ...joined, state: "done", updatedAt: 9, isLive: false });
    assert.equal((await jobs().startJob(createJob({ id: "k" }))).id, "k");
  });

  test("an upload that was sent before is found by its fingerprint while it is running or done, and since a time", async () => {
    const fingerprint = "upload token digest";
    const find = async (since: number) => (await jobs().findJob(fingerprint, since))?.id;
    assert.equal(await find(0), undefined);
    await jobs().writeJob(createJob({ id: "a", fingerprint, createdAt: 5 }));
    await jobs().writeJob(createJob({ id: "other", fingerprint: "upload token other", createdAt: 9 }));
    assert.deepEqual([await find(5), await find(6)], ["a", undefined]);
    await jobs().writeJob(createJob({ id: "b", fingerprint, createdAt: 7, state: "done" }));
    assert.equal(await find(5), "b");
    await jobs().writeJob(createJob({ id: "b", fingerprint, createdAt: 7, state: "undone" }));
    assert.equal(await find(5), "a");
  });

  test("jobs are listed newest first, those of one instant by id, in pages", async () => {
    for (const [id, createdAt] of [
      ["a", 1],
      ["c", 2],
      ["b", 2],
      ["d", 3],
    ] as const) {
      await jobs().writeJob(createJob({ id, fingerprint: id, createdAt }));
    }
    const idsOf = async (limit: number, before?: string) => (await jobs().listJobs(limit, before)).map(({ id }) => id);
    assert.deepEqual(await idsOf(9), ["d", "b", "c", "a"]);
    assert.deepEqual(await idsOf(2, "d"), ["b", "c"]);
    assert.deepEqual(await idsOf(9, "b"), ["c", "a"]);
    assert.deepEqual(await idsOf(9, "none"), []);
  });

  test("concurrent requests for the same import share one job", async () => {
    const started = await Promise.all(["a", "b", "c", "d"].map((id) => jobs().startJob(createJob({ id }))));
    assert.equal(new Set(started.map(({ id }) => id)).size, 1);
    assert.equal((await jobs().listJobs(9)).length, 1);
  });

  test("one process claims a file, and nobody can once it is done", async () => {
    await jobs().writeJob(createJob());
    assert.deepEqual(await jobs().claimFile(createClaim("one"), LONG), { state: "acquired", name: "captures/a" });
    assert.deepEqual(await jobs().claimFile(createClaim("two"), LONG), { state: "busy", owner: "one" });
    assert.deepEqual(await jobs().claimFile(createClaim("two", { path: "/captures/b" }), LONG), {
      state: "acquired",
      name: "captures/a",
    });
    await commitUnder(createClaim("one"), "p1", 3);
    assert.deepEqual(await jobs().claimFile(createClaim("two"), LONG), { state: "busy", owner: "one" });
    await commitUnder(createClaim("one"), "p2", 5, true);
    assert.deepEqual(await jobs().claimFile(createClaim("two"), LONG), { state: "done" });
    await assert.rejects(commitUnder(createClaim("one"), "p3", 6), ClaimLost);
    assert.equal(await hasPost("p3"), false);
  });

  test("of many concurrent claims on a file, one succeeds", async () => {
    await jobs().writeJob(createJob());
    for (const path of ["/a", "/b", "/c"]) {
      const claims = ["one", "two", "three", "four"].map((owner) =>
        jobs().claimFile(createClaim(owner, { path }), LONG),
      );
      const states = (await Promise.all(claims)).map(({ state }) => state);
      assert.deepEqual(states.toSorted(), ["acquired", "busy", "busy", "busy"]);
    }
  });

  test("an expired claim is taken over under its first name, and the process that lost it commits nothing", async () => {
    await jobs().writeJob(createJob());
    await jobs().claimFile(createClaim("one"), LONG);
    await commitUnder(createClaim("one"), "p1", 3);
    await jobs().renewClaims("j", "one", EXPIRED);
    const takeover = createClaim("two", { name: "/captures/a" });
    assert.deepEqual(await jobs().claimFile(takeover, LONG), { state: "taken over", name: "captures/a" });
    await assert.rejects(commitUnder(createClaim("one"), "p2", 9), ClaimLost);
    assert.equal(await jobs().finishClaim(createClaim("one")), false);
    assert.deepEqual(await jobs().renewClaims("j", "one", LONG), []);
    assert.equal(await hasPost("p2"), false);
    assert.equal((await jobs().listJobFiles("j"))[0]?.position, 3);
    await commitUnder(createClaim("two"), "p2", 6);
    assert.equal(await hasPost("p2"), true);
  });

  test("an expired claim that nobody took over can be renewed", async () => {
    await jobs().writeJob(createJob());
    await jobs().claimFile(createClaim("one"), EXPIRED);
    assert.deepEqual(await jobs().renewClaims("j", "one", LONG), ["/captures/a"]);
    assert.deepEqual(await jobs().claimFile(createClaim("two"), LONG), { state: "busy", owner: "one" });
    await jobs().renewClaims("j", "one", EXPIRED);
    await commitUnder(createClaim("one"), "p1", 3);
    assert.deepEqual(await jobs().claimFile(createClaim("two"), LONG), { state: "busy", owner: "one" });
    assert.equal(await jobs().finishClaim(createClaim("one")), true);
    assert.deepEqual(await jobs().claimFile(createClaim("two"), LONG), { state: "done" });
    assert.deepEqual(await jobs().renewClaims("j", "one", LONG), []);
  });

  test("the claim of a dead process, or one that was released, is free immediately", async () => {
    await jobs().writeJob(createJob());
    await jobs().claimFile(createClaim("one"), LONG);
    assert.equal((await jobs().claimFile(createClaim("two"), LONG, "another")).state, "busy");
    assert.equal((await jobs().claimFile(createClaim("two"), LONG, "one")).state, "taken over");
    assert.equal((await jobs().claimFile(createClaim("three"), LONG, "one")).state, "busy");
    await jobs().releaseClaims("j", "one");
    assert.equal((await jobs().claimFile(createClaim("three"), LONG)).state, "busy");
    await jobs().releaseClaims("j", "two");
    assert.equal((await jobs().claimFile(createClaim("three"), LONG)).state, "taken over");
  });

  test("another file at the same path is read, even if the first one was done", async () => {
    await jobs().writeJob(createJob());
    await jobs().claimFile(createClaim("one"), LONG);
    assert.equal((await jobs().claimFile(createClaim("two", { fingerprint: "2:2" }), LONG)).state, "busy");
    await jobs().finishClaim(createClaim("one"));
    assert.equal((await jobs().claimFile(createClaim("two", { fingerprint: null }), LONG)).state, "done");
    assert.equal((await jobs().claimFile(createClaim("two", { fingerprint: "2:2" }), LONG)).state, "taken over");
    await jobs().finishClaim(createClaim("two"));
    assert.equal((await jobs().claimFile(createClaim("one", { fingerprint: "2:2" }), LONG)).state, "done");
  });

  test("a job finishes when no file is claimed, and then gives out no more claims", async () => {
    await jobs().writeJob(createJob());
    await jobs().claimFile(createClaim("one"), LONG);
    assert.equal(await jobs().finishJob("j", 2), false);
    assert.equal((await jobs().getJob("j"))?.state, "running");
    await jobs().releaseClaims("j", "one");
    assert.equal(await jobs().finishJob("j", 2), true);
    assert.equal(await jobs().finishJob("j", 3), true);
    assert.equal((await jobs().getJob("j"))?.updatedAt, 2);
    await jobs().writeJob(createJob({ id: "k", state: "undone" }));
    assert.equal(await jobs().finishJob("k", 3), false);
    assert.deepEqual(await jobs().claimFile(createClaim("two", { path: "/captures/b" }), LONG), { state: "done" });
    await assert.rejects(commitUnder(createClaim("one"), "p1", 3), ClaimLost);
  });

  test("a job is interrupted once no process holds a lease on it, and only then can be dismissed", async () => {
    const shown = async () => {
      const job = await jobs().getJob("j");
      assert.deepEqual((await jobs().listJobs(1))[0], job);
      return job === null ? null : shownState(job);
    };
    const itself = createClaim("one", { path: "one", name: "" });
    await jobs().writeJob(createJob());
    assert.equal(await shown(), "interrupted");
    // The process itself, and one of the files that it reads.
    for (const claim of [itself, createClaim("one")]) await jobs().claimFile(claim, LONG);
    assert.equal(await shown(), "running");
    await jobs().finishClaim(createClaim("one"));
    assert.equal(await shown(), "running", "between two files");
    assert.equal(await jobs().dismissJob("j", 5), false);
    await jobs().renewClaims("j", "one", EXPIRED);
    assert.equal(await shown(), "interrupted", "its lease ended");
    await jobs().renewClaims("j", "one", LONG);
    await jobs().claimFile(createClaim("two", { path: "two", name: "" }), LONG);
    await jobs().releaseClaims("j", "one");
    assert.equal(await shown(), "running", "another process is still at it");
    await jobs().releaseClaims("j", "two");
    await jobs().writeJob(createJob({ id: "u", fingerprint: "u", origin: "upload" }));
    const none = { running: 0, waiting: 0, interrupted: 0, done: 0, dismissed: 0, undone: 0 };
    assert.deepEqual(await jobs().countJobs(), { ...none, interrupted: 1, waiting: 1 });
    assert.equal(await jobs().dismissJob("u", 5), false, "it waits for its turn");
    assert.equal(await jobs().dismissJob("j", 5), true);
    assert.equal(await jobs().dismissJob("j", 6), false);
    assert.deepEqual(
      [await shown(), (await jobs().getJob("j"))?.updatedAt, await jobs().countJobs()],
      ["dismissed", 5, { ...none, dismissed: 1, waiting: 1 }],
    );
    assert.deepEqual(await jobs().claimFile(createClaim("three"), LONG), { state: "done" });
    assert.equal((await jobs().startJob(createJob({ id: "k" }))).id, "k", "the same command is another import");
  });

  test("a process that claims only itself keeps no other from finishing the job", async () => {
    await jobs().writeJob(createJob());
    await jobs().claimFile(createClaim("one", { path: "one", name: "" }), LONG);
    assert.equal(await jobs().finishJob("j", 2), true);
  });

  test("jobs on one watched folder share their claims, even after they are done", async () => {
    const watching = (owner: string, jobId: string) => createClaim(owner, { claimGroup: "watch", jobId });
    for (const id of ["j", "k"]) await jobs().writeJob(createJob({ id, fingerprint: id }));
    await jobs().claimFile(watching("one", "j"), LONG);
    assert.equal((await jobs().claimFile(watching("two", "k"), LONG)).state, "busy");
    await jobs().finishClaim(watching("one", "j"));
    assert.equal(await jobs().finishJob("j", 2), true);
    assert.equal((await jobs().claimFile(watching("two", "k"), LONG)).state, "done");
  });

  test("a job on a watched folder finishes when none of its own files is claimed", async () => {
    const watching = (owner: string, jobId: string) => createClaim(owner, { claimGroup: "watch", jobId });
    for (const id of ["j", "k"]) await jobs().writeJob(createJob({ id, fingerprint: id }));
    await jobs().claimFile(watching("one", "j"), LONG);
    assert.equal(await jobs().finishJob("j", 2), false);
    assert.equal((await jobs().getJob("j"))?.state, "running");
    await jobs().releaseClaims("watch", "one");
    assert.equal((await jobs().claimFile(watching("two", "k"), LONG)).state, "taken over");
    assert.equal(await jobs().finishJob("k", 2), false);
    assert.equal(await jobs().finishJob("j", 2), true, "another job reads the file now");
    await jobs().renewClaims("watch", "two", EXPIRED);
    assert.equal(await jobs().finishJob("k", 2), true);
    await assert.rejects(commitUnder(watching("two", "k"), "p1", 3), ClaimLost);
  });
}
