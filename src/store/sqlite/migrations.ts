/**
 * Steps that bring a SQLite store of an earlier version to this one. Append a step with every change of the tables, and
 * change their declarations too; never edit a step that was released.
 */

/** The first released version; stores of unreleased ones before it are refused. */
export const FIRST_VERSION = 22;

/** Each leads to the next version. */
export const MIGRATIONS: readonly string[] = [
  `
  -- Whom somebody follows, newest first.
  DROP INDEX follows_by_follower;
  CREATE INDEX follows_by_follower ON follows (platform, follower_id, at DESC, account_id);
  INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES ('follows', 'follows_by_follower', '1000000 333333 10 2 1');
  ANALYZE sqlite_schema;
  `,
  `
  -- One row: whether bytes of deleted records may still be on disk, and until when a process may be rewriting
  -- the file. See erasure/purge-state.ts and compact.ts.
  CREATE TABLE purge_state (deletions INTEGER NOT NULL, pending_since INTEGER, rewriting_until INTEGER) STRICT;
  -- Versions before this one left bytes of what they deleted.
  INSERT INTO purge_state (deletions, pending_since)
    SELECT 0, min(at) FROM audit WHERE action IN ('erasure', 'import.undo', 'retention.sweep');
  `,
  `
  -- Measured gains come first in a ranking, and rankings as of earlier days are kept. All are computed again.
  DELETE FROM trend_chunks;
  DELETE FROM trend_lists;
  UPDATE trend_state SET computed_version = NULL, day = NULL, computed_at = NULL;
  ALTER TABLE trend_chunks ADD COLUMN measured INTEGER NOT NULL DEFAULT 0;
  -- The days that rankings are kept as of; a list of such a day ends with it: see trends/growth.ts.
  CREATE TABLE trend_days (
    day              INTEGER PRIMARY KEY,
    computed_version INTEGER NOT NULL,
    computed_at      INTEGER NOT NULL
  ) STRICT;
  -- When a post of each platform was last captured.
  CREATE TABLE trend_platforms (
    platform       TEXT PRIMARY KEY,
    newest_capture INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Sessions of browsers that were signed out, until they would have ended by themselves; and how often all sessions of a
  -- token were. Tokens of the environment have no row in tokens.
  CREATE TABLE ended_sessions (
    key_id     TEXT NOT NULL,
    id         TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    PRIMARY KEY (key_id, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE session_epochs (
    key_id TEXT PRIMARY KEY,
    epoch  INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
];
