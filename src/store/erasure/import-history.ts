/** What the history of imports says of an erased person: the names of files, of imports, and why records were refused. */
import { ERASED_TEXT } from "./scrub.ts";

export type IsNamed = (text: string) => boolean;

/** Files of an import keep names that differ. */
export function eraseFileName(number: number): string {
  return `erased-${number}`;
}

/** A label has the names of several files. */
export function scrubLabel(label: string, isNamed: IsNamed): string {
  const scrubbed = label
    .split(" ")
    .map((part) => (isNamed(part) ? ERASED_TEXT : part))
    .join(" ");
  return isNamed(scrubbed) ? ERASED_TEXT : scrubbed;
}

/** The code stays, its detail goes. */
export function scrubReason(reason: string, isNamed: IsNamed): string {
  return isNamed(reason) ? reason.replace(/:.*/s, "") : reason;
}
