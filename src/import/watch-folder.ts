/**
 * Watches a folder for new files. A file is yielded once its size and time are the same in two polls, so that half-written
 * files wait. Polling is slower than fs.watch but misses nothing, also on network drives.
 */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const POLL_MS = 2_000;

/** Yields the existing files, then those that arrive or change, until `signal` aborts. */
export async function* watchFolder(
  folder: string,
  signal = new AbortController().signal,
  pollMs = POLL_MS,
): AsyncGenerator<string[]> {
  const yielded = new Map<string, string>();
  let previous = new Map<string, string>();
  while (!signal.aborted) {
    const current = await listFingerprints(folder);
    const arrived = [...current].filter(
      ([path, fingerprint]) => previous.get(path) === fingerprint && yielded.get(path) !== fingerprint,
    );
    for (const [path, fingerprint] of arrived) yielded.set(path, fingerprint);
    previous = current;
    if (arrived.length > 0) yield arrived.map(([path]) => path).toSorted();
    await delay(pollMs, undefined, { signal }).catch(() => undefined);
  }
}

async function listFingerprints(folder: string): Promise<Map<string, string>> {
  const fingerprints = new Map<string, string>();
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || entry.name.startsWith(".")) continue;
    const path = join(entry.parentPath, entry.name);
    try {
      const { size, mtimeMs } = await stat(path);
      fingerprints.set(path, `${size}:${mtimeMs}`);
    } catch {
      // Deleted since readdir.
    }
  }
  return fingerprints;
}
