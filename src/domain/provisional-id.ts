/**
 * Some captures name an account without its id. It is stored under the provisional id `@name` until a capture has the
 * real one; no platform's ids start with `@`. Responses treat a provisional id as unknown.
 */
import { foldName } from "./folding.ts";

export function provisionalId(name: string): string {
  return `@${foldName(name)}`;
}

export function isProvisional(id: string): boolean {
  return id.startsWith("@");
}

/** The platform's own id; null if unknown. */
export function platformId(id: string | null): string | null {
  return id === null || isProvisional(id) ? null : id;
}
