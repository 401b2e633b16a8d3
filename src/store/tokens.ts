import type { TokenRecord } from "#domain/token.ts";

/** Access tokens; only the digest of a secret is stored. */
export interface Tokens {
  /** A token with a new key id. */
  writeToken(token: TokenRecord): Promise<void>;
  /** A revoked token keeps its first time. Times are Unix seconds. */
  revokeToken(keyId: string, revokedAt: number): Promise<void>;
  /** False, and nothing changes, if the token is revoked, replaced already or unknown. */
  replaceToken(keyId: string, replacedBy: string, expiresAt: number): Promise<boolean>;
  getToken(keyId: string): Promise<TokenRecord | null>;
  listTokens(): Promise<TokenRecord[]>;
}
