/** Instagram's URLs: posts, profiles and hashtags. */
import { matching, recordIdParser } from "#api/record-id.ts";
import { type ParseSiteUrl, parseHttpUrl, pathSegments } from "#api/site-url.ts";
import { parseProfileName } from "./profile-url.ts";
import { readAccountName } from "./recognise/captured-user.ts";
import { codeToId } from "./shortcode.ts";

const HOST = /^(?:www\.|m\.)?(?:instagram\.com|instagr\.am)$/;
const ID = /^\d{1,24}$/;
const POST_PAGES = new Set(["p", "reel", "reels", "tv"]);

export const parseSiteUrl: ParseSiteUrl = (text) => {
  const url = parseHttpUrl(text);
  if (url === null || !HOST.test(url.hostname.toLowerCase())) return null;
  const segments = pathSegments(url) ?? [];
  // `/p/CODE` and `/name/p/CODE`.
  const page = segments.findIndex((segment) => POST_PAGES.has(segment));
  const code = segments[page + 1];
  if ((page === 0 || page === 1) && code !== undefined) {
    const id = codeToId(code);
    return id === null ? null : { kind: "post", id };
  }
  const [first, second, third = ""] = segments;
  if (first === "explore" && second === "tags" && third !== "") return { kind: "hashtag", name: third };
  const profile = parseProfileName(text, isCapturedName);
  return "name" in profile ? { kind: "account", name: profile.name } : null;
};

function isCapturedName(name: string): boolean {
  return readAccountName(name) !== undefined;
}

/** A post's id is also sent as `<post>_<author>` and as the code in its URL. */
export function toPostId(text: string): string {
  const [, id] = /^(\d+)(?:_\d+)?$/.exec(text) ?? [];
  return id ?? codeToId(text) ?? text;
}

export const parseRecordId = recordIdParser(parseSiteUrl, {
  account: (text) => ("name" in parseProfileName(text, isCapturedName) ? text : null),
  post: (text) => matching(ID)(toPostId(text)),
  comment: matching(ID),
});
