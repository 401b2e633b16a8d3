/**
 * `.info.json` of yt-dlp and youtube-dl: a video with its comments, or a playlist with its entries. What was downloaded
 * from other sites is named and left out; short videos and photos belong to the slices of their platforms.
 */
import type { Collector, Importer, SourceDocument } from "#contract/importer.ts";
import type { NativeVideo } from "../native.ts";
import { collectChannel, collectVideo, type SeenChannel } from "./collect-video.ts";
import {
  addressOf,
  countOf,
  type Fields,
  fieldsOf,
  flagOf,
  handleOf,
  idOf,
  languageOf,
  listOf,
  numberOf,
  textOf,
  textsOf,
  thumbnailOf,
  videoIdOf,
} from "./field-readers.ts";
import { compactDayOf, lengthOf, milliseconds, unixSeconds } from "./moments.ts";
import { readEmbeddedSubtitles } from "./yt-dlp-subtitles.ts";
import { isYtDlpComment, readYtDlpComment } from "./yt-dlp-comments.ts";

export const ytDlp: Importer = {
  name: "yt-dlp",

  detects(document) {
    if (document.kind !== "json") return false;
    const info = fieldsOf(document.value);
    if (info === undefined) return false;
    if (isComment(document)) return !isOfOtherSlice(document.within?.scalars ?? {});
    return isInfo(info) && !isOfOtherSlice(info);
  },

  read(document, _file, collect) {
    const info = fieldsOf(document.value);
    if (info === undefined) return;
    if (isComment(document)) {
      readComment(info, document.within?.scalars ?? {}, collect);
      return;
    }
    readInfo(info, milliseconds(unixSeconds(info["epoch"])) ?? document.capturedAt ?? undefined, collect);
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
  const videoId = videoIdOf(around["id"]);
  if (videoId === undefined) collect.refuse("comment stands before the id of its video");
  else readYtDlpComment(comment, videoId, milliseconds(unixSeconds(around["epoch"])), collect);
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
  const id = videoIdOf(info["id"]);
  if (id === undefined) {
    collect.refuse("video has no id");
    return;
  }
  readVideo(info, id, capturedAt, collect);
  for (const item of listOf(info["comments"])) {
    const comment = fieldsOf(item);
    if (comment === undefined) collect.refuse("comment is no object");
    else readYtDlpComment(comment, id, capturedAt, collect);
  }
  readEmbeddedSubtitles(info, id, collect);
}

function readPlaylist(info: Fields, capturedAt: number | undefined, collect: Collector): void {
  collectChannel({ ...channelOf(info), capturedAt }, collect);
  const entries = listOf(info["entries"]).flatMap((entry): Fields[] => {
    const fields = fieldsOf(entry);
    return fields === undefined ? [] : [fields];
  });
  if (entries.length === 0) collect.skip("a playlist file, which has no video of its own");
  for (const entry of entries) {
    const id = videoIdOf(entry["id"]);
    if (entry["_type"] === "playlist") collect.skip("a playlist within a playlist");
    else if (!isYouTube(extractorOf(entry))) collect.skip("an entry that is not of this platform");
    else if (id === undefined) collect.refuse("playlist entry has no id");
    else {
      readVideo(entry, id, milliseconds(unixSeconds(entry["epoch"])) ?? capturedAt, collect);
    }
  }
}

function readVideo(info: Fields, id: string, capturedAt: number | undefined, collect: Collector): void {
  collectVideo(
    {
      id,
      title: textOf(info["title"]) ?? textOf(info["fulltitle"]),
      description: textOf(info["description"]),
      channel: channelOf(info),
      publishedAt: unixSeconds(info["timestamp"]) ?? publicationDay(info),
      language: languageOf(info["language"]),
      category: textsOf(info["categories"])?.[0],
      durationS: lengthOf(info["duration"]),
      counters: {
        views: countOf(info["view_count"]),
        likes: countOf(info["like_count"]),
        comments: countOf(info["comment_count"]),
      },
      native: {
        keywords: textsOf(info["tags"]),
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
  const day = compactDayOf(info["upload_date"]);
  const release = unixSeconds(info["release_timestamp"]);
  if (day === undefined) return release;
  return release !== undefined && release >= day && release < day + 86_400 ? release : day;
}

const KINDS: Record<string, string | undefined> = { video: "NORMAL", livestream: "NORMAL", short: "SHORT" };

function channelOf(info: Fields): SeenChannel {
  // Old files write the channel's id as the uploader's; newer ones its handle.
  const uploaderId = idOf(info["uploader_id"]);
  return {
    id: idOf(info["channel_id"]) ?? (uploaderId?.startsWith("UC") === true ? uploaderId : undefined),
    handle: handleOf(info["uploader_id"]) ?? handleOf(info["uploader_url"]),
    title: textOf(info["channel"]) ?? textOf(info["uploader"]),
    verified: flagOf(info["channel_is_verified"]),
    followers: countOf(info["channel_follower_count"]),
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
  const isLive = flagOf(info["is_live"]);
  const wasLive = flagOf(info["was_live"]);
  return { ...(isLive === undefined ? {} : { isLive }), ...(wasLive === undefined ? {} : { wasLive }) };
}

/** Most of the list are addresses that the tool has guessed; those that the platform named come with a size. */
function thumbnailsOf(info: Fields): NativeVideo["thumbnails"] {
  const sized = listOf(info["thumbnails"]).flatMap((item) => {
    const thumbnail = thumbnailOf(item);
    return thumbnail?.width === undefined ? [] : [thumbnail];
  });
  const main = addressOf(info["thumbnail"]);
  if (sized.length > 0) return sized;
  return main === undefined ? undefined : [{ url: main }];
}

function chaptersOf(value: unknown): NativeVideo["chapters"] {
  const chapters = listOf(value).flatMap((item) => {
    const startS = numberOf(fieldsOf(item)?.["start_time"]);
    const title = textOf(fieldsOf(item)?.["title"]);
    return startS === undefined ? [] : [{ startS, ...(title === undefined ? {} : { title }) }];
  });
  return chapters.length === 0 ? undefined : chapters;
}

function heatmapOf(value: unknown): NativeVideo["heatmap"] {
  const heatmap = listOf(value).flatMap((item) => {
    const startS = numberOf(fieldsOf(item)?.["start_time"]);
    const endS = numberOf(fieldsOf(item)?.["end_time"]);
    const height = numberOf(fieldsOf(item)?.["value"]);
    return startS === undefined || endS === undefined || height === undefined ? [] : [{ startS, endS, value: height }];
  });
  return heatmap.length === 0 ? undefined : heatmap;
}

/** Part of a sentence for people: short and plain, whatever the file says. */
function nameFor(extractor: string): string {
  return extractor.replaceAll(/[^\w:.-]/g, "").slice(0, 40) || "nameless";
}
