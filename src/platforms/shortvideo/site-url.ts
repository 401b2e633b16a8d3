/** TikTok's URLs: posts in all their forms, profiles, sounds and hashtags. */
import { matching, recordIdParser } from "#api/record-id.ts";
import { type ParseSiteUrl, parseHttpUrl, pathSegments } from "#api/site-url.ts";
import { readAccountName } from "./recognise/account-name.ts";
import { parseVideoUrl } from "./video-url.ts";

const HOST = /^(?:www\.|m\.)?tiktok\.com$/;
const ID = /^\d{1,24}$/;
const SOUND = /(?:^|-)(\d{6,24})$/;

export const parseSiteUrl: ParseSiteUrl = (text) => {
  const post = parseVideoUrl(text);
  if ("id" in post) return { kind: "post", id: post.id };
  const url = parseHttpUrl(text);
  if (url === null || !HOST.test(url.hostname.toLowerCase())) return null;
  const [first = "", second = ""] = pathSegments(url) ?? [];
  if (first.startsWith("@") && first.length > 1 && second === "") return { kind: "account", name: first.slice(1) };
  if (first === "tag" && second !== "") return { kind: "hashtag", name: second };
  const sound = first === "music" ? SOUND.exec(second)?.[1] : undefined;
  return sound === undefined ? null : { kind: "sound", id: sound };
};

export const parseRecordId = recordIdParser(parseSiteUrl, {
  account: (text) => (readAccountName(text) === undefined ? null : text),
  post: matching(ID),
  comment: matching(ID),
});
