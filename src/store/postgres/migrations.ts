/**
 * The PostgreSQL schema. Append migrations; never edit one that was released. Each table's key begins with the column
 * that Citus would distribute it by, and texts that are compared or sorted use COLLATE "C", so that the database's
 * locale does not matter.
 */

/** The version of the first schema below; unreleased schemas before it are refused. */
export const FIRST_VERSION = 25;

export const MIGRATIONS: readonly string[] = [
  `
  -- Accounts, posts, sounds, hashtags, places. The header holds what we query, native what the platform sent; both are
  -- JSON text that the server never parses. Writers work side by side: docs/decisions/0026-writers-side-by-side.md. A row
  -- is replaced only if it still has the version that its writer read.
  CREATE TABLE records (
    id          text COLLATE "C" NOT NULL,
    platform    text COLLATE "C" NOT NULL,
    kind        text COLLATE "C" NOT NULL,
    header      text NOT NULL,
    native      text NOT NULL,
    captured_at bigint NOT NULL,
    source      text COLLATE "C" NOT NULL,
    version     bigint NOT NULL,
    PRIMARY KEY (id, platform, kind)
  );
  -- What a source has captured and when: for counts, and for whatever deletes by source and age.
  CREATE INDEX records_by_source ON records (platform, kind, source, captured_at);

  -- Folded names of all accounts, with the capture time of the account. Several may have one name, since captures are of
  -- different times: it belongs to the one captured last.
  CREATE TABLE account_names (
    name        text COLLATE "C" NOT NULL,
    platform    text COLLATE "C" NOT NULL,
    id          text COLLATE "C" NOT NULL,
    captured_at bigint NOT NULL,
    PRIMARY KEY (name, platform, id)
  );

  -- The lists a post belongs to: by author, sound, hashtag, tagged account, place. sort_key is the negated publication
  -- time, so that the primary key is in list order: newest first, then by id.
  CREATE TABLE post_lists (
    key      text COLLATE "C" NOT NULL,
    platform text COLLATE "C" NOT NULL,
    list     text COLLATE "C" NOT NULL,
    sort_key bigint NOT NULL,
    post_id  text COLLATE "C" NOT NULL,
    PRIMARY KEY (key, platform, list, sort_key, post_id)
  );

  CREATE TABLE comments (
    post_id     text COLLATE "C" NOT NULL,
    platform    text COLLATE "C" NOT NULL,
    id          text COLLATE "C" NOT NULL,
    parent_id   text COLLATE "C",
    author_id   text COLLATE "C",
    at          bigint NOT NULL,
    likes       bigint NOT NULL,
    header      text NOT NULL,
    native      text NOT NULL,
    captured_at bigint NOT NULL,
    source      text COLLATE "C" NOT NULL,
    version     bigint NOT NULL DEFAULT 1,
    PRIMARY KEY (post_id, platform, id)
  );
  CREATE INDEX comments_newest ON comments (post_id, platform, at DESC, id) WHERE parent_id IS NULL;
  CREATE INDEX comments_top ON comments (post_id, platform, likes DESC, at DESC, id) WHERE parent_id IS NULL;
  -- The replies to a comment, in the order of a conversation.
  CREATE INDEX comments_replies ON comments (post_id, platform, parent_id, at, id) WHERE parent_id IS NOT NULL;
  CREATE INDEX comments_by_source ON comments (platform, source, captured_at);
  -- Comments of accounts known by name only (ids that begin with @): they move when the account's id becomes known.
  CREATE INDEX comments_provisional ON comments (author_id, platform) WHERE author_id >= '@' AND author_id < 'A';

  CREATE TABLE follows (
    account_id  text COLLATE "C" NOT NULL,
    platform    text COLLATE "C" NOT NULL,
    follower_id text COLLATE "C" NOT NULL,
    at          bigint NOT NULL,
    since       bigint,
    captured_at bigint NOT NULL,
    source      text COLLATE "C" NOT NULL,
    version     bigint NOT NULL DEFAULT 1,
    PRIMARY KEY (account_id, platform, follower_id)
  );
  CREATE INDEX follows_newest ON follows (account_id, platform, at DESC, follower_id);
  -- Whom somebody follows, newest first.
  CREATE INDEX follows_by_follower ON follows (follower_id, platform, at DESC, account_id);

  CREATE TABLE subtitles (
    post_id     text COLLATE "C" NOT NULL,
    platform    text COLLATE "C" NOT NULL,
    language    text COLLATE "C" NOT NULL,
    automatic   boolean NOT NULL,
    lines       text NOT NULL,
    captured_at bigint NOT NULL,
    source      text COLLATE "C" NOT NULL,
    version     bigint NOT NULL DEFAULT 1,
    PRIMARY KEY (post_id, platform, language, automatic)
  );

  -- A platform's own charts, one row per entry; ranks may have gaps. A chart's name is platform, country and section in
  -- one text, so that Citus keeps a chart on one machine.
  CREATE TABLE chart_entries (
    chart       text COLLATE "C" NOT NULL,
    day         text COLLATE "C" NOT NULL,
    rank        bigint NOT NULL,
    platform    text COLLATE "C" NOT NULL,
    post_id     text COLLATE "C" NOT NULL,
    captured_at bigint NOT NULL,
    source      text COLLATE "C" NOT NULL,
    version     bigint NOT NULL DEFAULT 1,
    PRIMARY KEY (chart, day, rank)
  );
  CREATE INDEX chart_entries_by_post ON chart_entries (post_id, platform);

  -- One row per capture of a record's counters.
  CREATE TABLE counter_points (
    id          text COLLATE "C" NOT NULL,
    platform    text COLLATE "C" NOT NULL,
    kind        text COLLATE "C" NOT NULL,
    captured_at bigint NOT NULL,
    counters    text NOT NULL,
    PRIMARY KEY (id, platform, kind, captured_at)
  );
  CREATE INDEX counter_points_by_time ON counter_points (captured_at) WHERE kind = 'post';

  -- Keyed digests of erased ids, so that later imports skip them; kind 'key' has the key: erasure/keys.ts.
  CREATE TABLE erased (
    id       text COLLATE "C" NOT NULL,
    platform text COLLATE "C" NOT NULL,
    kind     text COLLATE "C" NOT NULL,
    at       bigint NOT NULL,
    PRIMARY KEY (id, platform, kind)
  );

  -- Full-text search: one document per record, comment and subtitle track. sort_key orders by static rank, best first,
  -- then by doc. Tokens come from src/search and are prefixed with the partition (platform and kind).
  CREATE TABLE search_docs (
    id         text COLLATE "C" NOT NULL,
    platform   text COLLATE "C" NOT NULL,
    kind       text COLLATE "C" NOT NULL,
    doc        bigint NOT NULL,
    sort_key   bigint NOT NULL,
    at         bigint NOT NULL,
    engagement double precision NOT NULL,
    views      bigint NOT NULL,
    likes      bigint NOT NULL,
    author     text COLLATE "C",
    language   text COLLATE "C",
    country    text COLLATE "C",
    title      text COLLATE "C" NOT NULL,
    tags       text COLLATE "C" NOT NULL,
    text       text COLLATE "C" NOT NULL,
    tokens     tsvector NOT NULL,
    PRIMARY KEY (id, platform, kind)
  );
  CREATE INDEX search_docs_by_token ON search_docs USING gin (tokens);
  CREATE INDEX search_docs_by_rank ON search_docs (platform, kind, sort_key);
  -- A sequence, which no writer holds until it commits.
  CREATE SEQUENCE search_doc_numbers;
  -- Document frequency of each word, for prefix search and typo correction. Words are read by ranges within a partition:
  -- from their start, and compounds from their end (see word-endings.ts).
  CREATE TABLE search_words (
    word     text COLLATE "C" NOT NULL,
    platform text COLLATE "C" NOT NULL,
    kind     text COLLATE "C" NOT NULL,
    docs     bigint NOT NULL,
    PRIMARY KEY (platform, kind, word)
  ) WITH (fillfactor = 60);
  CREATE INDEX search_words_by_end ON search_words (platform, kind, reverse(word)) WHERE length(word) >= 7;
  -- Word counts of long imports that are not in search_words yet: one row per transaction and partition, with words and
  -- docs as space-separated lists of equal length.
  CREATE TABLE search_pending (
    platform text COLLATE "C" NOT NULL,
    kind     text COLLATE "C" NOT NULL,
    size     bigint NOT NULL,
    words    text NOT NULL,
    docs     text NOT NULL
  );
  CREATE TABLE search_partitions (
    platform  text COLLATE "C" NOT NULL,
    kind      text COLLATE "C" NOT NULL,
    partition bigint NOT NULL UNIQUE,
    PRIMARY KEY (platform, kind)
  );

  -- Rankings by growth, computed in batches: see trends/refresh.ts. A list is a platform, a kind and a country (empty for
  -- all); a ranking is a list and a period in days. Its entries are JSON: see trends/chunks.ts.
  CREATE TABLE trend_chunks (
    list    text COLLATE "C" NOT NULL,
    period  bigint NOT NULL,
    chunk   bigint NOT NULL,
    count   bigint NOT NULL,
    entries text NOT NULL,
    PRIMARY KEY (list, period, chunk)
  );
  -- The day that each list was computed for, and when, in Unix milliseconds.
  CREATE TABLE trend_lists (
    name        text COLLATE "C" PRIMARY KEY,
    day         bigint NOT NULL,
    computed_at bigint
  );
  -- version counts the transactions that changed posts; the rankings are those of computed_version and day.
  CREATE TABLE trend_state (version bigint NOT NULL, computed_version bigint, day bigint, computed_at bigint);
  INSERT INTO trend_state (version) VALUES (0);
  -- Changes of posts that are not in trend_state.version yet: a row per transaction, so that no writer waits for another.
  CREATE TABLE trend_changes (changes bigint NOT NULL);

  CREATE TABLE jobs (
    id          text COLLATE "C" PRIMARY KEY,
    fingerprint text COLLATE "C" NOT NULL,
    origin      text NOT NULL,
    label       text NOT NULL,
    state       text COLLATE "C" NOT NULL,
    created_at  bigint NOT NULL,
    updated_at  bigint NOT NULL,
    owner       text NOT NULL
  );
  CREATE INDEX jobs_newest ON jobs (created_at DESC, id);
  CREATE INDEX jobs_unfinished ON jobs (fingerprint) WHERE state = 'running';
  CREATE TABLE job_files (
    job_id      text COLLATE "C" NOT NULL,
    number      bigint NOT NULL,
    name        text COLLATE "C" NOT NULL,
    fingerprint text NOT NULL,
    state       text NOT NULL,
    position    bigint NOT NULL,
    report      text NOT NULL,
    PRIMARY KEY (job_id, name)
  );
  -- An archive may have 100,000 files: the number of the next one is the last entry.
  CREATE INDEX job_files_by_number ON job_files (job_id, number);
  CREATE TABLE job_rejects (
    job_id text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
    file   text COLLATE "C" NOT NULL,
    line   bigint,
    reason text NOT NULL,
    PRIMARY KEY (job_id, number)
  );

  -- Which importer reads which file. claim_group is a job id, or a key shared by all jobs that watch one folder, so job_id
  -- says which of them reads it.
  CREATE TABLE job_claims (
    claim_group text COLLATE "C" NOT NULL,
    path        text COLLATE "C" NOT NULL,
    name        text NOT NULL,
    fingerprint text NOT NULL,
    state       text NOT NULL,
    owner       text COLLATE "C" NOT NULL,
    lease_until bigint NOT NULL,
    job_id      text COLLATE "C" NOT NULL,
    PRIMARY KEY (claim_group, path)
  ) WITH (fillfactor = 70);
  CREATE INDEX job_claims_by_job ON job_claims (job_id) WHERE state = 'running';
  -- Which job touched which record, in the order of the touches, and what was stored before: see undo/statements.ts.
  CREATE TABLE job_records (
    key      text COLLATE "C" NOT NULL,
    platform text COLLATE "C" NOT NULL,
    kind     text COLLATE "C" NOT NULL,
    number   bigint NOT NULL,
    job_id   text COLLATE "C" NOT NULL,
    image    text,
    points   text,
    PRIMARY KEY (key, platform, kind, number)
  );
  CREATE INDEX job_records_by_job ON job_records (job_id);

  CREATE TABLE tokens (
    key_id      text COLLATE "C" PRIMARY KEY,
    digest      text NOT NULL,
    label       text NOT NULL,
    scopes      text NOT NULL,
    created_at  bigint NOT NULL,
    expires_at  bigint,
    revoked_at  bigint,
    limits      text NOT NULL,
    replaced_by text COLLATE "C"
  );

  -- What each token has left across all nodes. Few rows, updated often: the free space on each page keeps updates in
  -- place (HOT).
  CREATE TABLE rate_balances (
    key_id      text COLLATE "C" PRIMARY KEY,
    burst       bigint NOT NULL,
    level       bigint NOT NULL,
    refilled_at bigint NOT NULL,
    day         bigint NOT NULL,
    used        bigint NOT NULL
  ) WITH (fillfactor = 50);

  -- Requests of tokens by UTC day and operation.
  CREATE TABLE token_usage (
    key_id        text COLLATE "C" NOT NULL,
    day           text COLLATE "C" NOT NULL,
    operation     text COLLATE "C" NOT NULL,
    requests      bigint NOT NULL,
    client_errors bigint NOT NULL,
    server_errors bigint NOT NULL,
    PRIMARY KEY (key_id, day, operation)
  );

  -- Settings that all nodes must share, such as the fingerprint of the token pepper.
  CREATE TABLE shared_settings (
    name  text COLLATE "C" PRIMARY KEY,
    value text NOT NULL
  );

  -- Whether the last transactions of writers were committed, for a writer that lost its connection during COMMIT.
  CREATE TABLE write_outcomes (
    id           text COLLATE "C" PRIMARY KEY,
    is_committed boolean NOT NULL,
    at           timestamptz NOT NULL DEFAULT now()
  );

  -- Erasures, exports and administrative acts, each sealed with the one before it: see src/privacy/audit-log.ts.
  CREATE TABLE audit (
    number  bigint PRIMARY KEY,
    at      bigint NOT NULL,
    actor   text NOT NULL,
    action  text NOT NULL,
    details text NOT NULL,
    seal    text NOT NULL
  );
  -- One row: the seal of the last entry.
  CREATE TABLE audit_head (number bigint NOT NULL, seal text NOT NULL);

  -- How many days records are kept, by source and kind; an empty text stands for all, no number
  -- for ever. See src/privacy/retention.ts.
  CREATE TABLE retention (
    source text COLLATE "C" NOT NULL,
    kind   text COLLATE "C" NOT NULL,
    days   bigint,
    PRIMARY KEY (source, kind)
  );

  -- Units spent of the budgets of live sources, by key (account is its fingerprint). period is a day, or empty for a
  -- rolling window, in which each distinct item counts once. See sources/port.ts.
  CREATE TABLE source_quota (
    source  text COLLATE "C" NOT NULL,
    account text COLLATE "C" NOT NULL,
    budget  text COLLATE "C" NOT NULL,
    period  text COLLATE "C" NOT NULL,
    item    text COLLATE "C" NOT NULL,
    used    bigint NOT NULL,
    at      bigint NOT NULL,
    PRIMARY KEY (source, account, budget, period, item)
  ) WITH (fillfactor = 50);
  -- Calls in progress.
  CREATE TABLE source_calls (
    source      text COLLATE "C" NOT NULL,
    id          text COLLATE "C" NOT NULL,
    lease_until bigint NOT NULL,
    PRIMARY KEY (source, id)
  );
  -- When each request to a source was last made, and by whom it is being made.
  CREATE TABLE source_fetches (
    source      text COLLATE "C" NOT NULL,
    request     text COLLATE "C" NOT NULL,
    owner       text NOT NULL,
    lease_until bigint NOT NULL,
    result      text,
    ended_at    bigint NOT NULL,
    PRIMARY KEY (source, request)
  );

  -- What live sources are asked for again and again, and which process runs the watches of a source.
  CREATE TABLE watches (
    id           text COLLATE "C" PRIMARY KEY,
    platform     text COLLATE "C" NOT NULL,
    kind         text COLLATE "C" NOT NULL,
    target       text COLLATE "C" NOT NULL,
    every_ms     bigint NOT NULL,
    state        text NOT NULL,
    created_at   bigint NOT NULL,
    next_at      bigint NOT NULL,
    last_at      bigint,
    last_outcome text,
    runs         bigint NOT NULL,
    UNIQUE (platform, kind, target)
  );
  CREATE TABLE watch_leases (
    source      text COLLATE "C" PRIMARY KEY,
    owner       text NOT NULL,
    lease_until bigint NOT NULL
  );

  -- No query filters by these texts, and sampling them is most of the cost of ANALYZE.
  ALTER TABLE records ALTER header SET STATISTICS 0, ALTER native SET STATISTICS 0;
  ALTER TABLE comments ALTER header SET STATISTICS 0, ALTER native SET STATISTICS 0;
  ALTER TABLE subtitles ALTER lines SET STATISTICS 0;
  ALTER TABLE counter_points ALTER counters SET STATISTICS 0;
  ALTER TABLE search_docs ALTER title SET STATISTICS 0, ALTER tags SET STATISTICS 0, ALTER text SET STATISTICS 0;
  ALTER TABLE job_records ALTER image SET STATISTICS 0, ALTER points SET STATISTICS 0;
  `,
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
