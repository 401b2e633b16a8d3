/** What a token did on one UTC day with one operation. */
export interface UsageRow {
  /** YYYY-MM-DD */
  day: string;
  keyId: string;
  operation: string;
  requests: number;
  /** Of these, with a 4xx status. */
  clientErrors: number;
  /** Of these, with a 5xx status. */
  serverErrors: number;
}
