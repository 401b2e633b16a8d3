import type { TokenLimits, TokenRecord } from "#domain/token.ts";
import type { Tokens } from "../tokens.ts";
import type { Database } from "./database.ts";
import type { TokensRow } from "./rows.ts";

/** Reads through the writing connection: the next request must see a revocation. */
export function createTokens(db: Database): Tokens {
  return {
    async writeToken(token) {
      db.run(
        `INSERT OR REPLACE INTO tokens (key_id, digest, label, scopes, created_at, expires_at, revoked_at, limits, replaced_by)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        token.keyId,
        token.digest,
        token.label,
        JSON.stringify(token.scopes),
        token.createdAt,
        token.expiresAt,
        token.revokedAt,
        JSON.stringify(token.limits),
        token.replacedBy,
      );
    },
    async getToken(keyId) {
      const row = db.get<TokensRow>("SELECT * FROM tokens WHERE key_id = ?", keyId);
      return row === undefined ? null : toToken(row);
    },
    async listTokens() {
      return db.all<TokensRow>("SELECT * FROM tokens ORDER BY created_at, key_id").map(toToken);
    },
  };
}

function toToken(row: TokensRow): TokenRecord {
  return {
    keyId: row.key_id,
    digest: row.digest,
    label: row.label,
    scopes: JSON.parse(row.scopes) as string[],
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
    limits: JSON.parse(row.limits) as TokenLimits,
    replacedBy: row.replaced_by,
  };
}
