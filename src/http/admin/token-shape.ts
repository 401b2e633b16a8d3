/** A token as the routes show it, without its digest. */
import { type Static, Type } from "#api/schema.ts";
import { NullableInteger, NullableText, wireObject } from "#api/wire.ts";
import { type TokenState, stateOf } from "#auth/token-state.ts";
import type { IssuedToken } from "#auth/tokens.ts";
import type { TokenRecord } from "#domain/token.ts";
import { toIsoTime } from "#domain/time.ts";
import { ApiError } from "#errors";

const STATES = ["active", "expired", "revoked", "replaced"] as const satisfies TokenState[];

export const TokenShape = wireObject({
  keyId: Type.String(),
  label: Type.String(),
  scopes: Type.Array(Type.String()),
  state: Type.Enum([...STATES], { description: "A `replaced` token is valid until `expiresAt`." }),
  createdAt: Type.String({ description: "ISO 8601." }),
  expiresAt: NullableText,
  revokedAt: NullableText,
  replacedBy: NullableText,
  limits: wireObject(
    { burst: NullableInteger, daily: NullableInteger, concurrency: NullableInteger },
    { description: "Null where the token has the limit of the service." },
  ),
});
export type TokenShape = Static<typeof TokenShape>;

export const IssuedTokenShape = wireObject({
  token: Type.String({ description: "The token itself, which cannot be read again." }),
  record: TokenShape,
});

export function toTokenShape(record: TokenRecord, now: number): TokenShape {
  const { keyId, label, scopes, replacedBy, limits } = record;
  const { burst = null, daily = null, concurrency = null } = limits;
  return {
    keyId,
    label,
    scopes,
    state: stateOf(record, now),
    createdAt: toIsoTime(record.createdAt * 1000),
    expiresAt: record.expiresAt === null ? null : toIsoTime(record.expiresAt * 1000),
    revokedAt: record.revokedAt === null ? null : toIsoTime(record.revokedAt * 1000),
    replacedBy,
    limits: { burst, daily, concurrency },
  };
}

export function toIssuedToken({ token, record }: IssuedToken, now: number): Static<typeof IssuedTokenShape> {
  return { token, record: toTokenShape(record, now) };
}

export function tokenNotFound(keyId: string): ApiError {
  return new ApiError("token_not_found", `no token has the key id ${keyId}`);
}
