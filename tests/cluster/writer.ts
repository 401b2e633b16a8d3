/** Imports small batches all the time, as `triptych import` does, and notes what was acknowledged. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { importFiles } from "#import/import-files.ts";
import { readFiles } from "#import/read-files.ts";
import { PLATFORMS } from "#platforms/registry.ts";
import type { Store } from "#store/store.ts";
import type { ExpectedState, ExpectedBatch } from "./expected-state.ts";

export const SOUND = "7199000000000000001";
const POSTS_A_BATCH = 10;
const BETWEEN_MS = 400;
/** Within the days that rankings look at. */
const FIRST_SECOND = Math.floor(Date.now() / 1_000) - 86_400;
export const TAG = "ledger";

export interface BatchWriter {
  acknowledged: number;
  /** Attempts that failed and were made again. */
  retries: number;
  /** Monotonic milliseconds. */
  lastAcknowledgedAt: number;
  erase(batch: ExpectedBatch): Promise<void>;
  stop(): Promise<void>;
}

export function startWriter(store: Store, ledger: ExpectedState, folder: string): BatchWriter {
  const ending = new AbortController();
  const writing: BatchWriter = {
    acknowledged: 0,
    retries: 0,
    lastAcknowledgedAt: 0,
    async erase(batch) {
      batch.eraseStartedAt = performance.now();
      await persistently(() => store.writer.erase("shortvideo", "account", batch.author.id));
      batch.erasedAt = performance.now();
    },
    async stop() {
      ending.abort();
      await running;
    },
  };
  const persistently = async (work: () => Promise<unknown>) => {
    for (;;) {
      try {
        return void (await work());
      } catch {
        writing.retries++;
        await pause(100);
      }
    }
  };
  const running = (async () => {
    for (let number = 0; !ending.signal.aborted; number++) {
      const batch = createBatch(number);
      const path = join(folder, `batch-${number}.ndjson`);
      writeFileSync(path, `${batch.posts.map((post) => JSON.stringify(asCaptured(batch, post))).join("\n")}\n`);
      ledger.batches.push(batch);
      await persistently(() =>
        importFiles(
          { store, read: (files) => readFiles(PLATFORMS, store.encoder, files), dataDir: folder },
          { paths: [path], origin: "command" },
        ),
      );
      batch.acknowledgedAt = writing.lastAcknowledgedAt = performance.now();
      writing.acknowledged += batch.posts.length;
      await pause(BETWEEN_MS);
    }
  })();
  return writing;
}

/** In letters: a number would be found inside others. */
function wordFor(number: number): string {
  return `zq${String(number)
    .padStart(5, "0")
    .replaceAll(/\d/g, (digit) => `${"bcdfghjklm"[Number(digit)]}a`)}`;
}

function createBatch(number: number): ExpectedBatch {
  const word = wordFor(number);
  const author = { id: `69${String(number).padStart(17, "0")}`, name: `writer.${number}` };
  const posts = Array.from({ length: POSTS_A_BATCH }, (_, index) => {
    const place = number * POSTS_A_BATCH + index;
    return {
      id: `79${String(place).padStart(17, "0")}`,
      text: `${word} part ${index}`,
      createTime: FIRST_SECOND + place,
    };
  });
  return { number, word, author, posts, acknowledgedAt: Infinity, eraseStartedAt: Infinity, erasedAt: Infinity };
}

/** In the platform's own shape. */
function asCaptured({ author }: ExpectedBatch, { id, text, createTime }: ExpectedBatch["posts"][number]): object {
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
