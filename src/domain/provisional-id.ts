/**
 * Some captures know a person by name only. Such an account is kept under the provisional id `@name` until a capture
 * shows the real one; no platform's own ids begin with `@`. To the outside a provisional id is an unknown id.
 */
import { foldName } from "./folding.ts";

export function provisionalId(name: string): string {
  return `@${foldName(name)}`;
}

export function isProvisional(id: string): boolean {
  return id.startsWith("@");
}

/** The id as the platform wrote it; null when it is not known. */
export function platformId(id: string | null): string | null {
  return id === null || isProvisional(id) ? null : id;
}
