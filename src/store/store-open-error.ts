/** The store cannot be used, and the message says in one sentence why and what to do. */
export class StoreOpenError extends Error {
  override name = "StoreOpenError";
}
