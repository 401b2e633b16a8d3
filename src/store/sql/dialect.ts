/** Where the engines say the same in different words. */
export interface Dialect {
  /** Unix milliseconds by the engine's clock at this moment, not at the start of the transaction. */
  now: string;
  /** Ends a SELECT of rows to be updated: leaves out those that another transaction is changing. */
  skipLocked: string;
  /**
   * Statements that let one transaction at a time start a job, add to the audit log or use the ledger of live sources; null
   * if transactions exclude each other anyway.
   */
  locks: Record<"jobStart" | "audit" | "sources", string> | null;
  /** Whether a statement failed since a table is not there. */
  isMissingTable: (error: unknown) => boolean;
}
