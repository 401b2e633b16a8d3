/** An erasure whose last step fails: the store has committed, so it is written down, and no file of rejects names anybody. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { toUnit } from "#store/write/batch-changes.ts";
import { openSqliteStore } from "#store/sqlite/store.ts";
import type { Store } from "#store/store.ts";
import { account, PLATFORM } from "#testing/sample-records.ts";
import { AuditLog } from "./audit-log.ts";
import { erase, type ErasureServices } from "./erase.ts";

test("an erasure that cannot write the rejects of an import again is in the audit log, and what it erased is gone", () =>
  withImportsOfMira(async ({ services, store, dataDir, rejects }) => {
    const full = { listRejects: () => Promise.reject(new Error("no room")) };
    await assert.rejects(eraseMira({ ...services, store: { ...store, jobs: { ...store.jobs, ...full } } }), /no room/);
    assert.deepEqual(readdirSync(rejects), []);
    assert.deepEqual(await listActions(store), ["erasure"]);
    for (const name of ["triptych.sqlite", "triptych.sqlite-wal"]) {
      assert.equal(readFileSync(join(dataDir, name)).includes("quokka"), false, name);
    }
  }));

test("an erasure that ends while its bytes are removed is in the audit log, and no rejects name anybody", () =>
  withImportsOfMira(async ({ services, store, rejects }) => {
    const purge = async () => {
      assert.deepEqual(readdirSync(rejects), []);
      assert.deepEqual(await listActions(store), ["erasure"]);
      throw new Error("ended");
    };
    await assert.rejects(eraseMira({ ...services, purge }), /ended/);
  }));

interface Imported {
  services: ErasureServices;
  store: Store;
  dataDir: string;
  /** Folder with the rejects of two imports that named the person. */
  rejects: string;
}

async function withImportsOfMira(run: (imported: Imported) => Promise<void>): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), "triptych-erase-"));
  const store = openSqliteStore(dataDir);
  try {
    const now = Date.now();
    await store.writer.write([
      toUnit(PLATFORM, { accounts: [account("700001", { name: "mira", bio: "quokka tea" })] }),
    ]);
    const rejects = join(dataDir, "rejects");
    mkdirSync(rejects);
    for (const id of ["one", "two"]) {
      const job = { id, fingerprint: id, origin: "command" as const, label: "mira.json", state: "done" as const };
      await store.jobs.startJob({ ...job, createdAt: now, updatedAt: now, owner: "test" });
      writeFileSync(join(rejects, `${id}.ndjson`), '{"file":"mira.json"}\n');
    }
    const audit = new AuditLog(store.audit, Buffer.alloc(32, 1));
    await run({
      services: { store, dataDir, audit, purge: () => store.writer.purgeErased() },
      store,
      dataDir,
      rejects,
    });
  } finally {
    await store.close();
    rmSync(dataDir, { recursive: true });
  }
}

function eraseMira(services: ErasureServices) {
  return erase(services, { platform: PLATFORM, kind: "account", id: "mira", dryRun: false, actor: "test" });
}

async function listActions({ audit }: Store): Promise<string[]> {
  return (await audit.list(0, 10)).map(({ action }) => action);
}
