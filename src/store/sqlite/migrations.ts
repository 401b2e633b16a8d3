/**
 * The SQLite schema. Append migrations; never edit one that was released. Tables are STRICT; those that are only read
 * by their key are WITHOUT ROWID.
 */

/** The version of the first schema below; unreleased schemas before it are refused. */
export const FIRST_VERSION = 22;

export const MIGRATIONS: readonly string[] = [
  `
  -- Accounts, posts, sounds, hashtags, places. The header holds what we query, native what the platform sent; both are
  -- JSON. The number never changes and is also the rowid, so post_lists.record refers to it.
  CREATE TABLE records (
    number      INTEGER PRIMARY KEY,
    platform    TEXT NOT NULL,
    kind        TEXT NOT NULL,
    id          TEXT NOT NULL,
    header      TEXT NOT NULL,
    native      TEXT NOT NULL,
    captured_at INTEGER NOT NULL,
    source      TEXT NOT NULL,
    version     INTEGER NOT NULL,
    UNIQUE (platform, kind, id)
  ) STRICT;
  -- What a source has captured and when: for counts, and for whatever deletes by source and age.
  CREATE INDEX records_by_source ON records (platform, kind, source, captured_at);

  -- Pre-rendered JSON, up to four projections of a record: id is 4 * number + slot. See rendered-rows.ts.
  CREATE TABLE rendered_records (
    id          INTEGER PRIMARY KEY,
    captured_at INTEGER NOT NULL,
    digest      TEXT NOT NULL,
    json        TEXT NOT NULL
  ) STRICT;
  CREATE TRIGGER record_deleted AFTER DELETE ON records BEGIN
    DELETE FROM rendered_records WHERE id >= old.number * 4 AND id < old.number * 4 + 4;
  END;
  -- The projections that rendered_records and comments.rendered were rendered by.
  CREATE TABLE rendered_projections (
    platform TEXT NOT NULL,
    kind     TEXT NOT NULL,
    slot     INTEGER NOT NULL,
    name     TEXT NOT NULL,
    version  INTEGER NOT NULL,
    PRIMARY KEY (platform, kind, slot)
  ) STRICT, WITHOUT ROWID;

  -- Folded names of all accounts, with the capture time of the account. Several may have one name, since captures are of
  -- different times: it belongs to the one captured last.
  CREATE TABLE account_names (
    platform    TEXT NOT NULL,
    name        TEXT NOT NULL,
    id          TEXT NOT NULL,
    captured_at INTEGER NOT NULL,
    PRIMARY KEY (platform, name, id)
  ) STRICT, WITHOUT ROWID;

  -- The lists a post belongs to: by author, sound, hashtag, tagged account, place; newest first, then by id.
  CREATE TABLE post_lists (
    platform TEXT NOT NULL,
    list     TEXT NOT NULL,
    key      TEXT NOT NULL,
    at       INTEGER NOT NULL,
    post_id  TEXT NOT NULL,
    record   INTEGER NOT NULL,
    PRIMARY KEY (platform, list, key, at DESC, post_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE comments (
    platform    TEXT NOT NULL,
    post_id     TEXT NOT NULL,
    id          TEXT NOT NULL,
    parent_id   TEXT,
    author_id   TEXT,
    at          INTEGER NOT NULL,
    likes       INTEGER NOT NULL,
    header      TEXT NOT NULL,
    native      TEXT NOT NULL,
    captured_at INTEGER NOT NULL,
    source      TEXT NOT NULL,
    digest      TEXT,
    rendered    TEXT,
    PRIMARY KEY (platform, post_id, id)
  ) STRICT;
  CREATE INDEX comments_newest ON comments (platform, post_id, at DESC, id) WHERE parent_id IS NULL;
  CREATE INDEX comments_top ON comments (platform, post_id, likes DESC, at DESC, id) WHERE parent_id IS NULL;
  -- The replies to a comment, in the order of a conversation.
  CREATE INDEX comments_replies ON comments (platform, post_id, parent_id, at, id) WHERE parent_id IS NOT NULL;
  CREATE INDEX comments_by_source ON comments (platform, source, captured_at);
  -- Comments by accounts known by name only (ids that begin with @); they move when the real id becomes known.
  CREATE INDEX comments_provisional ON comments (platform, author_id) WHERE author_id >= '@' AND author_id < 'A';

  CREATE TABLE follows (
    platform    TEXT NOT NULL,
    account_id  TEXT NOT NULL,
    follower_id TEXT NOT NULL,
    at          INTEGER NOT NULL,
    since       INTEGER,
    captured_at INTEGER NOT NULL,
    source      TEXT NOT NULL,
    PRIMARY KEY (platform, account_id, follower_id)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX follows_newest ON follows (platform, account_id, at DESC, follower_id);
  CREATE INDEX follows_by_follower ON follows (platform, follower_id);

  CREATE TABLE subtitles (
    platform    TEXT NOT NULL,
    post_id     TEXT NOT NULL,
    language    TEXT NOT NULL,
    automatic   INTEGER NOT NULL,
    lines       TEXT NOT NULL,
    captured_at INTEGER NOT NULL,
    source      TEXT NOT NULL,
    PRIMARY KEY (platform, post_id, language, automatic)
  ) STRICT;

  -- Rankings published by the platform, one row per entry. Ranks order a day's chart and may have gaps.
  CREATE TABLE chart_entries (
    platform    TEXT NOT NULL,
    country     TEXT NOT NULL,
    section     TEXT NOT NULL,
    day         TEXT NOT NULL,
    rank        INTEGER NOT NULL,
    post_id     TEXT NOT NULL,
    captured_at INTEGER NOT NULL,
    source      TEXT NOT NULL,
    PRIMARY KEY (platform, country, section, day, rank)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX chart_entries_by_post ON chart_entries (platform, post_id);

  -- The history of counters: one row per capture.
  CREATE TABLE counter_points (
    platform    TEXT NOT NULL,
    kind        TEXT NOT NULL,
    id          TEXT NOT NULL,
    captured_at INTEGER NOT NULL,
    counters    TEXT NOT NULL,
    PRIMARY KEY (platform, kind, id, captured_at)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX counter_points_by_time ON counter_points (platform, kind, captured_at);

  -- Keyed digests of erased ids, so that a later import does not bring them back; kind 'key' has the key: erasure/keys.ts.
  CREATE TABLE erased (
    platform TEXT NOT NULL,
    kind     TEXT NOT NULL,
    id       TEXT NOT NULL,
    at       INTEGER NOT NULL,
    PRIMARY KEY (platform, kind, id)
  ) STRICT, WITHOUT ROWID;

  -- Full-text search: one document per record, comment and subtitle track. sort_key orders by static rank, best first,
  -- then by doc. Tokens come from src/search and are prefixed with the number of the partition (platform and kind), so
  -- that a search never reads the postings of another one.
  CREATE TABLE search_partitions (
    partition INTEGER PRIMARY KEY,
    platform  TEXT NOT NULL,
    kind      TEXT NOT NULL,
    UNIQUE (platform, kind)
  ) STRICT;
  CREATE TABLE search_docs (
    sort_key     INTEGER PRIMARY KEY,
    partition    INTEGER NOT NULL REFERENCES search_partitions (partition),
    id           TEXT NOT NULL,
    at           INTEGER NOT NULL,
    engagement   REAL NOT NULL,
    views        INTEGER NOT NULL,
    likes        INTEGER NOT NULL,
    author       TEXT,
    language     TEXT,
    country      TEXT,
    title        TEXT NOT NULL,
    tags         TEXT NOT NULL,
    text         TEXT NOT NULL,
    filter_terms TEXT NOT NULL,
    UNIQUE (partition, id)
  ) STRICT;
  CREATE VIRTUAL TABLE search_index USING fts5 (
    title, tags, text, filter_terms, content = '', columnsize = 0, tokenize = "ascii tokenchars '#@_.:='"
  );
  -- Deletes a document's tokens from the index immediately, so that erased words leave no bytes behind.
  INSERT INTO search_index (search_index, rank) VALUES ('secure-delete', 1);
  -- Large enough to hold a batch, which then makes one segment and leaves fewer to merge.
  INSERT INTO search_index (search_index, rank) VALUES ('hashsize', 8388608);
  -- Document frequency of each word, for prefix search and typo correction. reversed is the word from its end, if it may
  -- be a compound: see word-endings.ts.
  CREATE TABLE search_words (
    partition INTEGER NOT NULL REFERENCES search_partitions (partition),
    word      TEXT NOT NULL,
    docs      INTEGER NOT NULL,
    reversed  TEXT,
    PRIMARY KEY (partition, word)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX search_words_by_end ON search_words (partition, reversed) WHERE reversed IS NOT NULL;
  -- newest is the last document added; documents_version tells when the index must be rebuilt.
  CREATE TABLE search_state (newest INTEGER NOT NULL, documents_version INTEGER NOT NULL) STRICT;
  INSERT INTO search_state (newest, documents_version) VALUES (0, 0);

  -- Rankings by growth, computed in batches: see trends/refresh.ts. A list is a platform, a kind and a country (empty for
  -- all); a ranking is a list and a period in days. Its entries are JSON: see trends/chunks.ts.
  CREATE TABLE trend_chunks (
    list    TEXT NOT NULL,
    period  INTEGER NOT NULL,
    chunk   INTEGER NOT NULL,
    count   INTEGER NOT NULL,
    entries TEXT NOT NULL,
    PRIMARY KEY (list, period, chunk)
  ) STRICT;
  -- What each list was computed for, and when, in Unix milliseconds.
  CREATE TABLE trend_lists (
    name        TEXT NOT NULL PRIMARY KEY,
    version     INTEGER NOT NULL,
    day         INTEGER NOT NULL,
    computed_at INTEGER
  ) STRICT, WITHOUT ROWID;
  -- version counts the transactions that changed posts; the rankings are those of computed_version and day.
  CREATE TABLE trend_state (
    version          INTEGER NOT NULL,
    computed_version INTEGER,
    day              INTEGER,
    computed_at      INTEGER
  ) STRICT;
  INSERT INTO trend_state (version) VALUES (0);

  CREATE TABLE jobs (
    id          TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    origin      TEXT NOT NULL,
    label       TEXT NOT NULL,
    state       TEXT NOT NULL,
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    owner       TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX jobs_newest ON jobs (created_at DESC);
  CREATE INDEX jobs_unfinished ON jobs (fingerprint) WHERE state = 'running';
  CREATE TABLE job_files (
    job_id      TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    number      INTEGER NOT NULL,
    name        TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    state       TEXT NOT NULL,
    position    INTEGER NOT NULL,
    report      TEXT NOT NULL,
    PRIMARY KEY (job_id, name)
  ) STRICT;
  -- An archive may have 100,000 files: the number of the next one is the last entry.
  CREATE INDEX job_files_by_number ON job_files (job_id, number);
  CREATE TABLE job_rejects (
    job_id TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    file   TEXT NOT NULL,
    line   INTEGER,
    reason TEXT NOT NULL,
    PRIMARY KEY (job_id, number)
  ) STRICT, WITHOUT ROWID;
  -- Which importer reads which file. claim_group is a job id, or a key shared by all jobs that watch one folder, so job_id
  -- says which of them reads it.
  CREATE TABLE job_claims (
    claim_group TEXT NOT NULL,
    path        TEXT NOT NULL,
    name        TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    state       TEXT NOT NULL,
    owner       TEXT NOT NULL,
    lease_until INTEGER NOT NULL,
    job_id      TEXT NOT NULL,
    PRIMARY KEY (claim_group, path)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX job_claims_by_job ON job_claims (job_id) WHERE state = 'running';

  -- Which job touched which record, in the order of the touches, and what was stored before: see undo/statements.ts.
  CREATE TABLE job_records (
    platform TEXT NOT NULL,
    kind     TEXT NOT NULL,
    key      TEXT NOT NULL,
    number   INTEGER NOT NULL,
    job_id   TEXT NOT NULL,
    image    TEXT,
    points   TEXT,
    PRIMARY KEY (platform, kind, key, number)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX job_records_by_job ON job_records (job_id);

  CREATE TABLE tokens (
    key_id      TEXT PRIMARY KEY,
    digest      TEXT NOT NULL,
    label       TEXT NOT NULL,
    scopes      TEXT NOT NULL,
    created_at  INTEGER NOT NULL,
    expires_at  INTEGER,
    revoked_at  INTEGER,
    limits      TEXT NOT NULL,
    replaced_by TEXT REFERENCES tokens (key_id)
  ) STRICT, WITHOUT ROWID;

  -- Erasures, exports and administrative acts, each sealed with the one before it: see src/privacy/audit-log.ts.
  CREATE TABLE audit (
    number  INTEGER PRIMARY KEY,
    at      INTEGER NOT NULL,
    actor   TEXT NOT NULL,
    action  TEXT NOT NULL,
    details TEXT NOT NULL,
    seal    TEXT NOT NULL
  ) STRICT;
  -- One row: the seal of the last entry.
  CREATE TABLE audit_head (number INTEGER NOT NULL, seal TEXT NOT NULL) STRICT;

  -- How many days records are kept, by source and kind; an empty text stands for all, no number
  -- for ever. See src/privacy/retention.ts.
  CREATE TABLE retention (
    source TEXT NOT NULL,
    kind   TEXT NOT NULL,
    days   INTEGER,
    PRIMARY KEY (source, kind)
  ) STRICT, WITHOUT ROWID;

  -- Units spent of the budgets of live sources, by key (account is its fingerprint). period is a day, or empty for a
  -- rolling window, in which each distinct item counts once. See sources/port.ts.
  CREATE TABLE source_quota (
    source  TEXT NOT NULL,
    account TEXT NOT NULL,
    budget  TEXT NOT NULL,
    period  TEXT NOT NULL,
    item    TEXT NOT NULL,
    used    INTEGER NOT NULL,
    at      INTEGER NOT NULL,
    PRIMARY KEY (source, account, budget, period, item)
  ) STRICT, WITHOUT ROWID;
  -- Calls in progress.
  CREATE TABLE source_calls (
    source      TEXT NOT NULL,
    id          TEXT NOT NULL,
    lease_until INTEGER NOT NULL,
    PRIMARY KEY (source, id)
  ) STRICT, WITHOUT ROWID;
  -- When each request to a source was last made, and by whom it is being made.
  CREATE TABLE source_fetches (
    source      TEXT NOT NULL,
    request     TEXT NOT NULL,
    owner       TEXT NOT NULL,
    lease_until INTEGER NOT NULL,
    result      TEXT,
    ended_at    INTEGER NOT NULL,
    PRIMARY KEY (source, request)
  ) STRICT, WITHOUT ROWID;

  -- What live sources are asked for again and again, and which process runs the watches of a source.
  CREATE TABLE watches (
    id           TEXT PRIMARY KEY,
    platform     TEXT NOT NULL,
    kind         TEXT NOT NULL,
    target       TEXT NOT NULL,
    every_ms     INTEGER NOT NULL,
    state        TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    next_at      INTEGER NOT NULL,
    last_at      INTEGER,
    last_outcome TEXT,
    runs         INTEGER NOT NULL,
    UNIQUE (platform, kind, target)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE watch_leases (
    source      TEXT PRIMARY KEY,
    owner       TEXT NOT NULL,
    lease_until INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Estimated sizes: the rows of the table, then those with equal first columns. Without them, SQLite takes the primary key
  -- for as good as an index on a later column, and reads all rows of a platform.
  ANALYZE sqlite_schema;
  DELETE FROM sqlite_stat1 WHERE tbl IN ('follows', 'chart_entries');
  INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
    ('follows', 'follows', '1000000 333333 100 1'),
    ('follows', 'follows_newest', '1000000 333333 100 10 1'),
    ('follows', 'follows_by_follower', '1000000 333333 10 1'),
    ('chart_entries', 'chart_entries', '1000000 333333 30000 10000 50 1'),
    ('chart_entries', 'chart_entries_by_post', '1000000 333333 20 20 20 20 1');
  -- Loads them.
  ANALYZE sqlite_schema;
  `,
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
