import type { TokenRecord } from "#domain/token.ts";

/** Access tokens; only the digest of a secret is stored. */
export interface Tokens {
  /** A token with a new key id. */
  writeToken(token: TokenRecord): Promise<void>;
  /** Clears the digest. A revoked token keeps its first time. Times are Unix seconds. */
  revokeToken(keyId: string, revokedAt: number): Promise<void>;
  /** False, and nothing changes, if the token is revoked, replaced already or unknown. */
  replaceToken(keyId: string, replacedBy: string, expiresAt: number, digest: string): Promise<boolean>;
  /** Does nothing if the digest is another one by now. */
  sealToken(keyId: string, unsealed: string, digest: string): Promise<void>;
  getToken(keyId: string): Promise<TokenRecord | null>;
  listTokens(): Promise<TokenRecord[]>;
}
