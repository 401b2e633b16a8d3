/**
 * Parses the post id from a TikTok URL without fetching it. Short links (`vm.`, `/t/`) hide the id behind a redirect, so
 * they are rejected with a hint.
 */

import { parseHttpUrl } from "#api/site-url.ts";

type ParsedVideoUrl = { id: string } | { reason: string };

/** TikTok's takeouts write `tiktokv.com`. */
const HOST = /^(?:www\.|m\.)?tiktokv?\.com$/;
const SHORT_HOST = /^(?:vm|vt)\.tiktok\.com$/;
const ID = /^\d{6,24}$/;

/** `/@name/video/ID`, `/@name/photo/ID`, `/video/ID`, `/v/ID(.html)`, `/embed/(v2/|v3/)ID`, `/player/v1/ID`, `/share/video/ID`. */
const PATHS = [
  /^\/(?:@|%40)[^/]*\/(?:video|photo)\/(\d+)\/?$/,
  /^\/(?:video|photo|share\/video|embed|embed\/v\d|player\/v\d|v|i18n\/share\/video)\/(\d+)(?:\.html)?\/?$/,
];

const EXPECTED = "must be the URL of a video, such as https://www.tiktok.com/@name/video/7300000000000000001";

export function parseVideoUrl(text: string): ParsedVideoUrl {
  const url = parseHttpUrl(text.trim());
  if (url === null) return { reason: EXPECTED };
  const host = url.hostname.toLowerCase();
  if (SHORT_HOST.test(host) || (HOST.test(host) && url.pathname.startsWith("/t/"))) {
    return { reason: "is a short link, which only the platform can resolve; open it and send the URL it leads to" };
  }
  if (!HOST.test(host)) return { reason: EXPECTED };
  for (const pattern of PATHS) {
    const id = pattern.exec(url.pathname)?.[1];
    if (id !== undefined && ID.test(id)) return { id };
  }
  const item = url.searchParams.get("item_id") ?? url.searchParams.get("share_item_id");
  return item !== null && ID.test(item) ? { id: item } : { reason: EXPECTED };
}

/** Undefined for anything but the URL of a post. */
export function videoIdInUrl(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const parsed = parseVideoUrl(value);
  return "id" in parsed ? parsed.id : undefined;
}
