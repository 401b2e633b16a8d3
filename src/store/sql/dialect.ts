/** Where the engines say the same in different words. */
export interface Dialect {
  /** Unix milliseconds by the engine's clock at this moment, not at the start of the transaction. */
  now: string;
  /** Ends a SELECT of rows to be updated: leaves out those that another transaction is changing. */
  skipLocked: string;
  /** A statement that lets one transaction at a time start a job; null if transactions exclude each other anyway. */
  lockJobStart: string | null;
}
