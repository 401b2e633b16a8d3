/** `triptych copy` in a process of its own, for tests, and folders to copy from and to. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { after } from "node:test";
import type { CopyReport } from "#store/copy/copy-store.ts";
import { openSqliteStore } from "#store/sqlite/store.ts";
import type { Batch } from "#store/writer.ts";
import { temporaryFolder } from "./test-server.ts";
import { BIN, environment, type Outcome } from "./spawn-import.ts";

export const home = temporaryFolder();
after(() => home.remove());
let made = 0;

export function freshFolder(): string {
  const path = join(home.path, String(++made));
  mkdirSync(path);
  return path;
}

/** A folder with a store that holds these. */
export async function folderWith(world: readonly { platform: string; batch: Batch }[]): Promise<string> {
  const folder = freshFolder();
  const store = openSqliteStore(folder);
  for (const { platform, batch } of world) await store.writer.write(platform, batch);
  await store.writer.erase("photoshare", "account", "560007");
  await store.writer.refreshTrends();
  const token = { digest: "d", label: "l", scopes: [], createdAt: 1, expiresAt: null, revokedAt: null, limits: {} };
  await store.tokens.writeToken({ ...token, keyId: "k", replacedBy: null });
  await store.close();
  return folder;
}

export function startCopy(
  from: string,
  to: string,
  env: Record<string, string> = {},
): [ChildProcess, Promise<Outcome>] {
  const child = spawn(process.execPath, [BIN, "copy", "--from", from, "--to", to, "--json"], {
    env: { ...environment(home.path), ...env },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  return [child, once(child, "close").then(([code]) => ({ code: code as number | null, stdout, stderr }))];
}

export async function copyCommand(from: string, to: string, env: Record<string, string> = {}): Promise<Outcome> {
  return startCopy(from, to, env)[1];
}

export async function copied(from: string, to: string): Promise<CopyReport> {
  const { code, stdout, stderr } = await copyCommand(from, to);
  assert.equal(code, 0, stderr);
  const report = JSON.parse(stdout) as CopyReport;
  assert.deepEqual([report.same, report.changedMeanwhile], [true, []]);
  return report;
}
