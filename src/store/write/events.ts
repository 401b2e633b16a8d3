import type { PlatformName } from "#domain/record.ts";

/** A change committed by this process or by another one on the same store. */
export type StoreEvent =
  /** `isNew`: nothing that another process knows has changed. */
  | { about: "token"; keyId: string; isNew?: true }
  /** Whom it was about is not said. */
  | { about: "erasure"; platform: PlatformName }
  | { about: "records"; platform: PlatformName }
  /** Events may have been missed. */
  | { about: "anything" };

export interface StoreEvents {
  /** Returns an unsubscribe function. */
  subscribe(listener: (event: StoreEvent) => void): () => void;
}
