/**
 * Erased ids are remembered as keyed digests, so that the list itself names nobody. The key is random, made by a store's
 * first erasure and stored with the list: a list that was restored or copied still works, and a store that was filled from
 * another has the keys of both.
 */
import { createHmac, randomBytes } from "node:crypto";
import { foldName } from "#domain/folding.ts";

/** The kind of the rows of `erased` that hold a key. They belong to no platform. */
export const KEY_KIND = "key";

export function createErasureKey(): string {
  return randomBytes(32).toString("base64url");
}

export function erasedDigest(key: string, id: string): string {
  return createHmac("sha256", key).update(id).digest("base64url");
}

/** Under which a display name is remembered. */
export function displayNameKey(name: string): string {
  return `~${foldName(name)}`;
}

/** No id of a platform looks like this. */
export function isDisplayNameKey(key: string): boolean {
  return key.startsWith("~");
}

/** Under which a name is remembered whose account was not stored: its id is learnt when an import shows it. */
export function unknownAccountKey(name: string): string {
  return `?${foldName(name)}`;
}
