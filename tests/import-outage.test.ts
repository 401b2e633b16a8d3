/** An import while its database restarts, is away and loses connections: it waits, and writes everything once. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import type { ImportReport } from "#import/report.ts";
import { openPostgresStore } from "#store/postgres/store.ts";
import { budget, TEST_TIMEOUT_FACTOR } from "#testing/budget.ts";
import { until } from "#testing/until.ts";
import { type Server, startServer } from "./postgres/server.ts";
import { BIN, commentLine, environment, writeLines } from "./spawn-import.ts";
import { temporaryFolder } from "./test-server.ts";

/** Several transactions, so that the database can go away between the first and the last. */
const LINES = 5_400;
const BROKEN = 6;
/** What was under way is written again after each. */
const CONNECTIONS_ENDED = budget("connectionsEnded");
const UNREACHABLE = "the database is unreachable; waiting up to 90 s for it\n";

describe("an import whose database goes away", () => {
  const folder = temporaryFolder();
  const running: ChildProcess[] = [];
  let server: Server;
  let capture: string;
  before(async () => {
    server = await startServer();
    const lines = Array.from({ length: LINES }, (_, index) => commentLine(index, index % (LINES / BROKEN) === 1));
    capture = writeLines(join(folder.path, "capture.ndjson"), lines);
  });
  after(async () => {
    for (const child of running) child.kill("SIGKILL");
    await server.stop();
    folder.remove();
  });

  async function startImport(database: string) {
    const admin = new Client(server.url("postgres"));
    await admin.connect();
    await admin.query(`CREATE DATABASE ${database}`);
    await admin.end();
    const child = spawn(process.execPath, [BIN, "import", capture, "--json"], {
      env: { ...environment(join(folder.path, database)), STORE_URL: server.url(database) },
      stdio: ["ignore", "pipe", "pipe"],
    });
    running.push(child);
    const output = { stdout: "", stderr: "" };
    child.stdout.on("data", (chunk: Buffer) => (output.stdout += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (output.stderr += chunk.toString()));
    return { child, output, ended: once(child, "close") };
  }

  /** It has committed its first batch, and not its last one. Its tables may not exist at first. */
  async function untilStarted(
    database: string,
    { child, output }: { child: ChildProcess; output: { stderr: string } },
  ): Promise<void> {
    const client = new Client(server.url(database));
    await client.connect();
    try {
      await until(async () => {
        assert.equal(child.exitCode, null, output.stderr);
        const started = "SELECT 1 FROM job_files WHERE position > 0 AND state = 'running'";
        return client.query(started).then(
          ({ rowCount }) => rowCount !== 0,
          () => false,
        );
      });
    } finally {
      await client.end();
    }
  }

  /** Everything was written once and counted once, and every refused line is listed once. */
  async function assertComplete(database: string, output: { stdout: string }): Promise<void> {
    const { total, own } = JSON.parse(output.stdout) as ImportReport;
    const all = { new: LINES - BROKEN, updated: 0, unchanged: 0, erased: 0 };
    assert.deepEqual(total.records.comment, all);
    assert.deepEqual(own.records.comment, all);
    const store = await openPostgresStore({ url: server.url(database), timeoutFactor: TEST_TIMEOUT_FACTOR });
    try {
      assert.equal((await store.summary()).records["shortvideo"]?.comment, LINES - BROKEN);
      const [job] = await store.jobs.listJobs(1);
      assert.equal((await store.jobs.listRejects(job?.id ?? "", 0, 100)).length, BROKEN);
      assert.equal(job?.state, "done");
    } finally {
      await store.close();
    }
  }

  test("it waits for a database that restarts, says so once, and continues", async () => {
    const importing = await startImport("restarted");
    const { child, output, ended } = importing;
    await untilStarted("restarted", importing);
    await server.halt();
    await until(async () => output.stderr.includes(UNREACHABLE));
    await server.resume();
    await ended;
    assert.equal(output.stderr.split(UNREACHABLE).length, 2, output.stderr);
    assert.equal(child.exitCode, 1, "some lines were refused");
    await assertComplete("restarted", output);
  });

  test("its connections may be ended at any moment", async () => {
    const importing = await startImport("interrupted");
    const { child, output, ended } = importing;
    await untilStarted("interrupted", importing);
    const admin = new Client(server.url("postgres"));
    await admin.connect();
    let terminated = 0;
    while (child.exitCode === null && terminated < CONNECTIONS_ENDED) {
      const { rowCount } = await admin.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = 'interrupted' AND (state <> 'idle' OR query = 'COMMIT')`,
      );
      terminated += rowCount ?? 0;
      await pause(10);
    }
    await admin.end();
    assert.ok(terminated > 0, "no connection was ended");
    await ended;
    await assertComplete("interrupted", output);
  });
});
