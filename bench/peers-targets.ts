/**
 * json-server and Directus with the same posts, set up in their fastest way. They are no dependencies of the project:
 * bench/peers/package.json pins them, and the first run installs them in the cache folder, with the Node 22 that Directus
 * needs. Its driver for SQLite is downloaded or compiled, which needs a C++ compiler and Python.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { freePort } from "#testing/service-nodes.ts";
import { cached, corpusDigest } from "./corpus.ts";
import type { CapturedPost } from "./corpus-shortvideo.ts";
import { type Program, runProgram, startTarget, type Target } from "./processes.ts";

const READER_TOKEN = "token-of-a-reader-for-benches-only-0123456789";
const ADMIN_TOKEN = "token-of-the-admin-for-benches-only-0123456789";
/** Keeps a request below the megabyte that a body may have. */
const POSTS_PER_REQUEST = 400;
const MANIFEST = readFileSync(join(import.meta.dirname, "peers/package.json"), "utf8");
/** Without the pressure limiter, which refuses requests when it is as busy as a bench makes it. */
const DIRECTUS_SETTINGS = {
  NODE_ENV: "production",
  HOST: "127.0.0.1",
  SECRET: "secret-for-benches-only-0123456789",
  DB_CLIENT: "sqlite3",
  ADMIN_EMAIL: "admin@example.com",
  ADMIN_PASSWORD: "password-for-benches-only",
  ADMIN_TOKEN,
  ...off("SERVE_APP", "TELEMETRY", "RATE_LIMITER_ENABLED", "PRESSURE_LIMITER_ENABLED"),
};
export const LIST_SIZE = 30;
export const SEARCH_SIZE = 12;

export type Task = "look-up" | "list" | "search";

/** A target with the way to ask it. */
export interface Peer {
  target: Target;
  token: string;
  paths: Record<Task, (post: CapturedPost) => string>;
  postsIn: (task: Task, body: unknown) => CapturedPost[];
}

/** The folder of their modules. */
export async function installPeers(): Promise<string> {
  if (process.platform !== "linux") throw new Error("Directus is measured on Linux only: its Node comes from npm");
  const { dependencies } = JSON.parse(MANIFEST) as { dependencies: Record<string, string> };
  const folder = await cached(`peers-${corpusDigest(MANIFEST)}`, async (path) => {
    const names = Object.entries(dependencies).map(([name, version]) => `${name} ${version}`);
    console.log(`installing ${names.join(" and ")} with npm`);
    mkdirSync(path);
    writeFileSync(join(path, "package.json"), MANIFEST);
    const npm = (env: NodeJS.ProcessEnv, ...args: string[]) =>
      runProgram({ command: "npm", args, cwd: path, env: { ...process.env, ...env } });
    await npm({}, "install", "--ignore-scripts", "--no-package-lock", "--no-audit", "--no-fund");
    const node = join(path, `node_modules/node-linux-${process.arch}`);
    const searched = [join(node, "bin"), process.env["PATH"]].join(delimiter);
    await npm({ PATH: searched, npm_config_nodedir: node }, "rebuild", "sqlite3");
  });
  return join(folder, "node_modules");
}

/** Its file holds the newest posts first, so that it need not sort. A pattern on the text is faster than its search. */
export async function startJsonServer(modules: string, posts: readonly CapturedPost[], folder: string): Promise<Peer> {
  const file = join(folder, "db.json");
  writeFileSync(file, JSON.stringify({ posts: posts.toReversed() }));
  const program = join(modules, "json-server/lib/cli/bin.js");
  const target = await startTarget("json-server", "/posts?_limit=1", (port) => ({
    args: [program, file, "--host", "127.0.0.1", "--port", port, "--read-only", "--quiet"],
    cwd: folder,
    env: { NODE_ENV: "production" },
  }));
  return {
    target,
    token: "",
    paths: {
      "look-up": ({ id }) => `/posts/${id}`,
      list: ({ music }) => `/posts?${query({ "music.id": music.id, _limit: LIST_SIZE })}`,
      search(post) {
        const [first, second] = twoWords(post);
        return `/posts?${query({ desc_like: `^(?=.*${first})(?=.*${second})`, _limit: SEARCH_SIZE })}`;
      },
    },
    postsIn: (task, body) => (task === "look-up" ? [body as CapturedPost] : (body as CapturedPost[])),
  };
}

