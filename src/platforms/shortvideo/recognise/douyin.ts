/** Douyin, the Chinese sister of TikTok, has the same formats with ids of its own. It is not supported. */
import type { DocumentContext } from "#api/importer.ts";
import { type Fields, readFilledText, readObjectAt, readObjects } from "#import/capture/field-readers.ts";

const HOST = /(?:^|\.)(?:ies)?douyin\.com$/;

/** Tools name the platform; records have a URL, and comments say where they were written, which TikTok's do not. */
export function isOfDouyin(object: Fields, { url }: DocumentContext): boolean {
  const shared = [readObjectAt(object, "share_info"), readObjectAt(object, "user", "share_info")];
  const urls = [url, ...[object, ...shared].map((holder) => holder["share_url"])];
  return (
    object["platform"] === "douyin" ||
    urls.some((text) => isUrlOfDouyin(readFilledText(text))) ||
    [object, ...readObjects(object["comments"])].some((comment) => "ip_label" in comment)
  );
}

/** Those of users come without a scheme. */
function isUrlOfDouyin(text: string | undefined): boolean {
  if (text === undefined) return false;
  const url = URL.parse(text) ?? URL.parse(`https://${text}`);
  return url !== null && HOST.test(url.hostname);
}
