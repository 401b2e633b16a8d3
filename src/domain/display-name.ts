import { fold } from "./folding.ts";

/** Short single words are shared by too many to tell a person. */
export function isTelling(displayName: string): boolean {
  const name = fold(displayName).trim();
  return name.length >= 8 || (name.length >= 5 && /\s/.test(name));
}
