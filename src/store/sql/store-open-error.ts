/** The store cannot be opened or used. The message says why and what to do, in one sentence. */
export class StoreOpenError extends Error {
  override name = "StoreOpenError";
}
