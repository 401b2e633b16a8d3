/**
 * Directus as its guide has it for production, on SQLite: a collection of posts with a field for each of theirs, a user
 * who may read them, and an index that answers a page of a sound. Filled through its own API, once, then kept.
 */
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { freePort } from "#testing/service-nodes.ts";
import { FOLDER } from "./corpus.ts";
import type { Contender } from "./http-contenders.ts";
import { digestOf, type Installed, PEERS } from "./peers-install.ts";
import { type Listening, runToEnd, startListening } from "./peers-processes.ts";
import type { Captured } from "./peers-questions.ts";

export const READER_TOKEN = "token-of-a-reader-for-benches-only-0123456789";
const ADMIN_TOKEN = "token-of-the-admin-for-benches-only-0123456789";
const DATABASE = "directus.sqlite";
/** Below the megabyte that a body may have. */
const POSTS_A_REQUEST = 400;

/** The folder of its data. */
export async function fillDirectus(
  installed: Installed,
  posts: readonly Captured[],
  capture: string,
  { logs, rebuild }: { logs: string; rebuild: boolean },
): Promise<string> {
  const folder = join(FOLDER, `directus-${digestOf([capture, import.meta.filename, join(PEERS, "package.json")])}`);
  if (rebuild) rmSync(folder, { recursive: true, force: true });
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.part`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });

  console.log(`giving ${posts.length} posts to Directus`);
  await runToEnd(await programOf(installed, unfinished, "bootstrap", logs));
  const running = await startListening(await programOf(installed, unfinished, "start", logs));
  try {
    const send = sender(running.address);
    await makeCollection(send);
    await makeReader(send);
    for (let begin = 0; begin < posts.length; begin += POSTS_A_REQUEST) {
      const some = posts.slice(begin, begin + POSTS_A_REQUEST);
      await send(
        "/items/posts",
        some.map((post) => ({ ...post, musicId: post.music.id })),
      );
    }
  } finally {
    await running.stop();
  }
  addIndex(join(unfinished, DATABASE));
  renameSync(unfinished, folder);
  return folder;
}

export async function startDirectus(
  installed: Installed,
  folder: string,
  { logs, cache }: { logs: string; cache: boolean },
): Promise<Contender> {
  const program = await programOf(installed, folder, "start", logs);
  if (!cache) return startListening(program);
  return startListening({ ...program, name: "Directus, cache on", env: { ...program.env, CACHE_ENABLED: "true" } });
}

async function programOf(
  { node22, directus }: Installed,
  folder: string,
  command: "bootstrap" | "start",
  logs: string,
): Promise<Listening> {
  const port = String(await freePort());
  return {
    name: "Directus",
    command: node22,
    args: [directus, command],
    folder,
    logFile: join(logs, `directus-${command}-${port}.log`),
    address: `http://127.0.0.1:${port}`,
    readyPath: "/server/ping",
    env: {
      PATH: process.env["PATH"],
      NODE_ENV: "production",
      HOST: "127.0.0.1",
      PORT: port,
      SECRET: "secret-for-benches-only-0123456789",
      DB_CLIENT: "sqlite3",
      DB_FILENAME: join(folder, DATABASE),
      ADMIN_EMAIL: "admin@example.com",
      ADMIN_PASSWORD: "password-for-benches-only",
      ADMIN_TOKEN,
      STORAGE_LOCAL_ROOT: join(folder, "uploads"),
      EXTENSIONS_PATH: join(folder, "extensions"),
      SERVE_APP: "false",
      TELEMETRY: "false",
      LOG_STYLE: "raw",
      RATE_LIMITER_ENABLED: "false",
      // Else it refuses requests when it is as busy as a bench makes it.
      PRESSURE_LIMITER_ENABLED: "false",
    },
  };
}

type Send = (path: string, body: unknown) => Promise<{ id: string }>;

function sender(address: string): Send {
  return async (path, body) => {
    const headers = { Authorization: `Bearer ${ADMIN_TOKEN}`, "Content-Type": "application/json" };
    const answer = await fetch(address + path, { method: "POST", headers, body: JSON.stringify(body) });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`Directus answered POST ${path} with ${answer.status}: ${text}`);
    return text === "" ? { id: "" } : (JSON.parse(text) as { data: { id: string } }).data;
  };
}

async function makeCollection(send: Send): Promise<void> {
  const field = (name: string, type: string, schema = {}) => ({ field: name, type, meta: {}, schema });
  const nested = (name: string) => ({ ...field(name, "json"), meta: { special: ["cast-json"] } });
  await send("/collections", {
    collection: "posts",
    schema: {},
    // No history of changes: nobody else keeps one here.
    meta: { accountability: null },
    fields: [
      field("id", "string", { is_primary_key: true }),
      field("musicId", "string"),
      field("createTime", "integer"),
      field("desc", "text"),
      ...["author", "stats", "video", "music", "challenges", "textExtra"].map(nested),
    ],
  });
}

async function makeReader(send: Send): Promise<void> {
  const policy = await send("/policies", { name: "readers", admin_access: false, app_access: false });
  const may = {
    policy: policy.id,
    collection: "posts",
    action: "read",
    fields: ["*"],
    permissions: {},
    validation: {},
  };
  await send("/permissions", may);
  const role = await send("/roles", { name: "readers" });
  await send("/access", { role: role.id, policy: policy.id });
  await send("/users", { email: "reader@example.com", role: role.id, status: "active", token: READER_TOKEN });
}

/** Of two fields, which its API cannot make. */
function addIndex(file: string): void {
  const database = new DatabaseSync(file);
  database.exec("CREATE INDEX posts_of_a_sound ON posts (musicId, createTime); ANALYZE");
  database.close();
}
