/**
 * Whether anybody has written: SQLite counts the commits that a connection did not make itself, whichever connection or
 * process made them. All that arrived before a turn of the event loop began is answered by one look.
 */
import type { Database } from "./database.ts";

export function stampOf(reading: Database): () => number {
  let version = 0;
  let looked = false;
  return () => {
    if (looked) return version;
    version = (reading.list<[number]>("PRAGMA data_version") as [number])[0];
    looked = true;
    setImmediate(() => (looked = false));
    return version;
  };
}
