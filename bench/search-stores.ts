/** The stores that searches are measured in: built once for each size and each version of the tables, then kept. */
import { createReadStream, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Post } from "#domain/post.ts";
import { MIGRATIONS } from "#store/sqlite/migrations.ts";
import { openSqliteStore, STORE_FILE } from "#store/sqlite/store.ts";
import type { Store } from "#store/store.ts";
import { Bm25, writeBm25 } from "./search-bm25.ts";
import { posts } from "./search-corpus.ts";

export const FOLDER = join(tmpdir(), "triptych-bench");
export const PLATFORM = "shortvideo";
export const BATCH = 2_000;
const BM25_FILE = "bm25.sqlite";

export interface Searched {
  posts: number;
  folder: string;
  store: Store;
  bm25: Bm25;
}

export async function openSearched(count: number, rebuild: boolean): Promise<Searched> {
  const folder = join(FOLDER, `search-${count}-${MIGRATIONS.length}`);
  if (rebuild) rmSync(folder, { recursive: true, force: true });
  if (!existsSync(folder)) await build(folder, count);
  for (const name of [STORE_FILE, BM25_FILE]) await readThrough(join(folder, name));
  return { posts: count, folder, store: openSqliteStore(folder), bm25: new Bm25(join(folder, BM25_FILE)) };
}

/** So that the system has the file in memory, and nobody is measured waiting for a disk. */
async function readThrough(file: string): Promise<void> {
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) void chunk;
}

export async function closeSearched({ store, bm25 }: Searched): Promise<void> {
  bm25.close();
  await store.close();
}

async function build(folder: string, count: number): Promise<void> {
  console.log(`writing ${count} posts to ${folder}`);
  const unfinished = `${folder}.part`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(unfinished, { recursive: true });
  const store = openSqliteStore(unfinished);
  const bm25 = writeBm25(join(unfinished, BM25_FILE));
  let written = 0;
  for (const batch of batches(count)) {
    await store.writer.put(PLATFORM, { posts: batch });
    bm25.add(batch);
    written += batch.length;
    if (written % 100_000 === 0) console.log(`  ${written} posts`);
  }
  bm25.end();
  await store.close();
  renameSync(unfinished, folder);
}

export function* batches(count: number): Generator<Post[]> {
  let batch: Post[] = [];
  for (const post of posts(count)) {
    batch.push(post);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
