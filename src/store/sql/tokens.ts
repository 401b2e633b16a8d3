import type { TokenLimits, TokenRecord } from "#domain/token.ts";
import type { Tokens } from "../tokens.ts";
import type { Sql } from "./sql.ts";

type TokenRow = Omit<TokenRecord, "scopes" | "limits"> & { scopes: string; limits: string };

const TOKEN = `key_id AS "keyId", digest, label, scopes, created_at AS "createdAt", expires_at AS "expiresAt",
  revoked_at AS "revokedAt", limits, replaced_by AS "replacedBy"`;

export function createTokens(sql: Sql): Tokens {
  return {
    async writeToken({ keyId, digest, label, scopes, createdAt, expiresAt, revokedAt, limits, replacedBy }) {
      await sql.run(
        `INSERT INTO tokens (key_id, digest, label, scopes, created_at, expires_at, revoked_at, limits, replaced_by)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         ON CONFLICT (key_id) DO UPDATE SET digest = excluded.digest, label = excluded.label,
           scopes = excluded.scopes, created_at = excluded.created_at, expires_at = excluded.expires_at,
           revoked_at = excluded.revoked_at, limits = excluded.limits, replaced_by = excluded.replaced_by`,
        keyId,
        digest,
        label,
        JSON.stringify(scopes),
        createdAt,
        expiresAt,
        revokedAt,
        JSON.stringify(limits),
        replacedBy,
      );
    },
    async getToken(keyId) {
      const row = await sql.get<TokenRow>(`SELECT ${TOKEN} FROM tokens WHERE key_id = $1`, keyId);
      return row === undefined ? null : toToken(row);
    },
    async listTokens() {
      return (await sql.all<TokenRow>(`SELECT ${TOKEN} FROM tokens ORDER BY created_at, key_id`)).map(toToken);
    },
  };
}

function toToken({ scopes, limits, ...token }: TokenRow): TokenRecord {
  return { ...token, scopes: JSON.parse(scopes) as string[], limits: JSON.parse(limits) as TokenLimits };
}
