/**
 * The corpus that the service is measured with: invented captures of all three platforms, imported by the command into
 * a store that later runs reuse. A change of the generators or of the tables builds a new one. Captures count as captured
 * on the day of the import.
 */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createWriteStream, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as longvideo from "./corpus-longvideo.ts";
import * as photoshare from "./corpus-photoshare.ts";
import * as shortvideo from "./corpus-shortvideo.ts";
import { SCHEMA } from "#store/sqlite/schema.ts";
import { importCaptures } from "./service.ts";

export const CACHE_FOLDER = join(tmpdir(), "triptych-bench");
const MAX_COMMENT_LISTS = 3_000;
const BATCH_LINES = 1_000;
const KEYS_FILE = "keys.json";

/** What requests name, by kind. */
export interface Keys {
  posts: string[];
  people: string[];
  sounds: string[];
  commented: string[];
  videos: string[];
  accounts: string[];
}

export async function openCorpus(posts: number): Promise<{ dataDir: string; keys: Keys }> {
  const dataDir = await cached(`store-${posts}-${corpusDigest(SCHEMA)}`, async (folder) => {
    const captures = `${folder}.captures`;
    rmSync(captures, { recursive: true, force: true });
    const keys = await writeCaptures(captures, posts);
    const seconds = await importCaptures([captures], { DATA_DIR: folder });
    console.log(`imported ${posts} posts in ${seconds.toFixed(0)} s`);
    rmSync(captures, { recursive: true });
    writeFileSync(join(folder, KEYS_FILE), JSON.stringify(keys));
  });
  return { dataDir, keys: JSON.parse(readFileSync(join(dataDir, KEYS_FILE), "utf8")) as Keys };
}

/** A capture of short videos alone, part `part` of `parts`. */
export function openPostCapture(posts: number, part = 0, parts = 1): Promise<string> {
  return cached(`posts-${posts}-${part}-${parts}-${corpusDigest()}.ndjson`, (file) =>
    writeLines(
      file,
      shortvideo.posts(posts).filter((_, index) => index % parts === part),
    ),
  );
}

/** A file or folder of this name in the cache folder, built if it is not there; a build that fails leaves nothing. */
export async function cached(name: string, build: (path: string) => Promise<void>): Promise<string> {
  const path = join(CACHE_FOLDER, name);
  if (existsSync(path)) return path;
  mkdirSync(CACHE_FOLDER, { recursive: true });
  rmSync(`${path}.part`, { recursive: true, force: true });
  console.log(`building ${path}`);
  await build(`${path}.part`);
  renameSync(`${path}.part`, path);
  return path;
}

/** Changes with what the generators write and with these texts. */
export function corpusDigest(...texts: string[]): string {
  const short = [shortvideo.posts(20), shortvideo.profiles(20), shortvideo.commentLists(20, 1)];
  const samples = [...short, longvideo.videos(20), photoshare.posts(20), photoshare.profiles(20)];
  const hash = createHash("sha256");
  for (const sample of samples) hash.update(JSON.stringify([...sample]));
  for (const text of texts) hash.update(text);
  return hash.digest("hex").slice(0, 10);
}

/** Of ten posts eight are short videos, one is a long one and one is a photo post. */
export async function writeCaptures(folder: string, posts: number): Promise<Keys> {
  const tenth = Math.floor(posts / 10);
  const short = posts - 2 * tenth;
  const keys: Keys = { posts: [], people: [], sounds: [], commented: [], videos: [], accounts: [] };
  const sounds = new Set<string>();
  mkdirSync(folder, { recursive: true });
  const write = <Line>(name: string, lines: Iterable<Line>, onLine?: (line: Line) => void) =>
    writeLines(join(folder, `${name}.ndjson`), lines, onLine);

  await write("short-posts", shortvideo.posts(short), ({ id, music }) => {
    keys.posts.push(id);
    sounds.add(music.id);
  });
  keys.sounds = [...sounds];
  await write("short-profiles", shortvideo.profiles(short), ({ user }) => keys.people.push(user.uniqueId));
  const comments = shortvideo.commentLists(short, MAX_COMMENT_LISTS);
  await write("short-comments", comments, ({ aweme_id }) => keys.commented.push(aweme_id));
  await write("long-videos", longvideo.videos(tenth), ({ id }) => keys.videos.push(id));
  await write("photo-posts", photoshare.posts(tenth));
  await write("photo-profiles", photoshare.profiles(tenth), ({ username }) => keys.accounts.push(username));
  return keys;
}

async function writeLines<Line>(path: string, lines: Iterable<Line>, onLine?: (line: Line) => void): Promise<void> {
  const file = createWriteStream(path, { highWaterMark: 1 << 20 });
  let batch: string[] = [];
  for (const line of lines) {
    onLine?.(line);
    batch.push(`${JSON.stringify(line)}\n`);
    if (batch.length < BATCH_LINES) continue;
    if (!file.write(batch.join(""))) await once(file, "drain");
    batch = [];
  }
  file.end(batch.join(""));
  await once(file, "finish");
}
