import { isUrl, type ParseSiteUrl } from "./site-url.ts";

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

/** An account by name, id or URL, kept as its name or id: an erasure looks for those. */
export function accountParser(parseSiteUrl: ParseSiteUrl): WatchableKind["parseTarget"] {
  return (text) => {
    if (!isUrl(text)) return parseText(text);
    const target = parseSiteUrl(text.trim());
    if (target?.kind !== "account") return null;
    return parseText("id" in target ? target.id : `@${target.name}`);
  };
}

/** Without the leading character. */
export function parseName(text: string): string | null {
  return parseText(text.trim().replace(/^[@#]/, ""));
}
