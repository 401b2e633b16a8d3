/** An access token as it is kept: never the secret, only its digest. Times are Unix seconds. */
export interface TokenRecord {
  keyId: string;
  /** Hex of HMAC-SHA-256 of the whole token under the pepper. */
  digest: string;
  label: string;
  scopes: string[];
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
  /** Own limits; absent ones follow the service's. */
  limits: TokenLimits;
  /** The token that takes its place, after a rotation. */
  replacedBy: string | null;
}

export interface TokenLimits {
  burst?: number;
  daily?: number;
  concurrency?: number;
}
