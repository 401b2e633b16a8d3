/** Imports small batches continuously, as `triptych import` does, and records what was acknowledged. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { importFiles } from "#import/import-files.ts";
import { readFiles } from "#import/read-files.ts";
import { PLATFORMS } from "#platforms/registry.ts";
import type { Store } from "#store/store.ts";
import type { ExpectedState, ExpectedBatch } from "./expected-state.ts";

export const SOUND = "7199000000000000001";
const BATCH_POSTS = 10;
const PAUSE_MS = 400;
/** Within the period of the rankings. */
const FIRST_SECOND = Math.floor(Date.now() / 1_000) - 86_400;
export const TAG = "ledger";

export interface BatchWriter {
  acknowledged: number;
  /** Failed attempts that were repeated. */
  retries: number;
  /** Monotonic milliseconds. */
  lastAcknowledgedAt: number;
  erase(batch: ExpectedBatch): Promise<void>;
  stop(): Promise<void>;
}

export function startWriter(store: Store, state: ExpectedState, folder: string): BatchWriter {
  const stopping = new AbortController();
  const writer: BatchWriter = {
    acknowledged: 0,
    retries: 0,
    lastAcknowledgedAt: 0,
    async erase(batch) {
      batch.eraseStartedAt = performance.now();
      await retryForever(() => store.writer.erase("shortvideo", "account", batch.author.id));
      batch.erasedAt = performance.now();
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
  const retryForever = async (work: () => Promise<unknown>) => {
    for (;;) {
      try {
        return void (await work());
      } catch {
        writer.retries++;
        await pause(100);
      }
    }
  };
  const running = (async () => {
    for (let number = 0; !stopping.signal.aborted; number++) {
      const batch = createBatch(number);
      const path = join(folder, `batch-${number}.ndjson`);
      writeFileSync(path, `${batch.posts.map((post) => JSON.stringify(toCapture(batch, post))).join("\n")}\n`);
      state.batches.push(batch);
      await retryForever(() =>
        importFiles(
          { store, read: (files) => readFiles(PLATFORMS, store.encoder, files), dataDir: folder },
          { paths: [path], origin: "command" },
        ),
      );
      batch.acknowledgedAt = writer.lastAcknowledgedAt = performance.now();
      writer.acknowledged += batch.posts.length;
      await pause(PAUSE_MS);
    }
  })();
  return writer;
}

/** In letters: a number would match inside other numbers. */
function wordFor(number: number): string {
  return `zq${String(number)
    .padStart(5, "0")
    .replaceAll(/\d/g, (digit) => `${"bcdfghjklm"[Number(digit)]}a`)}`;
}

/** Odd: an even id may look as if it had been rounded, which an import refuses. */
function idOf(prefix: number, number: number): string {
  return `${prefix}${String(number).padStart(16, "0")}1`;
}

function createBatch(number: number): ExpectedBatch {
  const word = wordFor(number);
  const author = { id: idOf(69, number), name: `writer.${number}` };
  const posts = Array.from({ length: BATCH_POSTS }, (_, index) => {
    const position = number * BATCH_POSTS + index;
    return {
      id: idOf(79, position),
      text: `${word} part ${index}`,
      createTime: FIRST_SECOND + position,
    };
  });
  return { number, word, author, posts, acknowledgedAt: Infinity, eraseStartedAt: Infinity, erasedAt: Infinity };
}

/** In the platform's own shape. */
function toCapture({ author }: ExpectedBatch, { id, text, createTime }: ExpectedBatch["posts"][number]): object {
  return {
    id,
    desc: `${text} #${TAG}`,
    createTime,
    author: { id: author.id, uniqueId: author.name, nickname: author.name },
    stats: { diggCount: 1, playCount: 10, commentCount: 0, shareCount: 0 },
    video: { id, duration: 10, playAddr: "https://media.example/play.mp4" },
    textExtra: [{ hashtagName: TAG }],
    music: { id: SOUND, title: "Ledger", authorName: "The writer" },
  };
}
