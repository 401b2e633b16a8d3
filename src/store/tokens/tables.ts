import type { JsonText } from "#domain/json-text.ts";
import type { TokenLimits } from "#domain/token.ts";
import { bigint, defineTable, nullable, opaque, references, text, oneOf } from "#store/sql/table.ts";

export const TOKENS = defineTable("tokens", {
  columns: {
    key_id: text,
    digest: opaque,
    label: opaque,
    scopes: oneOf<JsonText<string[]>>(opaque),
    created_at: bigint,
    expires_at: nullable(bigint),
    revoked_at: nullable(bigint),
    limits: oneOf<JsonText<TokenLimits>>(opaque),
    replaced_by: nullable(references(text, "tokens (key_id)")),
  },
  key: ["key_id"],
});

/** Sessions of browsers that were signed out, until they would have ended by themselves. */
export const ENDED_SESSIONS = defineTable("ended_sessions", {
  columns: { key_id: text, id: text, expires_at: bigint },
  key: ["key_id", "id"],
});

/** How often all sessions of a token were ended. Tokens of the environment have no row in `tokens`. */
export const SESSION_EPOCHS = defineTable("session_epochs", {
  columns: { key_id: text, epoch: bigint },
  key: ["key_id"],
});

/** Requests of tokens by UTC day and operation. SQLite has them in a file of their own: usage.sqlite.ts. */
export const TOKEN_USAGE = defineTable("token_usage", {
  columns: {
    key_id: text,
    day: text,
    operation: text,
    requests: bigint,
    client_errors: bigint,
    server_errors: bigint,
  },
  key: ["key_id", "day", "operation"],
});

/** Balance of each token across all nodes. Few rows, updated often. */
export const RATE_BALANCES = defineTable("rate_balances", {
  only: "postgres",
  columns: { key_id: text, burst: bigint, level: bigint, refilled_at: bigint, day: bigint, used: bigint },
  key: ["key_id"],
  postgres: { fillfactor: 50 },
});
