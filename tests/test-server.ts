/**
 * A real service for tests: own folder, own port, real store, real HTTP. Nothing is shared between test files. The store
 * is a file; with TEST_STORE=postgres in the environment it is a fresh database on PostgreSQL.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type StartedService, start } from "#serve/start.ts";
import { type Config, readConfig } from "#config";
import { toUnit } from "#store/write/batch-changes.ts";
import type { Store } from "#store/store.ts";
import type { Batch } from "#store/write/port.ts";
import { openStore } from "#serve/open-store.ts";
import { TEST_TIMEOUT_FACTOR } from "#testing/budget.ts";
import { copyDemoStore } from "#testing/demo-store.ts";
import type { FreshDatabase } from "./postgres/databases.ts";

export const TEST_TOKEN = "token-for-tests-only-0123456789";

const ON_POSTGRES = process.env["TEST_STORE"] === "postgres";

export interface TestServer {
  url: string;
  dataDir: string;
  /** What a program beside it needs to open the same store. */
  env: Record<string, string>;
  running: StartedService;
  /** A handle of its own on the same store, which the caller closes. */
  openStore(): Promise<Store>;
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
export async function startTestServer(
  world: "demo" | { platform: string; batch: Batch }[] = "demo",
  env: Record<string, string> = {},
  /** For what no setting can say. */
  adjust: (config: Config) => void = () => undefined,
): Promise<TestServer> {
  const folder = temporaryFolder();
  const database = env["STORE_URL"] === undefined && ON_POSTGRES ? await freshDatabaseFor(world) : null;
  const storeUrl = database?.url ?? env["STORE_URL"];
  const ofStore = { DATA_DIR: folder.path, ...(storeUrl === undefined ? {} : { STORE_URL: storeUrl }) };
  const config = readConfig({
    PORT: "0",
    API_TOKEN: TEST_TOKEN,
    DEMO: world === "demo" ? "on" : "off",
    LOG_LEVEL: "silent",
    // A thread takes a while to start; tests/overload.test.ts compares what it answers.
    SEARCH_THREADS: "0",
    // Not about overload: the machine may be busy with other things.
    SEARCH_WAIT_MS: "60000",
    // A node may learn up to a second late of what a test wrote through a handle of its own.
    ...(storeUrl === undefined ? {} : { CACHE_MB: "0" }),
    ...ofStore,
    ...env,
  });
  if (config.store !== null) config.store.timeoutFactor = TEST_TIMEOUT_FACTOR;
  adjust(config);
  const end = async () => {
    await database?.drop();
    folder.remove();
  };
  let running: StartedService;
  try {
    if (world === "demo") {
      if (storeUrl === undefined) copyDemoStore(folder.path);
    } else if (world.length > 0) await fill(await openStore(config), world);
    running = await start(config);
  } catch (error) {
    await end();
    throw error;
  }
  const { url: address } = running.startup;
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
    url: address,
    dataDir: folder.path,
    env: ofStore,
    running,
    openStore: () => openStore(config),
    get,
    post,
    json: async <Body>(path: string, headers?: Record<string, string>) => success<Body>(path, await get(path, headers)),
    postJson: async <Body>(path: string, form: Record<string, string>) => success<Body>(path, await post(path, form)),
    async close() {
      await running.stop();
      await end();
    },
  };
}

/** For a service that is a process of its own. */
export async function fillStore(dataDir: string, world: { platform: string; batch: Batch }[]): Promise<void> {
  await fill(await openStore(readConfig({ DATA_DIR: dataDir })), world);
}

async function fill(store: Store, world: { platform: string; batch: Batch }[]): Promise<void> {
  try {
    for (const { platform, batch } of world) await store.writer.write([toUnit(platform, batch)]);
    await store.writer.refreshTrends();
  } finally {
    // An open store keeps the process of a failed test for ever.
    await store.close();
  }
}

/** Loaded at need, so that a test on a file does not load what starts servers. */
async function freshDatabaseFor(world: unknown): Promise<FreshDatabase> {
  const { freshDemoDatabase, freshStoreDatabase } = await import("./postgres/databases.ts");
  return world === "demo" ? freshDemoDatabase() : freshStoreDatabase();
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
