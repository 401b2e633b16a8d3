import type { PlatformName } from "#domain/record.ts";

/** A change committed by this process or by another one on the same store. */
export type StoreEvent =
  | { about: "token"; keyId: string }
  | { about: "erasure"; platform: PlatformName; kind: "account" | "post" | "comment"; id: string }
  | { about: "records"; platform: PlatformName }
  /** Events may have been missed. */
  | { about: "anything" };

export interface StoreEvents {
  /** Returns an unsubscribe function. */
  subscribe(listener: (event: StoreEvent) => void): () => void;
}
