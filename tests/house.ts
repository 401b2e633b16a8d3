/** A real service for tests: own folder, own port, real store, real HTTP. Nothing is shared between test files. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Running, start } from "#app";
import { readConfig } from "#config";
import { openSqliteStore } from "#store/sqlite/store.ts";
import type { Batch } from "#store/store.ts";

export const TEST_TOKEN = "token-for-tests-only-0123456789";

export interface TestHouse {
  address: string;
  dataDir: string;
  running: Running;
  /** GET with the test token; headers may be replaced. */
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  /** GET that must succeed. */
  json<Body = Record<string, unknown>>(path: string, headers?: Record<string, string>): Promise<Body>;
  /** POST of a URL-encoded form. */
  post(path: string, form: Record<string, string>, headers?: Record<string, string>): Promise<Response>;
  postJson<Body = Record<string, unknown>>(path: string, form: Record<string, string>): Promise<Body>;
  close(): Promise<void>;
}

export function temporaryFolder(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), "triptych-test-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** With the demo world, or with the given batches and nothing else. */
export async function openTestHouse(
  world: "demo" | { platform: string; batch: Batch }[] = "demo",
  env: Record<string, string> = {},
): Promise<TestHouse> {
  const folder = temporaryFolder();
  if (world !== "demo") {
    const store = openSqliteStore(folder.path);
    for (const { platform, batch } of world) await store.writer.put(platform, batch);
    await store.close();
  }
  const running = await start(
    readConfig({
      PORT: "0",
      DATA_DIR: folder.path,
      API_TOKEN: TEST_TOKEN,
      DEMO: world === "demo" ? "on" : "off",
      LOG_LEVEL: "silent",
      ...env,
    }),
  );
  const { address } = running.welcome;
  const authorization = { authorization: `Bearer ${TEST_TOKEN}` };
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(address + path, { headers: { ...authorization, ...headers } });
  const post = (path: string, form: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(address + path, {
      method: "POST",
      body: new URLSearchParams(form),
      headers: { ...authorization, ...headers },
    });
  return {
    address,
    dataDir: folder.path,
    running,
    get,
    post,
    json: async <Body>(path: string, headers?: Record<string, string>) => success<Body>(path, await get(path, headers)),
    postJson: async <Body>(path: string, form: Record<string, string>) => success<Body>(path, await post(path, form)),
    async close() {
      await running.stop();
      folder.remove();
    },
  };
}

async function success<Body>(path: string, response: Response): Promise<Body> {
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
  return JSON.parse(text) as Body;
}

/** The query string of parameters. */
export function query(parameters: Record<string, string | number>): string {
  return new URLSearchParams(
    Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
}
