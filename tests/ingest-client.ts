/** Pushes to a service in another process, as the browser extension does, and reads what came of them. */
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { openSecrets } from "#testing/secrets.ts";
import { TokenRegistry } from "#auth/tokens.ts";
import { openSqliteStore } from "#store/sqlite/store.ts";
import { until } from "#testing/until.ts";
import { aPostObject, postId, pushedLine } from "./spawn-import.ts";
import { TEST_TOKEN } from "./test-server.ts";
import { bearerHeader } from "./test-tokens.ts";

export async function createIngestToken(dataDir: string): Promise<string> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const store = openSqliteStore(dataDir);
  try {
    const registry = new TokenRegistry(store.tokens, openSecrets(dataDir).tokens);
    return (await registry.create({ label: "push", scopes: ["ingest"] })).token;
  } finally {
    await store.close();
  }
}

export interface Pushed {
  status: number;
  retryAfter: string | null;
  /** Of its import, if it was accepted. */
  key: string | null;
  body: { detail?: string; code?: string };
}

/** One upload with these posts. Rejects if the service does not answer. */
export async function push(address: string, token: string, numbers: readonly number[]): Promise<Pushed> {
  const response = await fetch(`${address}/ingest/${token}/api/import-dataset/`, {
    method: "POST",
    headers: { "x-zeeschuimer-platform": "tiktok.com" },
    body: numbers.map((number) => `${pushedLine(aPostObject(number))}\n`).join(""),
    signal: AbortSignal.timeout(20_000),
  });
  const body = (await response.json()) as Pushed["body"] & { key?: string };
  const retryAfter = response.headers.get("retry-after");
  return { status: response.status, retryAfter, key: response.status === 200 ? (body.key ?? null) : null, body };
}

/** The status of the request for one of these posts. */
export async function readPost(address: string, number: number): Promise<number> {
  const response = await fetch(`${address}/api/shortvideo/post/detail?videoId=${postId(number)}`, {
    headers: bearerHeader(TEST_TOKEN),
    signal: AbortSignal.timeout(20_000),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Waits until these uploads are imported, then says how often a post was found new and found again. */
export async function countImports(
  dataDir: string,
  keys: readonly string[],
): Promise<{ fresh: number; again: number }> {
  const store = openSqliteStore(dataDir);
  const counts = { fresh: 0, again: 0 };
  try {
    for (const key of keys) {
      await until(async () => {
        const job = await store.jobs.getJob(key);
        assert.ok(job !== null, `the job of ${key} is lost`);
        return job.state === "done";
      });
      for (const { report } of await store.jobs.listJobFiles(key)) {
        counts.fresh += report.records.post?.new ?? 0;
        counts.again += (report.records.post?.unchanged ?? 0) + (report.records.post?.updated ?? 0);
      }
    }
    return counts;
  } finally {
    await store.close();
  }
}
