/**
 * The corpus that the service is measured with: invented captures of all three platforms, imported by the command into
 * a store that is kept between runs. A change of the generators or of the tables makes a new one. Captures are the
 * same every time; they count as captured on the day they are imported, since trends are of the last days.
 */
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  createWriteStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as longvideo from "./corpus-longvideo.ts";
import * as photoshare from "./corpus-photoshare.ts";
import * as shortvideo from "./corpus-shortvideo.ts";
import { importCapture } from "./import.ts";

export const FOLDER = join(tmpdir(), "triptych-bench");
const MOST_WITH_LISTS = 3_000;
const MOST_KEYWORDS = 20_000;
const IDS_FILE = "ids.json";

const SOURCES = [
  ...["capture", "corpus-text", "corpus-shortvideo", "corpus-longvideo", "corpus-photoshare"].map(
    (name) => `${name}.ts`,
  ),
  "../src/store/sqlite/migrations.ts",
];

/** What can be asked for. */
export interface Ids {
  posts: string[];
  people: string[];
  sounds: string[];
  commented: string[];
  keywords: string[];
  videos: string[];
  accounts: string[];
  followed: string[];
}

export interface Corpus {
  posts: number;
  dataDir: string;
  ids: Ids;
}

export async function openCorpus(posts: number, rebuild = false): Promise<Corpus> {
  const dataDir = join(FOLDER, `http-${posts}-${sourceDigest()}`);
  if (rebuild) rmSync(dataDir, { recursive: true, force: true });
  if (!existsSync(dataDir)) await build(posts, dataDir);
  return { posts, dataDir, ids: JSON.parse(readFileSync(join(dataDir, IDS_FILE), "utf8")) as Ids };
}

function sourceDigest(): string {
  const hash = createHash("sha256");
  for (const name of SOURCES) hash.update(readFileSync(join(import.meta.dirname, name)));
  return hash.digest("hex").slice(0, 10);
}

async function build(posts: number, dataDir: string): Promise<void> {
  const unfinished = `${dataDir}.part`;
  const captures = `${dataDir}.captures`;
  for (const folder of [unfinished, captures]) rmSync(folder, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  const older = readdirSync(FOLDER).filter((name) => name.startsWith(`http-${posts}-`));
  if (older.length > 0) console.log(`of older sources, to be removed at will: ${older.join(", ")} in ${FOLDER}`);
  mkdirSync(captures);
  console.log(`writing captures of ${posts} posts`);
  const ids = await writeCaptures(captures, posts);
  console.log("importing them");
  const { seconds, peakMemoryMB } = await importCapture(captures, unfinished);
  console.log(`imported in ${seconds.toFixed(0)} s, ${peakMemoryMB} MB at most`);
  rmSync(captures, { recursive: true });
  writeFileSync(join(unfinished, IDS_FILE), JSON.stringify(ids));
  renameSync(unfinished, dataDir);
}

/** Of ten posts eight are short videos, one is a long one and one is a photo post. */
export async function writeCaptures(folder: string, posts: number): Promise<Ids> {
  const tenth = Math.floor(posts / 10);
  const short = posts - 2 * tenth;
  const ids: Ids = {
    posts: [],
    people: [],
    sounds: [],
    commented: [],
    keywords: [],
    videos: [],
    accounts: [],
    followed: [],
  };
  const sounds = new Set<string>();
  const keywordEvery = Math.max(1, Math.floor(short / MOST_KEYWORDS));
  const write = <Value>(name: string, values: Iterable<Value>, seen: (value: Value) => void) =>
    writeLines(join(folder, `${name}.ndjson`), values, seen);

  await write("short-posts", shortvideo.posts(short), ({ id, desc, music }) => {
    if (ids.posts.push(id) % keywordEvery === 0) ids.keywords.push(desc.split(" ").slice(0, 2).join(" "));
    sounds.add(music.id);
  });
  ids.sounds = [...sounds];
  await write("short-profiles", shortvideo.profiles(short), ({ user }) => ids.people.push(user.uniqueId));
  const comments = shortvideo.commentLists(short, MOST_WITH_LISTS);
  await write("short-comments", comments, ({ aweme_id }) => ids.commented.push(aweme_id));
  await write("long-videos", longvideo.videos(tenth), ({ id }) => ids.videos.push(id));
  await write("photo-posts", photoshare.posts(tenth), () => undefined);
  await write("photo-profiles", photoshare.profiles(tenth, MOST_WITH_LISTS), ({ username, edge_followed_by }) => {
    ids.accounts.push(username);
    if (edge_followed_by.edges.length > 0) ids.followed.push(username);
  });
  return ids;
}

const LINES_AT_ONCE = 1_000;

async function writeLines<Value>(path: string, values: Iterable<Value>, seen: (value: Value) => void): Promise<void> {
  const file = createWriteStream(path, { highWaterMark: 1 << 20 });
  let lines: string[] = [];
  for (const value of values) {
    seen(value);
    lines.push(JSON.stringify(value));
    if (lines.length < LINES_AT_ONCE) continue;
    if (!file.write(`${lines.join("\n")}\n`)) await once(file, "drain");
    lines = [];
  }
  file.end(lines.map((line) => `${line}\n`).join(""));
  await once(file, "finish");
}