/** As its guide has it for production, on SQLite, filled once through its own API. A filter is faster than its search. */
export async function startDirectus(modules: string, posts: readonly CapturedPost[], cache: boolean): Promise<Peer> {
  const program = (folder: string, command: string, port: string): Program => ({
    command: join(modules, `node-linux-${process.arch}/bin/node`),
    // The program behind the command, which would first ask the registry for news.
    args: [join(modules, "@directus/api/dist/cli/run.js"), command],
    cwd: folder,
    env: {
      ...DIRECTUS_SETTINGS,
      PORT: port,
      DB_FILENAME: join(folder, "directus.sqlite"),
      STORAGE_LOCAL_ROOT: join(folder, "uploads"),
      EXTENSIONS_PATH: join(folder, "extensions"),
      CACHE_ENABLED: String(cache),
    },
  });
  const start = (name: string, folder: string) =>
    startTarget(name, "/server/ping", (port) => program(folder, "start", port));
  const data = await cached(`directus-${posts.length}-${corpusDigest(MANIFEST)}`, async (folder) => {
    mkdirSync(folder);
    await runProgram(program(folder, "bootstrap", String(await freePort())));
    const target = await start("Directus, empty", folder);
    await fillDirectus(target, posts).finally(() => target.stop());
    // Of two fields, which its API cannot create.
    const database = new DatabaseSync(join(folder, "directus.sqlite"));
    database.exec("CREATE INDEX posts_by_sound ON posts (musicId, createTime); ANALYZE");
    database.close();
  });
  return {
    target: await start(cache ? "Directus with its cache" : "Directus", data),
    token: READER_TOKEN,
    paths: {
      "look-up": ({ id }) => `/items/posts/${id}`,
      list: ({ music }) =>
        `/items/posts?${query({ "filter[musicId][_eq]": music.id, sort: "-createTime", limit: LIST_SIZE })}`,
      search(post) {
        const [first, second] = twoWords(post);
        const both = { "filter[_and][0][desc][_contains]": first, "filter[_and][1][desc][_contains]": second };
        return `/items/posts?${query({ ...both, limit: SEARCH_SIZE })}`;
      },
    },
    postsIn: (_task, body) => [(body as { data: CapturedPost | CapturedPost[] }).data].flat(),
  };
}

/** A collection with a field for each of the posts' own, and a user who may read it. */
async function fillDirectus({ url }: Target, posts: readonly CapturedPost[]): Promise<void> {
  const send = async (path: string, body: unknown): Promise<{ id: string }> => {
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" };
    const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
    const text = await response.text();
    if (!response.ok) throw new Error(`Directus: POST ${path}: ${response.status} ${text}`);
    return text === "" ? { id: "" } : (JSON.parse(text) as { data: { id: string } }).data;
  };
  const field = (name: string, type: string, schema = {}) => ({ field: name, type, meta: {}, schema });
  const nested = (name: string) => ({ ...field(name, "json"), meta: { special: ["cast-json"] } });
  const fields = [
    field("id", "string", { is_primary_key: true }),
    field("musicId", "string"),
    field("createTime", "integer"),
    field("desc", "text"),
    ...["author", "stats", "video", "music", "challenges", "textExtra"].map(nested),
  ];
  // No history of changes: nobody else keeps one here.
  await send("/collections", { collection: "posts", schema: {}, meta: { accountability: null }, fields });
  const policy = (await send("/policies", { name: "readers", admin_access: false, app_access: false })).id;
  const all = { fields: ["*"], permissions: {}, validation: {} };
  await send("/permissions", { policy, collection: "posts", action: "read", ...all });
  const role = (await send("/roles", { name: "readers" })).id;
  await send("/access", { role, policy });
  await send("/users", { email: "reader@example.com", role, status: "active", token: READER_TOKEN });
  for (let first = 0; first < posts.length; first += POSTS_PER_REQUEST) {
    const batch = posts.slice(first, first + POSTS_PER_REQUEST);
    await send(
      "/items/posts",
      batch.map((post) => ({ ...post, musicId: post.music.id })),
    );
  }
}

function off(...names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, "false"]));
}

export function twoWords({ desc }: CapturedPost): string[] {
  return desc.split(" ").slice(0, 2);
}

export function query(parameters: Record<string, string | number | undefined>): string {
  const texts = Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]);
  return new URLSearchParams(texts).toString();
}
