/**
 * Steps that bring a PostgreSQL store of an earlier version to this one. Append a step with every change of the tables, and
 * change their declarations too; never edit a step that was released.
 */

/** The first released version; stores of unreleased ones before it are refused. */
export const FIRST_VERSION = 25;

/** Each leads to the next version. */
export const MIGRATIONS: readonly string[] = [
  `
  -- In the order in which an undo and retention read the touches of a job.
  DROP INDEX job_records_by_job;
  CREATE INDEX job_records_by_job ON job_records (job_id, platform, kind, key, number);
  `,
  `
  -- One row: whether deleted rows may still be in the tables. See erasure/purge-state.ts.
  CREATE TABLE purge_state (deletions bigint NOT NULL, pending_since bigint);
  INSERT INTO purge_state (deletions) VALUES (0);
  `,
  `
  -- Measured gains come first in a ranking, and rankings as of earlier days are kept. All are computed again.
  DELETE FROM trend_chunks;
  DELETE FROM trend_lists;
  UPDATE trend_state SET computed_version = NULL, day = NULL, computed_at = NULL;
  ALTER TABLE trend_chunks ADD COLUMN measured bigint NOT NULL DEFAULT 0;
  -- The days that rankings are kept as of; a list of such a day ends with it: see trends/growth.ts.
  CREATE TABLE trend_days (
    day              bigint PRIMARY KEY,
    computed_version bigint NOT NULL,
    computed_at      bigint NOT NULL
  );
  -- When a post of each platform was last captured.
  CREATE TABLE trend_platforms (
    platform       text COLLATE "C" PRIMARY KEY,
    newest_capture bigint NOT NULL
  );
  `,
  `
  -- Sessions of browsers that were signed out, until they would have ended by themselves; and how often all sessions of a
  -- token were. Tokens of the environment have no row in tokens.
  CREATE TABLE ended_sessions (
    key_id     text COLLATE "C" NOT NULL,
    id         text COLLATE "C" NOT NULL,
    expires_at bigint NOT NULL,
    PRIMARY KEY (key_id, id)
  );
  CREATE TABLE session_epochs (
    key_id text COLLATE "C" PRIMARY KEY,
    epoch  bigint NOT NULL
  );
  `,
];
