import type { TokenRecord } from "#domain/token.ts";

/** Sessions of a token that are refused: those that were ended, and all that began in an earlier epoch. */
export interface SessionEnds {
  epoch: number;
  ended: string[];
}

export interface FoundToken extends TokenRecord {
  /** The primary database could not be asked, and may have a change of the token. */
  isFromReplica?: boolean;
}

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
  getToken(keyId: string): Promise<FoundToken | null>;
  listTokens(): Promise<TokenRecord[]>;
  /** Kept until `expiresAt`; forgets those of the token that have expired at `now`. Unix seconds. */
  endSession(keyId: string, id: string, expiresAt: number, now: number): Promise<void>;
  /** Begins the next epoch. */
  endAllSessions(keyId: string): Promise<void>;
  /** Also of a token that is not stored. */
  getSessionEnds(keyId: string): Promise<SessionEnds>;
}
