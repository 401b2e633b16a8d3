/**
 * PostgreSQL's text cannot contain U+0000, but captured ids and names may. It is escaped by two characters that sort in
 * its place, so order, equality and ranges stay the same as in other stores. JSON is never changed: it escapes control
 * characters itself.
 */

// oxlint-disable-next-line no-control-regex -- the characters to escape
const NEEDS_ESCAPE = /[\u0000\u0001]/g;
// oxlint-disable-next-line no-control-regex -- the escape sequences
const ESCAPED = /\u0001[\u0001\u0002]/g;

export function toStorable(text: string): string {
  return text.search(NEEDS_ESCAPE) === -1
    ? text
    : text.replace(NEEDS_ESCAPE, (character) => (character === "\u0000" ? "\u0001\u0001" : "\u0001\u0002"));
}

export function fromStorable(text: string): string {
  return text.includes("\u0001")
    ? text.replace(ESCAPED, (pair) => (pair === "\u0001\u0001" ? "\u0000" : "\u0001"))
    : text;
}

/** The text as it comes back from the store: an unpaired surrogate becomes U+FFFD. */
export function asStored(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}
