import type { TokenLimits, TokenRecord } from "#domain/token.ts";
import type { Tokens } from "../store.ts";
import type { Database } from "./database.ts";

interface TokenRow {
  key_id: string;
  digest: string;
  label: string;
  scopes: string;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  limits: string;
  replaced_by: string | null;
}

/** Reads through the writing connection: a revocation must be seen by the very next request. */
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
      const row = db.get<TokenRow>("SELECT * FROM tokens WHERE key_id = ?", keyId);
      return row === undefined ? null : tokenOf(row);
    },
    async listTokens() {
      return db.all<TokenRow>("SELECT * FROM tokens ORDER BY created_at, key_id").map(tokenOf);
    },
  };
}

function tokenOf(row: TokenRow): TokenRecord {
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
