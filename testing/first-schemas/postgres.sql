-- The first released schema, version 25: never edited.
CREATE TABLE triptych_store (version bigint NOT NULL);
INSERT INTO triptych_store (version) VALUES (25);
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
CREATE INDEX records_by_source ON records (platform, kind, source, captured_at);
CREATE TABLE account_names (
  name        text COLLATE "C" NOT NULL,
  platform    text COLLATE "C" NOT NULL,
  id          text COLLATE "C" NOT NULL,
  captured_at bigint NOT NULL,
  PRIMARY KEY (name, platform, id)
);
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
CREATE INDEX comments_replies ON comments (post_id, platform, parent_id, at, id) WHERE parent_id IS NOT NULL;
CREATE INDEX comments_by_source ON comments (platform, source, captured_at);
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
CREATE TABLE counter_points (
  id          text COLLATE "C" NOT NULL,
  platform    text COLLATE "C" NOT NULL,
  kind        text COLLATE "C" NOT NULL,
  captured_at bigint NOT NULL,
  counters    text NOT NULL,
  PRIMARY KEY (id, platform, kind, captured_at)
);
CREATE INDEX counter_points_by_time ON counter_points (captured_at) WHERE kind = 'post';
CREATE TABLE erased (
  id       text COLLATE "C" NOT NULL,
  platform text COLLATE "C" NOT NULL,
  kind     text COLLATE "C" NOT NULL,
  at       bigint NOT NULL,
  PRIMARY KEY (id, platform, kind)
);
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
CREATE SEQUENCE search_doc_numbers;
CREATE TABLE search_words (
  word     text COLLATE "C" NOT NULL,
  platform text COLLATE "C" NOT NULL,
  kind     text COLLATE "C" NOT NULL,
  docs     bigint NOT NULL,
  PRIMARY KEY (platform, kind, word)
) WITH (fillfactor = 60);
CREATE INDEX search_words_by_end ON search_words (platform, kind, reverse(word)) WHERE length(word) >= 7;
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
CREATE TABLE trend_chunks (
  list    text COLLATE "C" NOT NULL,
  period  bigint NOT NULL,
  chunk   bigint NOT NULL,
  count   bigint NOT NULL,
  entries text NOT NULL,
  PRIMARY KEY (list, period, chunk)
);
CREATE TABLE trend_lists (
  name        text COLLATE "C" PRIMARY KEY,
  day         bigint NOT NULL,
  computed_at bigint
);
CREATE TABLE trend_state (version bigint NOT NULL, computed_version bigint, day bigint, computed_at bigint);
INSERT INTO trend_state (version) VALUES (0);
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
CREATE INDEX job_files_by_number ON job_files (job_id, number);
CREATE TABLE job_rejects (
  job_id text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  file   text COLLATE "C" NOT NULL,
  line   bigint,
  reason text NOT NULL,
  PRIMARY KEY (job_id, number)
);
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
CREATE TABLE rate_balances (
  key_id      text COLLATE "C" PRIMARY KEY,
  burst       bigint NOT NULL,
  level       bigint NOT NULL,
  refilled_at bigint NOT NULL,
  day         bigint NOT NULL,
  used        bigint NOT NULL
) WITH (fillfactor = 50);
CREATE TABLE token_usage (
  key_id        text COLLATE "C" NOT NULL,
  day           text COLLATE "C" NOT NULL,
  operation     text COLLATE "C" NOT NULL,
  requests      bigint NOT NULL,
  client_errors bigint NOT NULL,
  server_errors bigint NOT NULL,
  PRIMARY KEY (key_id, day, operation)
);
CREATE TABLE shared_settings (
  name  text COLLATE "C" PRIMARY KEY,
  value text NOT NULL
);
CREATE TABLE write_outcomes (
  id           text COLLATE "C" PRIMARY KEY,
  is_committed boolean NOT NULL,
  at           timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE audit (
  number  bigint PRIMARY KEY,
  at      bigint NOT NULL,
  actor   text NOT NULL,
  action  text NOT NULL,
  details text NOT NULL,
  seal    text NOT NULL
);
CREATE TABLE audit_head (number bigint NOT NULL, seal text NOT NULL);
CREATE TABLE retention (
  source text COLLATE "C" NOT NULL,
  kind   text COLLATE "C" NOT NULL,
  days   bigint,
  PRIMARY KEY (source, kind)
);
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
CREATE TABLE source_calls (
  source      text COLLATE "C" NOT NULL,
  id          text COLLATE "C" NOT NULL,
  lease_until bigint NOT NULL,
  PRIMARY KEY (source, id)
);
CREATE TABLE source_fetches (
  source      text COLLATE "C" NOT NULL,
  request     text COLLATE "C" NOT NULL,
  owner       text NOT NULL,
  lease_until bigint NOT NULL,
  result      text,
  ended_at    bigint NOT NULL,
  PRIMARY KEY (source, request)
);
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
ALTER TABLE records ALTER header SET STATISTICS 0, ALTER native SET STATISTICS 0;
ALTER TABLE comments ALTER header SET STATISTICS 0, ALTER native SET STATISTICS 0;
ALTER TABLE subtitles ALTER lines SET STATISTICS 0;
ALTER TABLE counter_points ALTER counters SET STATISTICS 0;
ALTER TABLE search_docs ALTER title SET STATISTICS 0, ALTER tags SET STATISTICS 0, ALTER text SET STATISTICS 0;
ALTER TABLE job_records ALTER image SET STATISTICS 0, ALTER points SET STATISTICS 0;
