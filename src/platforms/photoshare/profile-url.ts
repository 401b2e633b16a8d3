/**
 * Parses the account name from `username_or_url` without fetching anything. Accepts a name, `@name` or a profile URL;
 * rejects URLs of posts, other pages and other hosts.
 */

type ProfileName = { name: string } | { reason: string };

const NAME = /^[A-Za-z0-9._]{1,30}$/;
const URL_PARTS = /^(?:(?:https?:)?\/\/)?([^/?#]*)([^?#]*)/i;
const HOST = /^(?:www\.|m\.)?(?:instagram\.com|instagr\.am)\.?(?::(?:80|443))?$/i;

/** First path segments of Instagram's own pages, which are never profiles. */
const PAGES = new Set(
  "p reel reels tv stories explore s share accounts direct about api graphql web legal developer challenge oauth".split(
    " ",
  ),
);

/** What may follow the name in a profile URL. */
const TABS = new Set(["tagged", "reels", "followers", "following"]);

const EXPECTED = "must be an account name, @name or a profile URL";

/** `isName` may allow others: those of captures are longer. */
export function parseProfileName(text: string, isName = (name: string) => NAME.test(name)): ProfileName {
  const input = text.trim();
  // `instagram.com` also has the form of a name.
  if (HOST.test(input)) return { reason: `${EXPECTED}; this URL names no profile` };
  const name = input.startsWith("@") ? input.slice(1) : input;
  if (isName(name)) return { name };
  if (!input.includes("/")) return { reason: `${EXPECTED}; names have 1 to 30 letters, digits, dots and underscores` };
  return parseProfileUrl(input, isName);
}

function parseProfileUrl(url: string, isName: (name: string) => boolean): ProfileName {
  const [, host = "", path = ""] = URL_PARTS.exec(url) ?? [];
  if (!HOST.test(host)) return { reason: `${EXPECTED}; this URL is not on instagram.com` };
  const [first, second, ...deeper] = path.split("/").filter((segment) => segment !== "");
  if (first === undefined) return { reason: `${EXPECTED}; this URL names no profile` };
  const isProfile = second === undefined || (TABS.has(second.toLowerCase()) && deeper.length === 0);
  if (PAGES.has(first.toLowerCase()) || !isProfile) {
    return { reason: `${EXPECTED}; this is the URL of a post or another page` };
  }
  const name = first.startsWith("@") ? first.slice(1) : first;
  return isName(name) ? { name } : { reason: `${EXPECTED}; this URL contains no account name` };
}
