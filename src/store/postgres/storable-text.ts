/**
 * PostgreSQL's text holds every character but U+0000, which ids and names of captures may hold. It is written as two
 * characters that sort where it did: bytewise order, equality and ranges stay what they are in the other stores.
 * JSON texts are never touched: JSON escapes both characters by itself.
 */

// oxlint-disable-next-line no-control-regex -- these two are the point
const UNSTORABLE = /[\u0000\u0001]/g;
// oxlint-disable-next-line no-control-regex -- and these are how they are written
const WRITTEN = /\u0001[\u0001\u0002]/g;

export function toStorable(text: string): string {
  return text.search(UNSTORABLE) === -1
    ? text
    : text.replace(UNSTORABLE, (character) => (character === "\u0000" ? "\u0001\u0001" : "\u0001\u0002"));
}

export function fromStorable(text: string): string {
  return text.includes("\u0001")
    ? text.replace(WRITTEN, (pair) => (pair === "\u0001\u0001" ? "\u0000" : "\u0001"))
    : text;
}

/** As a text comes back from the store: half a surrogate pair is no character and becomes the replacement for one. */
export function asHeld(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}
