/** Douyin, the Chinese sister of TikTok, has the same formats with ids of its own. It is not supported. */
import type { DocumentContext } from "#api/importer.ts";
import { type Fields, readFilledText, readObjects } from "#import/capture/field-readers.ts";

const HOST = /(?:^|\.)(?:ies)?douyin\.com$/;

/** Tools name the platform; posts have a URL, and comments say where they were written, which TikTok's do not. */
export function isOfDouyin(object: Fields, { url }: DocumentContext): boolean {
  const urls = [url, readFilledText(object["share_url"])];
  return (
    object["platform"] === "douyin" ||
    urls.some((text) => HOST.test(URL.parse(text ?? "")?.hostname ?? "")) ||
    [object, ...readObjects(object["comments"])].some((comment) => "ip_label" in comment)
  );
}
