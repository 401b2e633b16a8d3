/** YouTube's URLs: videos in all their forms, channels and hashtags. */
import { recordIdParser } from "#api/record-id.ts";
import { type ParseSiteUrl, parseHttpUrl, pathSegments } from "#api/site-url.ts";
import { readHandle, readPlainId, readVideoId } from "./importers/id-forms.ts";

const HOST = /^(?:(?:www|m|music)\.)?(?:youtube\.com|youtube-nocookie\.com)$/;
const SHORT_HOST = "youtu.be";
const VIDEO_ID = /^[\w-]{6,16}$/;
const CHANNEL_ID = /^UC[\w-]{22}$/;

/** The first segment of `/shorts/ID` and its like. */
const VIDEO_PAGES = new Set(["shorts", "embed", "live", "v", "e"]);
const NAME_PAGES = new Set(["c", "user"]);

export const parseSiteUrl: ParseSiteUrl = (text) => {
  const url = parseHttpUrl(text);
  const [first = "", second = ""] = (url === null ? null : pathSegments(url)) ?? [];
  if (url === null) return null;
  const host = url.hostname.toLowerCase();
  if (host === SHORT_HOST) return toVideo(first);
  if (!HOST.test(host)) return null;
  if (first === "watch") return toVideo(url.searchParams.get("v") ?? second);
  if (VIDEO_PAGES.has(first)) return toVideo(second);
  if (first === "channel") return CHANNEL_ID.test(second) ? { kind: "account", id: second } : null;
  if (first.startsWith("@") && first.length > 1) return { kind: "account", name: first.slice(1) };
  if (NAME_PAGES.has(first) && second !== "") return { kind: "account", name: second };
  return first === "hashtag" && second !== "" ? { kind: "hashtag", name: second } : null;
};

function toVideo(id: string) {
  return VIDEO_ID.test(id) ? { kind: "post" as const, id } : null;
}

/** Old names, as in `/user/name`, may be the handles of others: nobody is erased by a guess. */
const parseCertainUrl: ParseSiteUrl = (text) => {
  const url = parseHttpUrl(text);
  const [first = ""] = (url === null ? null : pathSegments(url)) ?? [];
  return NAME_PAGES.has(first) ? null : parseSiteUrl(text);
};

export const parseRecordId = recordIdParser(parseCertainUrl, {
  account: (text) => ((readPlainId(text) ?? readHandle(`@${text.replace(/^@/, "")}`)) === undefined ? null : text),
  post: (text) => readVideoId(text) ?? null,
  comment: (text) => readPlainId(text) ?? null,
});
