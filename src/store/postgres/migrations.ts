/**
 * The store's tables on PostgreSQL, in the order they came to be. Append only: a migration that has shipped is never
 * edited. Every table begins its key with the column it would be distributed by, and every text that is compared or
 * sorted says so by bytes, whatever the database's own language. Jobs and tokens are few and stay where they are.
 */
export const MIGRATIONS: readonly string[] = [
  `
  -- Accounts, posts, sounds, hashtags, places. The header is what we query, the native object what the platform said:
  -- JSON that the server never looks into.
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

  -- Folded account names, each pointing to the account that was captured last under it.
  CREATE TABLE account_names (
    name        text COLLATE "C" NOT NULL,
    platform    text COLLATE "C" NOT NULL,
    id          text COLLATE "C" NOT NULL,
    captured_at bigint NOT NULL,
    PRIMARY KEY (name, platform)
  );

  -- Every list that a post stands in: by author, sound, hashtag, tagged account, place. The time is kept negated, so
  -- that newest first, then by id, is the key's own order.
  CREATE TABLE post_lists (
    key      text COLLATE "C" NOT NULL,
    platform text COLLATE "C" NOT NULL,
    list     text COLLATE "C" NOT NULL,
    minus_at bigint NOT NULL,
    post_id  text COLLATE "C" NOT NULL,
    PRIMARY KEY (key, platform, list, minus_at, post_id)
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
    PRIMARY KEY (post_id, platform, id)
  );
  CREATE INDEX comments_newest ON comments (post_id, platform, at DESC, id) WHERE parent_id IS NULL;
  CREATE INDEX comments_top ON comments (post_id, platform, likes DESC, at DESC, id) WHERE parent_id IS NULL;
  -- People known by name only, whose comments move when their id becomes known: ids that begin with @.
  CREATE INDEX comments_provisional ON comments (author_id, platform) WHERE author_id >= '@' AND author_id < 'A';

  CREATE TABLE follows (
    account_id  text COLLATE "C" NOT NULL,
    platform    text COLLATE "C" NOT NULL,
    follower_id text COLLATE "C" NOT NULL,
    at          bigint NOT NULL,
    since       bigint,
    captured_at bigint NOT NULL,
    source      text COLLATE "C" NOT NULL,
    PRIMARY KEY (account_id, platform, follower_id)
  );
  CREATE INDEX follows_newest ON follows (account_id, platform, at DESC, follower_id);
  CREATE INDEX follows_by_follower ON follows (follower_id, platform);

  CREATE TABLE subtitles (
    post_id     text COLLATE "C" NOT NULL,
    platform    text COLLATE "C" NOT NULL,
    language    text COLLATE "C" NOT NULL,
    automatic   boolean NOT NULL,
    lines       text NOT NULL,
    captured_at bigint NOT NULL,
    source      text COLLATE "C" NOT NULL,
    PRIMARY KEY (post_id, platform, language, automatic)
  );

  -- A platform's own rankings, an entry a row; ranks order a day's chart and need not be dense. A chart is named by
  -- platform, country and section in one text, so that all of it lies together.
  CREATE TABLE chart_entries (
    chart       text COLLATE "C" NOT NULL,
    day         text COLLATE "C" NOT NULL,
    rank        bigint NOT NULL,
    platform    text COLLATE "C" NOT NULL,
    post_id     text COLLATE "C" NOT NULL,
    captured_at bigint NOT NULL,
    source      text COLLATE "C" NOT NULL,
    PRIMARY KEY (chart, day, rank)
  );

  -- One row for each distinct set of counters that a capture showed.
  CREATE TABLE counter_points (
    id          text COLLATE "C" NOT NULL,
    platform    text COLLATE "C" NOT NULL,
    kind        text COLLATE "C" NOT NULL,
    captured_at bigint NOT NULL,
    counters    text NOT NULL,
    PRIMARY KEY (id, platform, kind, captured_at)
  );
  CREATE INDEX counter_points_by_time ON counter_points (captured_at) WHERE kind = 'post';

  -- What was erased stays erased: nothing but the id is kept, to refuse it when it is imported again.
  CREATE TABLE erased (
    id       text COLLATE "C" NOT NULL,
    platform text COLLATE "C" NOT NULL,
    kind     text COLLATE "C" NOT NULL,
    at       bigint NOT NULL,
    PRIMARY KEY (id, platform, kind)
  );

  -- Text search: a document for each record, comment and track of subtitles. Its place is its standing, best first,
  -- then its number. The tokens are those of src/search, each with the number of its scope, a platform and a kind.
  CREATE TABLE search_docs (
    id         text COLLATE "C" NOT NULL,
    platform   text COLLATE "C" NOT NULL,
    kind       text COLLATE "C" NOT NULL,
    doc        bigint NOT NULL,
    place      bigint NOT NULL,
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
  CREATE INDEX search_docs_by_place ON search_docs (platform, kind, place);
  -- Every word that is written, and in how many documents: for words that begin alike and for typing mistakes.
  CREATE TABLE search_words (
    word     text COLLATE "C" NOT NULL,
    platform text COLLATE "C" NOT NULL,
    kind     text COLLATE "C" NOT NULL,
    docs     bigint NOT NULL,
    PRIMARY KEY (word, platform, kind)
  ) WITH (fillfactor = 60);
  CREATE TABLE search_scopes (
    platform text COLLATE "C" NOT NULL,
    kind     text COLLATE "C" NOT NULL,
    scope    bigint NOT NULL UNIQUE,
    PRIMARY KEY (platform, kind)
  );
  CREATE TABLE search_state (newest bigint NOT NULL);
  INSERT INTO search_state (newest) VALUES (0);

  -- Rankings by growth. A list is a platform, a kind of thing and a country (none: all together). The numbers of all
  -- that gained anything in the last 240 days; a ranking is an index of them.
  CREATE TABLE trend_sums (
    list       text COLLATE "C" NOT NULL,
    key        text COLLATE "C" NOT NULL,
    gain_7     bigint NOT NULL,
    gain_30    bigint NOT NULL,
    gain_120   bigint NOT NULL,
    before_7   bigint NOT NULL,
    before_30  bigint NOT NULL,
    before_120 bigint NOT NULL,
    posts_7    bigint NOT NULL,
    posts_30   bigint NOT NULL,
    posts_120  bigint NOT NULL,
    PRIMARY KEY (list, key)
  );
  CREATE INDEX trend_sums_7 ON trend_sums (list, gain_7 DESC, key) WHERE gain_7 > 0;
  CREATE INDEX trend_sums_30 ON trend_sums (list, gain_30 DESC, key) WHERE gain_30 > 0;
  CREATE INDEX trend_sums_120 ON trend_sums (list, gain_120 DESC, key) WHERE gain_120 > 0;
  CREATE INDEX trend_sums_before_7 ON trend_sums (list, before_7 DESC, key) WHERE before_7 > 0;
  CREATE INDEX trend_sums_before_30 ON trend_sums (list, before_30 DESC, key) WHERE before_30 > 0;
  CREATE INDEX trend_sums_before_120 ON trend_sums (list, before_120 DESC, key) WHERE before_120 > 0;
  -- What hashtags and sounds gained by day, as each period counts it.
  CREATE TABLE trend_days (
    list      text COLLATE "C" NOT NULL,
    key       text COLLATE "C" NOT NULL,
    day       bigint NOT NULL,
    value_7   bigint NOT NULL,
    value_30  bigint NOT NULL,
    value_120 bigint NOT NULL,
    PRIMARY KEY (list, key, day)
  );
  -- Posts that were written and are still to be counted, with what the numbers hold of them.
  CREATE TABLE trend_uncounted (
    platform text COLLATE "C" NOT NULL,
    id       text COLLATE "C" NOT NULL,
    counted  text,
    PRIMARY KEY (platform, id)
  );
  -- The day that the numbers are of. No row: they are still to be computed from what is held.
  CREATE TABLE trend_state (day bigint NOT NULL);

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
    job_id   text COLLATE "C" NOT NULL,
    number   bigint NOT NULL,
    name     text COLLATE "C" NOT NULL,
    stamp    text NOT NULL,
    state    text NOT NULL,
    position bigint NOT NULL,
    report   text NOT NULL,
    PRIMARY KEY (job_id, name)
  );
  CREATE TABLE job_rejects (
    job_id text COLLATE "C" NOT NULL,
    number bigint NOT NULL,
    file   text COLLATE "C" NOT NULL,
    line   bigint,
    reason text NOT NULL,
    PRIMARY KEY (job_id, number)
  );

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
  `,
  `
  -- What each token may still ask, for all nodes together, and what the last lease granted. Few rows, many versions of
  -- each: room on the page keeps them in place.
  CREATE TABLE rate_buckets (
    key_id        text COLLATE "C" PRIMARY KEY,
    level         bigint NOT NULL,
    refilled_at   bigint NOT NULL,
    leased        bigint NOT NULL,
    day           bigint NOT NULL,
    used          bigint NOT NULL,
    granted_burst bigint NOT NULL,
    granted_daily bigint NOT NULL
  ) WITH (fillfactor = 50);
  -- What all nodes must have alike.
  CREATE TABLE agreements (
    name  text COLLATE "C" PRIMARY KEY,
    value text NOT NULL
  );
  `,
  `
  -- Who reads which file of an import. The scope is a job, or stands for all jobs on one watched folder.
  CREATE TABLE job_claims (
    scope       text COLLATE "C" NOT NULL,
    path        text COLLATE "C" NOT NULL,
    name        text NOT NULL,
    stamp       text NOT NULL,
    state       text NOT NULL,
    owner       text COLLATE "C" NOT NULL,
    lease_until bigint NOT NULL,
    PRIMARY KEY (scope, path)
  ) WITH (fillfactor = 70);
  `,
  `
  -- Tells this store from others, for copies that go on where they were.
  CREATE TABLE store_identity (id text NOT NULL);
  INSERT INTO store_identity (id) VALUES (replace(gen_random_uuid()::text, '-', ''));
  -- Of a copy into this store that is not finished: how far each table is.
  CREATE TABLE copy_progress (
    name     text COLLATE "C" PRIMARY KEY,
    progress text NOT NULL
  );
  `,
  `
  -- No question is planned by what these texts hold, and counting them is most of what ANALYZE has to do.
  ALTER TABLE records ALTER header SET STATISTICS 0, ALTER native SET STATISTICS 0;
  ALTER TABLE comments ALTER header SET STATISTICS 0, ALTER native SET STATISTICS 0;
  ALTER TABLE subtitles ALTER lines SET STATISTICS 0;
  ALTER TABLE counter_points ALTER counters SET STATISTICS 0;
  ALTER TABLE search_docs ALTER title SET STATISTICS 0, ALTER tags SET STATISTICS 0, ALTER text SET STATISTICS 0;
  `,
  `
  -- Words of documents that were written and are still to be counted: those of a scope that one transaction wrote are
  -- one row, with spaces between, beside the number of documents that each counts for.
  CREATE TABLE search_uncounted (
    platform text COLLATE "C" NOT NULL,
    kind     text COLLATE "C" NOT NULL,
    size     bigint NOT NULL,
    words    text NOT NULL,
    docs     text NOT NULL
  );
  `,
  `
  -- What each token has left, for all nodes together, as of the last report of any of them. Few rows, many versions of
  -- each: room on the page keeps them in place.
  DROP TABLE rate_buckets;
  CREATE TABLE rate_balances (
    key_id      text COLLATE "C" PRIMARY KEY,
    burst       bigint NOT NULL,
    level       bigint NOT NULL,
    refilled_at bigint NOT NULL,
    day         bigint NOT NULL,
    used        bigint NOT NULL
  ) WITH (fillfactor = 50);
  -- A limit of a token has got its field's name.
  UPDATE tokens SET limits = replace(limits, '"parallel":', '"concurrency":');
  `,
];
