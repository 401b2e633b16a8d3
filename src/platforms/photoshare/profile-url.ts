/**
 * `username_or_url` to an account name, by looking at the text alone: nothing is fetched and no address is resolved.
 * Takes a name, `@name` or a profile's address; refuses addresses of posts, of other pages and of other hosts.
 */

export type ProfileName = { name: string } | { reason: string };

const NAME = /^[A-Za-z0-9._]{1,30}$/;
const ADDRESS = /^(?:(?:https?:)?\/\/)?([^/?#]*)([^?#]*)/i;
const HOST = /^(?:www\.|m\.)?(?:instagram\.com|instagr\.am)\.?(?::(?:80|443))?$/i;

/** First path segments that lead to pages of the platform and so can never be a profile's. */
const PAGES = new Set(
  "p reel reels tv stories explore s share accounts direct about api graphql web legal developer challenge oauth".split(
    " ",
  ),
);

/** What may follow the name and still show the profile. */
const TABS = new Set(["tagged", "reels", "followers", "following"]);

const EXPECTED = "must be an account name, @name or the address of a profile";

export function readProfileName(text: string): ProfileName {
  const given = text.trim();
  // A host alone also has the form of a name; nobody who sends one means an account.
  if (HOST.test(given)) return { reason: `${EXPECTED}; this address names no profile` };
  const plain = given.startsWith("@") ? given.slice(1) : given;
  if (NAME.test(plain)) return { name: plain };
  if (!given.includes("/")) return { reason: `${EXPECTED}; names have 1 to 30 letters, digits, dots and underscores` };
  return readAddress(given);
}

function readAddress(address: string): ProfileName {
  const [, host = "", path = ""] = ADDRESS.exec(address) ?? [];
  if (!HOST.test(host)) return { reason: `${EXPECTED}; this address is not on instagram.com` };
  const [first, second, ...deeper] = path.split("/").filter((segment) => segment !== "");
  if (first === undefined) return { reason: `${EXPECTED}; this address names no profile` };
  const showsProfile = second === undefined || (TABS.has(second.toLowerCase()) && deeper.length === 0);
  if (PAGES.has(first.toLowerCase()) || !showsProfile) {
    return { reason: `${EXPECTED}; this is the address of a post or of another page` };
  }
  const name = first.startsWith("@") ? first.slice(1) : first;
  return NAME.test(name) ? { name } : { reason: `${EXPECTED}; this address holds no account name` };
}
