import type { TokenRecord } from "#domain/token.ts";

/** Access tokens; only the digest of a secret is stored. */
export interface Tokens {
  writeToken(token: TokenRecord): Promise<void>;
  getToken(keyId: string): Promise<TokenRecord | null>;
  listTokens(): Promise<TokenRecord[]>;
}
