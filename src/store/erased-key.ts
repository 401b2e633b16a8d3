/** The key under which an erased record is remembered. A provisional id is a person's name, so only its digest is. */
import { hash } from "node:crypto";
import { isProvisional } from "#domain/provisional-id.ts";

export function erasedKey(id: string): string {
  return isProvisional(id) ? `@${hash("sha256", id, "base64url")}` : id;
}
