/** An access token as stored: only its digest, never the secret. Times are Unix seconds. */
export interface TokenRecord {
  keyId: string;
  /** Hex HMAC-SHA-256 of the whole token, keyed by the pepper. */
  digest: string;
  label: string;
  scopes: string[];
  createdAt: number;
  expiresAt: number | null;
  revokedAt: number | null;
  /** Absent ones default to the service's. */
  limits: TokenLimits;
  /** Key id of its successor after a rotation. */
  replacedBy: string | null;
}

export interface TokenLimits {
  burst?: number;
  daily?: number;
  concurrency?: number;
}
