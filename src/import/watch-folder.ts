/**
 * Files as they arrive in a folder. A file counts as arrived when its size and time have not changed between two looks:
 * half-written ones wait. Looking again and again is slower than the system's notifications but misses nothing, also on
 * network drives.
 */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

const LOOK_MS = 2_000;

/** The files that are there, then what arrives; until `signal` says stop. */
export async function* watchFolder(
  folder: string,
  signal = new AbortController().signal,
  lookMs = LOOK_MS,
): AsyncGenerator<string[]> {
  const given = new Map<string, string>();
  let before = new Map<string, string>();
  while (!signal.aborted) {
    const now = await look(folder);
    const arrived = [...now].filter(
      ([path, fingerprint]) => before.get(path) === fingerprint && given.get(path) !== fingerprint,
    );
    for (const [path, fingerprint] of arrived) given.set(path, fingerprint);
    before = now;
    if (arrived.length > 0) yield arrived.map(([path]) => path).toSorted();
    await pause(lookMs, undefined, { signal }).catch(() => undefined);
  }
}

async function look(folder: string): Promise<Map<string, string>> {
  const stamps = new Map<string, string>();
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || entry.name.startsWith(".")) continue;
    const path = join(entry.parentPath, entry.name);
    try {
      const { size, mtimeMs } = await stat(path);
      stamps.set(path, `${size}:${mtimeMs}`);
    } catch {
      // It went away between the two questions: then it has not arrived.
    }
  }
  return stamps;
}
