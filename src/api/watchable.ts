import { normalizeHashtag } from "#domain/folding.ts";
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

/** An account by name, id or URL, as its id or as `@name` in lower case: an erasure looks for those. */
export function accountParser(
  parseSiteUrl: ParseSiteUrl,
  isId: (text: string) => boolean = isDigits,
): WatchableKind["parseTarget"] {
  return (text) => {
    const trimmed = text.trim();
    if (isId(trimmed)) return parseText(trimmed);
    const target = isUrl(trimmed) ? parseSiteUrl(trimmed) : { kind: "account" as const, name: trimmed };
    if (target?.kind !== "account") return null;
    if ("id" in target) return parseText(target.id);
    const name = parseText(target.name.startsWith("@") ? target.name.slice(1) : target.name);
    return name === null ? null : `@${name.toLowerCase()}`;
  };
}

function isDigits(text: string): boolean {
  return /^\d+$/.test(text);
}

export function parseHashtag(text: string): string | null {
  return parseText(normalizeHashtag(text));
}
