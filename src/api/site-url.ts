/** What a URL of a platform's own site names. URLs are parsed, never fetched. */

export type SiteTarget =
  | { kind: "post"; id: string }
  | { kind: "account"; id: string }
  | { kind: "account"; name: string }
  | { kind: "sound"; id: string }
  | { kind: "hashtag"; name: string };

/** Null for a text that is no URL of the site, or of another page. */
export type ParseSiteUrl = (text: string) => SiteTarget | null;

/** With or without a scheme; http and https only, without credentials or port. */
export function parseHttpUrl(text: string): URL | null {
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text.replace(/^\/\//, "")}`);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return null;
  return url.username === "" && url.password === "" && url.port === "" ? url : null;
}

/** The path's segments, decoded; null for a malformed escape. */
export function pathSegments({ pathname }: URL): string[] | null {
  try {
    return pathname
      .split("/")
      .filter((segment) => segment !== "")
      .map(decodeURIComponent);
  } catch {
    return null;
  }
}

/** No id of any platform has a slash. */
export function isUrl(text: string): boolean {
  return text.includes("/");
}
