/**
 * The store's tables, in the order they came to be. Append only: a migration that has shipped is never edited.
 * Every table begins its key with what it would be sharded by: the record's own id, or the owner of the list it is in.
 */
export const MIGRATIONS: readonly string[] = [
  `
  -- Accounts, posts, sounds, hashtags, places. The header is what we query, the native object what the platform said.
  CREATE TABLE records (
    platform    TEXT NOT NULL,
    kind        TEXT NOT NULL,
    id          TEXT NOT NULL,
    header      TEXT NOT NULL,
    native      TEXT NOT NULL,
    captured_at INTEGER NOT NULL,
    source      TEXT NOT NULL,
    version     INTEGER NOT NULL,
    PRIMARY KEY (platform, kind, id)
  ) STRICT;

  -- Folded account names, each pointing to the account that was captured last under it.
  CREATE TABLE account_names (
    platform    TEXT NOT NULL,
    name        TEXT NOT NULL,
    id          TEXT NOT NULL,
    captured_at INTEGER NOT NULL,
    PRIMARY KEY (platform, name)
  ) STRICT, WITHOUT ROWID;

  -- Every list that a post stands in: by author, sound, hashtag, tagged account, place; newest first, then by id.
  CREATE TABLE post_lists (
    platform TEXT NOT NULL,
    list     TEXT NOT NULL,
    key      TEXT NOT NULL,
    at       INTEGER NOT NULL,
    post_id  TEXT NOT NULL,
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
    PRIMARY KEY (platform, post_id, id)
  ) STRICT;
  CREATE INDEX comments_newest ON comments (platform, post_id, at DESC, id) WHERE parent_id IS NULL;
  CREATE INDEX comments_top ON comments (platform, post_id, likes DESC, at DESC, id) WHERE parent_id IS NULL;

  -- People known by name only, whose comments move when their id becomes known: ids that begin with @.
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

  -- A platform's own rankings, an entry a row; ranks order a day's chart and need not be dense.
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

  -- One row for each distinct set of counters that a capture showed.
  CREATE TABLE counter_points (
    platform    TEXT NOT NULL,
    kind        TEXT NOT NULL,
    id          TEXT NOT NULL,
    captured_at INTEGER NOT NULL,
    counters    TEXT NOT NULL,
    PRIMARY KEY (platform, kind, id, captured_at)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX counter_points_by_time ON counter_points (platform, kind, captured_at);

  -- Text search. A scope is a platform and a kind; its number is prefixed to every token, so that a search never
  -- reads another scope's postings. The index holds tokens of src/search and nothing else.
  CREATE TABLE search_scopes (
    scope    INTEGER PRIMARY KEY,
    platform TEXT NOT NULL,
    kind     TEXT NOT NULL,
    UNIQUE (platform, kind)
  ) STRICT;
  CREATE TABLE search_docs (
    doc        INTEGER PRIMARY KEY AUTOINCREMENT,
    scope      INTEGER NOT NULL REFERENCES search_scopes (scope),
    id         TEXT NOT NULL,
    at         INTEGER NOT NULL,
    engagement REAL NOT NULL,
    language   TEXT,
    country    TEXT,
    strong     TEXT NOT NULL,
    weak       TEXT NOT NULL,
    UNIQUE (scope, id)
  ) STRICT;
  CREATE VIRTUAL TABLE search_index USING fts5 (
    strong, weak, content = '', prefix = '4 5', tokenize = "ascii tokenchars '#@_.:'"
  );
  -- Deleting a document takes its tokens out of the index at once, so that erased words leave no bytes behind.
  INSERT INTO search_index (search_index, rank) VALUES ('secure-delete', 1);

  -- What was erased stays erased: nothing but the id is kept, to refuse it when it is imported again.
  CREATE TABLE erased (
    platform TEXT NOT NULL,
    kind     TEXT NOT NULL,
    id       TEXT NOT NULL,
    at       INTEGER NOT NULL,
    PRIMARY KEY (platform, kind, id)
  ) STRICT, WITHOUT ROWID;

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
    job_id   TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    number   INTEGER NOT NULL,
    name     TEXT NOT NULL,
    stamp    TEXT NOT NULL,
    state    TEXT NOT NULL,
    position INTEGER NOT NULL,
    report   TEXT NOT NULL,
    PRIMARY KEY (job_id, name)
  ) STRICT;
  CREATE TABLE job_rejects (
    job_id TEXT NOT NULL REFERENCES jobs (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    file   TEXT NOT NULL,
    line   INTEGER,
    reason TEXT NOT NULL,
    PRIMARY KEY (job_id, number)
  ) STRICT, WITHOUT ROWID;

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
  `,
  `
  -- Search, read from the best standing down: a document's place is its standing, then its number. The old index is
  -- filled again from the records when a store is opened; see search-rebuild.ts.
  DROP TABLE search_index;
  DROP TABLE search_docs;
  CREATE TABLE search_docs (
    place      INTEGER PRIMARY KEY,
    scope      INTEGER NOT NULL REFERENCES search_scopes (scope),
    id         TEXT NOT NULL,
    at         INTEGER NOT NULL,
    engagement REAL NOT NULL,
    views      INTEGER NOT NULL,
    likes      INTEGER NOT NULL,
    author     TEXT,
    language   TEXT,
    country    TEXT,
    title      TEXT NOT NULL,
    tags       TEXT NOT NULL,
    text       TEXT NOT NULL,
    marks      TEXT NOT NULL,
    UNIQUE (scope, id)
  ) STRICT;
  CREATE VIRTUAL TABLE search_index USING fts5 (
    title, tags, text, marks, content = '', columnsize = 0, tokenize = "ascii tokenchars '#@_.:='"
  );
  -- Deleting a document takes its tokens out of the index at once, so that erased words leave no bytes behind.
  INSERT INTO search_index (search_index, rank) VALUES ('secure-delete', 1);
  -- A batch is indexed in one piece: fewer pieces to merge later.
  INSERT INTO search_index (search_index, rank) VALUES ('hashsize', 8388608);
  -- Every word that is written, and in how many documents: for words that begin alike and for typing mistakes.
  CREATE TABLE search_words (
    scope INTEGER NOT NULL REFERENCES search_scopes (scope),
    word  TEXT NOT NULL,
    docs  INTEGER NOT NULL,
    PRIMARY KEY (scope, word)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE search_state (newest INTEGER NOT NULL, filled INTEGER NOT NULL) STRICT;
  INSERT INTO search_state (newest, filled) VALUES (0, 0);
  `,
  `
  -- Rankings by growth. A list is a platform, a kind of thing and a country (none: all together); a ranking is a list
  -- and a period. The numbers of all that gained anything in the last 240 days:
  CREATE TABLE trend_sums (
    list       TEXT NOT NULL,
    key        TEXT NOT NULL,
    gain_7     INTEGER NOT NULL,
    gain_30    INTEGER NOT NULL,
    gain_120   INTEGER NOT NULL,
    before_7   INTEGER NOT NULL,
    before_30  INTEGER NOT NULL,
    before_120 INTEGER NOT NULL,
    posts_7    INTEGER NOT NULL,
    posts_30   INTEGER NOT NULL,
    posts_120  INTEGER NOT NULL,
    PRIMARY KEY (list, key)
  ) STRICT, WITHOUT ROWID;
  -- What hashtags and sounds gained by day, as each period counts it.
  CREATE TABLE trend_days (
    list      TEXT NOT NULL,
    key       TEXT NOT NULL,
    day       INTEGER NOT NULL,
    value_7   INTEGER NOT NULL,
    value_30  INTEGER NOT NULL,
    value_120 INTEGER NOT NULL,
    PRIMARY KEY (list, key, day)
  ) STRICT, WITHOUT ROWID;
  -- The head of each ranking: its entries from the floor up.
  CREATE TABLE trend_ranks (
    ranking TEXT NOT NULL,
    value   INTEGER NOT NULL,
    key     TEXT NOT NULL,
    PRIMARY KEY (ranking, value DESC, key)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE trend_heads (
    ranking TEXT NOT NULL PRIMARY KEY,
    floor   INTEGER NOT NULL,
    entries INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  -- Posts that were written and are still to be counted, with what the numbers hold of them.
  CREATE TABLE trend_uncounted (
    platform TEXT NOT NULL,
    id       TEXT NOT NULL,
    counted  TEXT,
    PRIMARY KEY (platform, id)
  ) STRICT, WITHOUT ROWID;
  -- The day that the numbers are of, the day that they go to, and the last capture on the way that was dealt with. No
  -- row: they are still to be computed from what is held.
  CREATE TABLE trend_state (
    one         INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    day         INTEGER,
    goal        INTEGER NOT NULL,
    platform    TEXT NOT NULL,
    captured_at INTEGER NOT NULL,
    id          TEXT NOT NULL
  ) STRICT;
  `,
  `
  -- Tells this store from others, for copies that go on where they were.
  CREATE TABLE store_identity (id TEXT NOT NULL) STRICT;
  INSERT INTO store_identity (id) VALUES (lower(hex(randomblob(16))));
  -- Of a copy into this store that is not finished: how far each table is.
  CREATE TABLE copy_progress (
    name     TEXT NOT NULL PRIMARY KEY,
    progress TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Who reads which file of an import. The scope is a job, or stands for all jobs on one watched folder.
  CREATE TABLE job_claims (
    scope       TEXT NOT NULL,
    path        TEXT NOT NULL,
    name        TEXT NOT NULL,
    stamp       TEXT NOT NULL,
    state       TEXT NOT NULL,
    owner       TEXT NOT NULL,
    lease_until INTEGER NOT NULL,
    PRIMARY KEY (scope, path)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Records have a number that stays theirs, and lists know it: a page is read without asking for ids.
  CREATE TABLE numbered (
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
  INSERT INTO numbered SELECT rowid, * FROM records ORDER BY rowid;
  DROP TABLE records;
  ALTER TABLE numbered RENAME TO records;
  CREATE TABLE listed (
    platform TEXT NOT NULL,
    list     TEXT NOT NULL,
    key      TEXT NOT NULL,
    at       INTEGER NOT NULL,
    post_id  TEXT NOT NULL,
    record   INTEGER NOT NULL,
    PRIMARY KEY (platform, list, key, at DESC, post_id)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO listed SELECT l.*, r.number FROM post_lists l
    JOIN records r ON r.platform = l.platform AND r.kind = 'post' AND r.id = l.post_id;
  DROP TABLE post_lists;
  ALTER TABLE listed RENAME TO post_lists;
  -- What answers show of a record, written out: up to four shapes of it, by its number. See shown-rows.ts.
  CREATE TABLE shown (
    id          INTEGER PRIMARY KEY,
    captured_at INTEGER NOT NULL,
    digest      TEXT NOT NULL,
    text        TEXT NOT NULL
  ) STRICT;
  CREATE TRIGGER record_gone AFTER DELETE ON records BEGIN
    DELETE FROM shown WHERE id >= old.number * 4 AND id < old.number * 4 + 4;
  END;
  ALTER TABLE comments ADD COLUMN digest TEXT;
  ALTER TABLE comments ADD COLUMN shown TEXT;
  -- The shapes that the texts were drawn by.
  CREATE TABLE shown_shapes (
    platform TEXT NOT NULL,
    kind     TEXT NOT NULL,
    slot     INTEGER NOT NULL,
    name     TEXT NOT NULL,
    version  INTEGER NOT NULL,
    PRIMARY KEY (platform, kind, slot)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  UPDATE tokens SET limits = replace(limits, '"parallel":', '"concurrency":');
  `,
];
