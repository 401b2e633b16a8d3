import { parseJsonText } from "#domain/json-text.ts";
import type { TokenRecord } from "#domain/token.ts";
import { type RenamedRow, selectAs } from "#store/sql/select.ts";
import type { RowOf } from "#store/sql/table.ts";
import { TOKENS } from "./tables.ts";
import type { Tokens } from "./port.ts";
import type { Sql } from "#store/sql/sql.ts";

const TOKEN = {
  keyId: "key_id",
  digest: "digest",
  label: "label",
  scopes: "scopes",
  createdAt: "created_at",
  expiresAt: "expires_at",
  revokedAt: "revoked_at",
  limits: "limits",
  replacedBy: "replaced_by",
} as const;

type TokenRow = RenamedRow<RowOf<typeof TOKENS>, typeof TOKEN>;

export function createTokens(sql: Sql): Tokens {
  return {
    async writeToken({ keyId, digest, label, scopes, createdAt, expiresAt, revokedAt, limits, replacedBy }) {
      await sql.run(
        `INSERT INTO tokens (key_id, digest, label, scopes, created_at, expires_at, revoked_at, limits, replaced_by)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
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
    // Only the columns that change: another process may change the others at the same moment.
    async revokeToken(keyId, revokedAt) {
      // Without its digest, a row whose revocation is taken out lets nobody in.
      const revoke = `UPDATE tokens SET revoked_at = $2, digest = '' WHERE key_id = $1 AND revoked_at IS NULL`;
      await sql.run(revoke, keyId, revokedAt);
    },
    async replaceToken(keyId, replacedBy, expiresAt, digest) {
      const changed = await sql.run(
        `UPDATE tokens SET replaced_by = $2, expires_at = $3, digest = $4
         WHERE key_id = $1 AND revoked_at IS NULL AND replaced_by IS NULL`,
        keyId,
        replacedBy,
        expiresAt,
        digest,
      );
      return changed > 0;
    },
    async sealToken(keyId, unsealed, digest) {
      await sql.run(`UPDATE tokens SET digest = $3 WHERE key_id = $1 AND digest = $2`, keyId, unsealed, digest);
    },
    async getToken(keyId) {
      const row = await sql.get(selectAs(TOKENS, TOKEN, "WHERE key_id = $1"), keyId);
      return row === undefined ? null : toToken(row);
    },
    async listTokens() {
      return (await sql.all(selectAs(TOKENS, TOKEN, "ORDER BY created_at, key_id"))).map(toToken);
    },
    async endSession(keyId, id, expiresAt, now) {
      await sql.run(`DELETE FROM ended_sessions WHERE key_id = $1 AND expires_at <= $2`, keyId, now);
      await sql.run(
        `INSERT INTO ended_sessions (key_id, id, expires_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`,
        keyId,
        id,
        expiresAt,
      );
    },
    async endAllSessions(keyId) {
      await sql.run(
        `INSERT INTO session_epochs (key_id, epoch) VALUES ($1, 1)
         ON CONFLICT (key_id) DO UPDATE SET epoch = session_epochs.epoch + 1`,
        keyId,
      );
      // Only after the epoch: a crash between the two revives none.
      await sql.run(`DELETE FROM ended_sessions WHERE key_id = $1`, keyId);
    },
    async getSessionEnds(keyId) {
      // One statement, so that both are of one moment.
      const rows = await sql.all<{ epoch: number; id: string | null }>(
        `SELECT epoch, NULL AS id FROM session_epochs WHERE key_id = $1
         UNION ALL SELECT 0, id FROM ended_sessions WHERE key_id = $1`,
        keyId,
      );
      return {
        epoch: rows.find(({ id }) => id === null)?.epoch ?? 0,
        ended: rows.flatMap(({ id }) => (id === null ? [] : [id])),
      };
    },
  };
}

function toToken({ scopes, limits, ...token }: TokenRow): TokenRecord {
  return { ...token, scopes: parseJsonText(scopes), limits: parseJsonText(limits) };
}
