/**
 * Watches a folder for new files. A file is yielded once its size and time are the same in two polls, so that half-written
 * files wait. Polling is slower than fs.watch but misses nothing, also on network drives.
 */
import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

const POLL_MS = 2_000;

/**
 * Yields the existing files, then those that arrive or change, until `signal` aborts. Throws if the folder cannot be read
 * at the start; later it may go away and come back, as a network drive does.
 */
export async function* watchFolder(
  folder: string,
  signal = new AbortController().signal,
  pollMs = POLL_MS,
): AsyncGenerator<string[]> {
  const yielded = new Map<string, string>();
  let previous: Map<string, string> | null = null;
  while (!signal.aborted) {
    const current = await listFingerprints(folder, previous === null);
    if (current !== null) {
      const arrived = [...current].filter(
        ([path, fingerprint]) => previous?.get(path) === fingerprint && yielded.get(path) !== fingerprint,
      );
      for (const [path, fingerprint] of arrived) yielded.set(path, fingerprint);
      previous = current;
      if (arrived.length > 0) yield arrived.map(([path]) => path).toSorted();
    }
    await delay(pollMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Null if the folder itself cannot be read, unless it must be. Of its subfolders, those that cannot be read are left out. */
async function listFingerprints(folder: string, mustBeReadable: boolean): Promise<Map<string, string> | null> {
  const fingerprints = new Map<string, string>();
  const folders = [folder];
  // Grows while it is read.
  for (const parent of folders) {
    let entries: Dirent[];
    try {
      entries = await readdir(parent, { withFileTypes: true });
    } catch (error) {
      if (parent !== folder) continue;
      if (mustBeReadable) throw error;
      return null;
    }
    for (const entry of entries) {
      const path = join(parent, entry.name);
      if (entry.isDirectory()) folders.push(path);
      if (!entry.isFile() || entry.name.startsWith(".")) continue;
      try {
        const { size, mtimeMs } = await stat(path);
        fingerprints.set(path, `${size}:${mtimeMs}`);
      } catch {
        // Deleted since readdir.
      }
    }
  }
  return fingerprints;
}
