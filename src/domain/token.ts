/** An access token as stored: only its digest, never the secret. Times are Unix seconds. */
export interface TokenRecord {
  keyId: string;
  /** HMAC of the whole token and a seal over this record, keyed by the pepper; empty once it is revoked. */
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
