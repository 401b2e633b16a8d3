/** What people write to name an account, a post or a comment: an id, a name or a URL of the platform's own site. */
import { isTelling } from "#domain/display-name.ts";
import { isUrl, type ParseSiteUrl } from "./site-url.ts";

export const NAMEABLE_KINDS = ["account", "post", "comment"] as const;
export type NameableKind = (typeof NAMEABLE_KINDS)[number];

/**
 * The record's id; of an account also its name, which from a URL starts with `@`, or a displayed name. Null for what can be
 * none of these.
 */
export type ParseRecordId = (kind: NameableKind, text: string) => string | null;

/** `parsers` read what is no URL. */
export function recordIdParser(
  parseSiteUrl: ParseSiteUrl,
  parsers: Readonly<Record<NameableKind, (text: string) => string | null>>,
): ParseRecordId {
  return (kind, text) => {
    const trimmed = text.trim();
    if (!isUrl(trimmed))
      return parsers[kind](trimmed) ?? (kind === "account" && isDisplayName(trimmed) ? trimmed : null);
    const target = parseSiteUrl(trimmed);
    if (target === null || target.kind !== kind) return null;
    return "name" in target ? `@${target.name}` : target.id;
  };
}

/** The names in URLs have no spaces. Posts and comments may have been captured with a displayed name and no id. */
export function isDisplayName(text: string): boolean {
  return /\s/.test(text) && isTelling(text);
}

/** For what is taken as it is written. */
export function matching(expression: RegExp): (text: string) => string | null {
  return (text) => (expression.test(text) ? text : null);
}

/** Continues a sentence that begins with the parameter. */
export const EXPECTED_ID: Readonly<Record<NameableKind, string>> = {
  account:
    "must be the id of an account, its name or its URL on the platform's own site; short links are not resolved, nor are /user/ and /c/: use /channel/ or /@",
  post: "must be the id of a post or its URL on the platform's own site; short links are not resolved",
  comment: "must be the id of a comment",
};
