/**
 * `.info.json` of yt-dlp and youtube-dl: a video with its comments, or a playlist with its entries. What was downloaded
 * from other sites is named and left out; short videos and photos belong to the slices of their platforms.
 */
import type { Collector, Importer, SourceDocument } from "#api/importer.ts";
import { DAY_S } from "#domain/time.ts";
import {
  type Fields,
  readCount,
  readFilledText,
  readFilledTexts,
  readFlag,
  readItems,
  readLanguage,
  readMeasure,
  readNumber,
  readObject,
  readTimestamp,
  readUrl,
} from "#import/capture/field-readers.ts";
import type { NativeVideo } from "../native.ts";
import { readHandle, readPlainId, readVideoId } from "./id-forms.ts";
import { readThumbnail } from "./thumbnails.ts";
import { collectChannel, collectVideo, type SeenChannel } from "./collect-video.ts";
import { milliseconds } from "./timestamps.ts";
import { readEmbeddedSubtitles } from "#import/capture/yt-dlp.ts";
import { isYtDlpComment, readYtDlpComment } from "./yt-dlp-comments.ts";

export const ytDlp: Importer = {
  name: "yt-dlp",

  detects(document) {
    if (document.kind !== "json") return false;
    const info = readObject(document.value);
    if (info === undefined) return false;
    if (isComment(document)) return !isOfOtherSlice(document.within?.scalars ?? {});
    return isInfo(info) && !isOfOtherSlice(info);
  },

  read(document, _file, collect) {
    const info = readObject(document.value);
    if (info === undefined) return;
    if (isComment(document)) {
      readComment(info, document.within?.scalars ?? {}, collect);
      return;
    }
    readInfo(info, milliseconds(readTimestamp(info["epoch"])) ?? document.capturedAt ?? undefined, collect);
  },
};

/** Every tool of this family writes who extracted it, and where from or what it can download. */
function isInfo(info: Fields): boolean {
  const extracted = typeof info["extractor_key"] === "string" || typeof info["extractor"] === "string";
  if (typeof info["ie_key"] === "string" && typeof info["_type"] === "string" && typeof info["url"] === "string")
    return true;
  return (
    extracted && ["webpage_url", "formats", "_type", "display_id", "fulltitle"].some((key) => info[key] !== undefined)
  );
}

function extractorOf(info: Fields): string {
  const named = [info["extractor_key"], info["ie_key"], info["extractor"]].find((name) => typeof name === "string");
  return typeof named === "string" ? named : "";
}

const isYouTube = (extractor: string) => /^youtube(?:$|[:A-Z])/i.test(extractor) && !/^youtubeweb/i.test(extractor);

function isOfOtherSlice(info: Fields): boolean {
  return /tiktok|douyin|instagram/i.test(extractorOf(info));
}

/** An element that was taken out of the comments of a file too large to be held. */
function isComment({ within, value }: SourceDocument): boolean {
  return within !== undefined && within.path.at(-1) === "comments" && isYtDlpComment(value);
}

function readComment(comment: Fields, around: Fields, collect: Collector): void {
  const extractor = extractorOf(around);
  if (extractor !== "" && !isYouTube(extractor)) {
    collect.skip(`a comment of a ${nameFor(extractor)} file, which is not of this platform`);
    return;
  }
  const videoId = readVideoId(around["id"]);
  if (videoId === undefined) collect.refuse("comment_without_post");
  else readYtDlpComment(comment, videoId, milliseconds(readTimestamp(around["epoch"])), collect);
}

function readInfo(info: Fields, capturedAt: number | undefined, collect: Collector): void {
  const extractor = extractorOf(info);
  if (!isYouTube(extractor)) {
    collect.skip(`a ${nameFor(extractor)} file, which is not of this platform`);
    return;
  }
  if (info["_type"] === "playlist" || info["_type"] === "multi_video") {
    readPlaylist(info, capturedAt, collect);
    return;
  }
  const id = readVideoId(info["id"]);
  if (id === undefined) {
    collect.refuse("post_without_id");
    return;
  }
  readVideo(info, id, capturedAt, collect);
  for (const item of readItems(info["comments"])) {
    const comment = readObject(item);
    if (comment === undefined) collect.refuse("unknown_record");
    else readYtDlpComment(comment, id, capturedAt, collect);
  }
  readEmbeddedSubtitles(info, id, collect);
}

function readPlaylist(info: Fields, capturedAt: number | undefined, collect: Collector): void {
  collectChannel({ ...channelOf(info), capturedAt }, collect);
  const entries = readItems(info["entries"]).flatMap((entry): Fields[] => {
    const fields = readObject(entry);
    return fields === undefined ? [] : [fields];
  });
  if (entries.length === 0) collect.skip("a playlist file, which has no video of its own");
  for (const entry of entries) {
    const id = readVideoId(entry["id"]);
    if (entry["_type"] === "playlist") collect.skip("a playlist within a playlist");
    else if (!isYouTube(extractorOf(entry))) collect.skip("an entry that is not of this platform");
    else if (id === undefined) collect.refuse("post_without_id");
    else {
      readVideo(entry, id, milliseconds(readTimestamp(entry["epoch"])) ?? capturedAt, collect);
    }
  }
}

