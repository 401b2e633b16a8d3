-- The first released schema, version 22: never edited.
PRAGMA application_id = 1416784240;
PRAGMA user_version = 22;
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
CREATE INDEX records_by_source ON records (platform, kind, source, captured_at);
CREATE TABLE rendered_records (
  id          INTEGER PRIMARY KEY,
  captured_at INTEGER NOT NULL,
  digest      TEXT NOT NULL,
  json        TEXT NOT NULL
) STRICT;
CREATE TRIGGER record_deleted AFTER DELETE ON records BEGIN
  DELETE FROM rendered_records WHERE id >= old.number * 4 AND id < old.number * 4 + 4;
END;
CREATE TABLE rendered_projections (
  platform TEXT NOT NULL,
  kind     TEXT NOT NULL,
  slot     INTEGER NOT NULL,
  name     TEXT NOT NULL,
  version  INTEGER NOT NULL,
  PRIMARY KEY (platform, kind, slot)
) STRICT, WITHOUT ROWID;
CREATE TABLE account_names (
  platform    TEXT NOT NULL,
  name        TEXT NOT NULL,
  id          TEXT NOT NULL,
  captured_at INTEGER NOT NULL,
  PRIMARY KEY (platform, name, id)
) STRICT, WITHOUT ROWID;
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
CREATE INDEX comments_replies ON comments (platform, post_id, parent_id, at, id) WHERE parent_id IS NOT NULL;
CREATE INDEX comments_by_source ON comments (platform, source, captured_at);
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
CREATE TABLE counter_points (
  platform    TEXT NOT NULL,
  kind        TEXT NOT NULL,
  id          TEXT NOT NULL,
  captured_at INTEGER NOT NULL,
  counters    TEXT NOT NULL,
  PRIMARY KEY (platform, kind, id, captured_at)
) STRICT, WITHOUT ROWID;
CREATE INDEX counter_points_by_time ON counter_points (platform, kind, captured_at);
CREATE TABLE erased (
  platform TEXT NOT NULL,
  kind     TEXT NOT NULL,
  id       TEXT NOT NULL,
  at       INTEGER NOT NULL,
  PRIMARY KEY (platform, kind, id)
) STRICT, WITHOUT ROWID;
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
INSERT INTO search_index (search_index, rank) VALUES ('secure-delete', 1);
INSERT INTO search_index (search_index, rank) VALUES ('hashsize', 8388608);
CREATE TABLE search_words (
  partition INTEGER NOT NULL REFERENCES search_partitions (partition),
  word      TEXT NOT NULL,
  docs      INTEGER NOT NULL,
  reversed  TEXT,
  PRIMARY KEY (partition, word)
) STRICT, WITHOUT ROWID;
CREATE INDEX search_words_by_end ON search_words (partition, reversed) WHERE reversed IS NOT NULL;
CREATE TABLE search_state (newest INTEGER NOT NULL, documents_version INTEGER NOT NULL) STRICT;
INSERT INTO search_state (newest, documents_version) VALUES (0, 0);
CREATE TABLE trend_chunks (
  list    TEXT NOT NULL,
  period  INTEGER NOT NULL,
  chunk   INTEGER NOT NULL,
  count   INTEGER NOT NULL,
  entries TEXT NOT NULL,
  PRIMARY KEY (list, period, chunk)
) STRICT;
CREATE TABLE trend_lists (
  name        TEXT NOT NULL PRIMARY KEY,
  version     INTEGER NOT NULL,
  day         INTEGER NOT NULL,
  computed_at INTEGER
) STRICT, WITHOUT ROWID;
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
CREATE INDEX job_files_by_number ON job_files (job_id, number);
CREATE TABLE job_rejects (
  job_id TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  file   TEXT NOT NULL,
  line   INTEGER,
  reason TEXT NOT NULL,
  PRIMARY KEY (job_id, number)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE audit (
  number  INTEGER PRIMARY KEY,
  at      INTEGER NOT NULL,
  actor   TEXT NOT NULL,
  action  TEXT NOT NULL,
  details TEXT NOT NULL,
  seal    TEXT NOT NULL
) STRICT;
CREATE TABLE audit_head (number INTEGER NOT NULL, seal TEXT NOT NULL) STRICT;
CREATE TABLE retention (
  source TEXT NOT NULL,
  kind   TEXT NOT NULL,
  days   INTEGER,
  PRIMARY KEY (source, kind)
) STRICT, WITHOUT ROWID;
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
CREATE TABLE source_calls (
  source      TEXT NOT NULL,
  id          TEXT NOT NULL,
  lease_until INTEGER NOT NULL,
  PRIMARY KEY (source, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE source_fetches (
  source      TEXT NOT NULL,
  request     TEXT NOT NULL,
  owner       TEXT NOT NULL,
  lease_until INTEGER NOT NULL,
  result      TEXT,
  ended_at    INTEGER NOT NULL,
  PRIMARY KEY (source, request)
) STRICT, WITHOUT ROWID;
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
ANALYZE sqlite_schema;
DELETE FROM sqlite_stat1 WHERE tbl IN ('follows', 'chart_entries');
INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES
  ('follows', 'follows', '1000000 333333 100 1'),
  ('follows', 'follows_newest', '1000000 333333 100 10 1'),
  ('follows', 'follows_by_follower', '1000000 333333 10 1'),
  ('chart_entries', 'chart_entries', '1000000 333333 30000 10000 50 1'),
  ('chart_entries', 'chart_entries_by_post', '1000000 333333 20 20 20 20 1');
ANALYZE sqlite_schema;
