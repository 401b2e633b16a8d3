/** An erasure whose last step fails: the store has committed, so it is written down, and no file of rejects names anybody. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openSqliteStore } from "#store/sqlite/store.ts";
import { account, PLATFORM } from "#testing/sample-records.ts";
import { AuditLog } from "./audit-log.ts";
import { erase } from "./erase.ts";

test("an erasure that cannot write the rejects of an import again is in the audit log, and the old ones are gone", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "triptych-erase-"));
  const store = openSqliteStore(dataDir);
  try {
    const now = Date.now();
    await store.writer.write(PLATFORM, { accounts: [account("700001", { name: "mira" })] });
    const job = { id: "j", fingerprint: "j", origin: "command" as const, label: "mira.json", state: "done" as const };
    await store.jobs.startJob({ ...job, createdAt: now, updatedAt: now, owner: "test" });
    mkdirSync(join(dataDir, "rejects"));
    writeFileSync(join(dataDir, "rejects", "j.ndjson"), '{"file":"mira.json"}\n');
    const full = { listRejects: () => Promise.reject(new Error("no room")) };
    const audit = new AuditLog(store.audit, Buffer.alloc(32, 1));
    const request = { platform: PLATFORM, kind: "account" as const, id: "mira", dryRun: false, actor: "test" };
    const services = { store: { ...store, jobs: { ...store.jobs, ...full } }, dataDir, audit };
    await assert.rejects(erase(services, request), /no room/);
    assert.deepEqual(readdirSync(join(dataDir, "rejects")), []);
    const entries = await store.audit.list(0, 10);
    assert.deepEqual(
      entries.map(({ action }) => action),
      ["erasure"],
    );
  } finally {
    await store.close();
    rmSync(dataDir, { recursive: true });
  }
});