function readVideo(info: Fields, id: string, capturedAt: number | undefined, collect: Collector): void {
  collectVideo(
    {
      id,
      title: readFilledText(info["title"]) ?? readFilledText(info["fulltitle"]),
      description: readFilledText(info["description"]),
      channel: channelOf(info),
      publishedAt: readTimestamp(info["timestamp"]) ?? publicationDay(info),
      language: readLanguage(info["language"]),
      category: readFilledTexts(info["categories"])?.[0],
      durationS: readMeasure(info["duration"]),
      counters: {
        views: readCount(info["view_count"]),
        likes: readCount(info["like_count"]),
        comments: readCount(info["comment_count"]),
      },
      native: {
        keywords: readFilledTexts(info["tags"]),
        thumbnails: thumbnailsOf(info),
        ...liveness(info),
        type: KINDS[String(info["media_type"])],
        chapters: chaptersOf(info["chapters"]),
        heatmap: heatmapOf(info["heatmap"]),
      },
      capturedAt,
    },
    collect,
  );
}

/** Older files know the day only. A release on that day tells its second. */
function publicationDay(info: Fields): number | undefined {
  const day = readTimestamp(info["upload_date"]);
  const release = readTimestamp(info["release_timestamp"]);
  if (day === undefined) return release;
  return release !== undefined && release >= day && release < day + DAY_S ? release : day;
}

const KINDS: Record<string, string | undefined> = { video: "NORMAL", livestream: "NORMAL", short: "SHORT" };

function channelOf(info: Fields): SeenChannel {
  // Old files write the channel's id as the uploader's; newer ones its handle.
  const uploaderId = readPlainId(info["uploader_id"]);
  return {
    id: readPlainId(info["channel_id"]) ?? (uploaderId?.startsWith("UC") === true ? uploaderId : undefined),
    handle: readHandle(info["uploader_id"]) ?? readHandle(info["uploader_url"]),
    title: readFilledText(info["channel"]) ?? readFilledText(info["uploader"]),
    verified: readFlag(info["channel_is_verified"]),
    followers: readCount(info["channel_follower_count"]),
  };
}

const LIVENESS: Record<string, Pick<NativeVideo, "isLive" | "wasLive">> = {
  not_live: { isLive: false, wasLive: false },
  is_live: { isLive: true },
  is_upcoming: { isLive: false },
  was_live: { isLive: false, wasLive: true },
  post_live: { isLive: false, wasLive: true },
};

function liveness(info: Fields): Pick<NativeVideo, "isLive" | "wasLive"> {
  const status = info["live_status"];
  if (typeof status === "string" && Object.hasOwn(LIVENESS, status)) return LIVENESS[status] ?? {};
  const isLive = readFlag(info["is_live"]);
  const wasLive = readFlag(info["was_live"]);
  return { ...(isLive === undefined ? {} : { isLive }), ...(wasLive === undefined ? {} : { wasLive }) };
}

/** Most of the list are addresses that the tool has guessed; those that the platform named come with a size. */
function thumbnailsOf(info: Fields): NativeVideo["thumbnails"] {
  const sized = readItems(info["thumbnails"]).flatMap((item) => {
    const thumbnail = readThumbnail(item);
    return thumbnail?.width === undefined ? [] : [thumbnail];
  });
  const main = readUrl(info["thumbnail"]);
  if (sized.length > 0) return sized;
  return main === undefined ? undefined : [{ url: main }];
}

function chaptersOf(value: unknown): NativeVideo["chapters"] {
  const chapters = readItems(value).flatMap((item) => {
    const startS = readNumber(readObject(item)?.["start_time"]);
    const title = readFilledText(readObject(item)?.["title"]);
    return startS === undefined ? [] : [{ startS, ...(title === undefined ? {} : { title }) }];
  });
  return chapters.length === 0 ? undefined : chapters;
}

function heatmapOf(value: unknown): NativeVideo["heatmap"] {
  const heatmap = readItems(value).flatMap((item) => {
    const startS = readNumber(readObject(item)?.["start_time"]);
    const endS = readNumber(readObject(item)?.["end_time"]);
    const height = readNumber(readObject(item)?.["value"]);
    return startS === undefined || endS === undefined || height === undefined ? [] : [{ startS, endS, value: height }];
  });
  return heatmap.length === 0 ? undefined : heatmap;
}

/** Part of a sentence for people: short and plain, whatever the file says. */
function nameFor(extractor: string): string {
  return extractor.replaceAll(/[^\w:.-]/g, "").slice(0, 40) || "nameless";
}
