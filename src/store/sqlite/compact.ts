/**
 * Rewrites the file (VACUUM), which alone removes deleted bytes for certain: `secure_delete` zeroes a deleted row, but not the
 * copies that stay in the gaps of pages when SQLite moves rows between them. Readers go on; writers wait.
 */
import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { markPurged, readPurgeState } from "#store/erasure/purge-state.ts";
import { type Database, WRITE_LOCK_TIMEOUT_MS } from "./database.ts";
import { shareSql } from "./shared-sql.ts";
import { endSnapshots } from "./tick-snapshot.ts";

/** Writers wait this long for a rewrite and no longer; it takes a tenth of that, or less. */
const MAX_REWRITE_MS = 60_000;
const MAX_REWRITE_MS_PER_GIB = 600_000;
const GIB = 1024 ** 3;

/** How long readers of an older state are waited for; requests take less. */
const READERS_TIMEOUT_MS = 2_000;

/**
 * Even with `secure-delete`, FTS5 keeps a deleted word that it has chosen as the border between two pages. "optimize" writes all
 * segments again, but not a single one: a document with a token that no search asks for makes a second.
 */
const REWRITE_INDEX = `
  INSERT INTO search_index (rowid, title) VALUES (0, 'rewrite');
  INSERT INTO search_index (search_index) VALUES ('optimize');
  INSERT INTO search_index (search_index, rowid, title) VALUES ('delete', 0, 'rewrite');`;

/** Without `always` only if deleted bytes may be left. False if a reader of an older state keeps them on disk. */
export async function compact(db: Database, file: string, { always }: { always: boolean }): Promise<boolean> {
  const { sql } = shareSql(db);
  const maxMs = MAX_REWRITE_MS + Math.ceil((statSync(file).size / GIB) * MAX_REWRITE_MS_PER_GIB);
  setRewriting(db, Date.now() + maxMs);
  let isPurged = false;
  try {
    // Read after a write, which waits for a rewrite by another process: nothing may be left to do.
    const { deletions, pendingSince } = await readPurgeState(sql);
    if (!always && pendingSince === null) return true;
    assertRoom(db, file);
    // With a reader of an older state, the log would keep its pages and grow by the whole file.
    if (!truncateLog(db)) return false;
    rewrite(db);
    isPurged = truncateLog(db);
    if (isPurged) await markPurged(sql, deletions);
    return isPurged;
  } finally {
    setRewriting(db, null);
    if (isPurged) truncateLog(db);
  }
}

function rewrite(db: Database): void {
  try {
    db.transaction(() => db.exec(REWRITE_INDEX));
    db.exec("VACUUM");
  } catch (error) {
    // Gives back what the log has taken of a full disk, so that the next statement has room.
    truncateLog(db);
    throw error;
  }
}

function setRewriting(db: Database, until: number | null): void {
  db.run("UPDATE purge_state SET rewriting_until = ?", until);
}

/** A full disk would stop imports too. Both copies, the temporary one and the log, have the rows without free pages. */
function assertRoom(db: Database, file: string): void {
  const pages = (name: string) => Object.values(db.get<Record<string, number>>(`PRAGMA ${name}`) ?? {})[0] ?? 0;
  const bytes = (pages("page_count") - pages("freelist_count")) * pages("page_size");
  const folder = dirname(file);
  const temporary = process.env["SQLITE_TMPDIR"] ?? process.env["TMPDIR"] ?? "/var/tmp";
  const isSameDisk = statSync(temporary, { throwIfNoEntry: false })?.dev === statSync(folder).dev;
  const needed = isSameDisk ? 2 * bytes : bytes;
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize >= needed) return;
  const mebibytes = (count: number) => `${Math.ceil(count / 1024 ** 2)} MiB`;
  throw Object.assign(
    new Error(`rewriting ${file} needs ${mebibytes(needed)} of free space; ${mebibytes(bavail * bsize)} are free`),
    { code: "ENOSPC" },
  );
}

/** The write-ahead log has copies of pages as they were. False if a reader of an older state needs it. */
function truncateLog(db: Database): boolean {
  // The log cannot be emptied while this thread reads an older state.
  endSnapshots();
  db.exec(`PRAGMA busy_timeout = ${READERS_TIMEOUT_MS}`);
  const row = db.get<{ busy: number }>("PRAGMA wal_checkpoint(TRUNCATE)");
  db.exec(`PRAGMA busy_timeout = ${WRITE_LOCK_TIMEOUT_MS}`);
  return row?.busy === 0;
}
