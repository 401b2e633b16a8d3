/** What of a platform can be watched: kinds by name, each with the operation that a source fills for it. */
export type Watchable = Readonly<Record<string, WatchableKind>>;

export interface WatchableKind {
  /** What the target is, for people. */
  target: string;
  /** The name of the operation, such as `longvideo/search`. */
  operation: string;
  /** The operation's input for a target. */
  toInput(target: string): Record<string, string>;
  /** The target in its usual form; null if it cannot be one. */
  parseTarget(text: string): string | null;
}

/** For targets of which any text of some length may be one. */
export function parseText(text: string): string | null {
  const trimmed = text.trim();
  return trimmed === "" || trimmed.length > 200 ? null : trimmed;
}

/** Without the leading character. */
export function parseName(text: string): string | null {
  return parseText(text.trim().replace(/^[@#]/, ""));
}
