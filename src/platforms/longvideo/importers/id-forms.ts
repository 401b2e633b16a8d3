/** YouTube's id formats. */
import type { SourceFile } from "#api/importer.ts";
import { baseName } from "#import/capture/document-records.ts";

/** Ids of channels, comments and categories: letters, digits and a few symbols. */
export function readPlainId(value: unknown): string | undefined {
  const text = typeof value === "number" && Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === "string" && /^[\w.@:=-]{1,200}$/.test(text) ? text : undefined;
}

export function readVideoId(value: unknown): string | undefined {
  return typeof value === "string" && /^[\w-]{5,64}$/.test(value) ? value : undefined;
}

/** The name without `@`, from `@name` or from a channel URL that ends in it. */
export function readHandle(value: unknown): string | undefined {
  return typeof value === "string" ? /^(?:.*\/)?@([^\s/?#@]{1,100})$/.exec(value.toWellFormed())?.[1] : undefined;
}

/** An id is 64 bits in base 64: the last character's low two bits are zero, so it is one of sixteen. */
const ISSUED_ID = /^[\w-]{10}[AEIMQUYcgkosw048]$/;

/** Eleven characters that YouTube can have issued as an id: for columns that may contain anything. */
export function readIssuedId(value: unknown): string | undefined {
  const text = typeof value === "string" ? value.trim() : "";
  return ISSUED_ID.test(text) ? text : undefined;
}

/** Words and numbers of eleven characters: `my-comments`, `Interview08`, `53012345678`. One id in a thousand looks like them. */
export function isWord(id: string): boolean {
  return /^[A-Z]?[a-z]*\d*(?:[_-][A-Z]?[a-z]*\d*)*$/.test(id);
}

export function isChannelId(value: unknown): value is string {
  return typeof value === "string" && /^UC[\w-]{22}$/.test(value);
}

const HOST = /^(?:(?:www|m|music)\.)?(?:youtube\.com|youtube-nocookie\.com|youtu\.be)$/;
const VIDEO_PATH = /^\/(?:shorts|embed|live|v)\/([\w-]{11})(?:\/|$)/;

/** The id in the URL of a video, which is parsed, never fetched. */
export function videoIdInUrl(value: unknown): string | undefined {
  const url = toSiteUrl(value);
  if (url === null) return undefined;
  const { hostname, pathname, searchParams } = url;
  const id = hostname === "youtu.be" ? pathname.slice(1) : (searchParams.get("v") ?? VIDEO_PATH.exec(pathname)?.[1]);
  return id !== undefined && /^[\w-]{11}$/.test(id) ? id : undefined;
}

/** The video that the user's `--of` names, by id or URL: whose comments a list contains. */
export function readSubjectVideo({ subject }: SourceFile): string | undefined {
  return videoIdInUrl(subject) ?? readIssuedId(subject);
}

/** The video of a list of comments, by `--of` or by the name of the file: `<id>.json`, `<id>_comments.json`, `comments_<id>.json` or `[<id>]` in the name. */
export function findCommentedVideo(file: SourceFile): string | undefined {
  if (file.subject !== null) return readSubjectVideo(file);
  const stem = baseName(file).replace(/\.\w+$/, "");
  const [, bracketed] = /\[([\w-]{11})\]/.exec(stem) ?? [];
  const id = bracketed ?? readIssuedId(stem.replace(/^comments[_-]/, "").replace(/[_-]comments$/, ""));
  return id !== undefined && isWord(id) ? bracketed : id;
}

export function channelIdInUrl(value: unknown): string | undefined {
  const id = /^\/channel\/([^/]+)/.exec(toSiteUrl(value)?.pathname ?? "")?.[1];
  return isChannelId(id) ? id : undefined;
}

export function isSiteUrl(value: unknown): boolean {
  return toSiteUrl(value) !== null;
}

/** Whether it is the URL of something that is not on YouTube, nor one of its media files. */
export function isOtherSite(value: unknown): boolean {
  const url = typeof value === "string" && /^https?:\/\//i.test(value) ? URL.parse(value) : null;
  return url !== null && !HOST.test(url.hostname) && !url.hostname.endsWith(".googlevideo.com");
}

function toSiteUrl(value: unknown): URL | null {
  if (typeof value !== "string") return null;
  const text = value.trim();
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  return url !== null && HOST.test(url.hostname) ? url : null;
}
