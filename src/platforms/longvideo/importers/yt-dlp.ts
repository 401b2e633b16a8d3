/**
 * `.info.json` of yt-dlp and youtube-dl: a video with its comments, or a playlist with its entries. Files of
 * unsupported sites are skipped with a note; TikTok's belong to another importer.
 */
import type { Collector, Importer, SourceDocument, SourceFile } from "#api/importer.ts";
import { DAY_S } from "#domain/time.ts";
import { type Measured, withoutMargin } from "#import/capture/estimates.ts";
import {
  type Fields,
  nonEmpty,
  omitUnknown,
  readCount,
  readFilledText,
  readFilledTexts,
  readFlag,
  readItems,
  readLanguage,
  readList,
  readMeasure,
  readObject,
  readObjectAt,
  readObjects,
  readTimestamp,
  readText,
} from "#import/capture/field-readers.ts";
import { readTime } from "#import/capture/table-cells.ts";
import { readEmbeddedSubtitles, readExtractor } from "#import/capture/yt-dlp.ts";
import type { NativeVideo } from "../native.ts";
import { findCommentedVideo, isChannelId, readHandle, readPlainId, readVideoId } from "./id-forms.ts";
import { readShownCount } from "./shown-count.ts";
import { readThumbnails, readSingleThumbnail } from "./thumbnails.ts";
import { collectChannel, collectVideo, type CapturedChannel } from "./collect-video.ts";
import { collectTrack } from "./subtitles/collect-track.ts";
import { estimateComputedTime, toMilliseconds } from "./timestamps.ts";
import { isYtDlpComment, readYtDlpComment } from "./yt-dlp-comments.ts";

export const ytDlp: Importer = {
  name: "yt-dlp",

  namesSites: true,
  detects(document) {
    if (document.kind !== "json") return false;
    const info = readObject(document.value);
    if (info === undefined) return false;
    if (isComment(document)) return !isOtherPlatform(document.location?.scalars ?? {});
    return isInfo(info) && !isOtherPlatform(info);
  },

  read(document, file, collect) {
    const info = readObject(document.value);
    if (info === undefined) return;
    const around = document.location?.scalars ?? {};
    if (isComment(document)) return readComment(info, around, file, collect);
    const entry: Fields = isSplitEntry(document)
      ? { ...withChannel(info, around), epoch: info["epoch"] ?? around["epoch"] }
      : info;
    readInfo(entry, toMilliseconds(readTimestamp(entry["epoch"])) ?? document.capturedAt ?? undefined, collect);
  },
};

/** These tools always name the extractor, and the page or the available formats. */
function isInfo(info: Fields): boolean {
  const extracted = typeof info["extractor_key"] === "string" || typeof info["extractor"] === "string";
  if (typeof info["ie_key"] === "string" && typeof info["_type"] === "string" && typeof info["url"] === "string")
    return true;
  return (
    extracted && ["webpage_url", "formats", "_type", "display_id", "fulltitle"].some((key) => info[key] !== undefined)
  );
}

const isYouTube = (extractor: string) => /^youtube(?:$|[:A-Z])/i.test(extractor) && !/^youtubeweb/i.test(extractor);

/** A playlist, a channel or a tab of it. */
const isList = (extractor: string) => /tab|playlist/i.test(extractor);

function isOtherPlatform(info: Fields): boolean {
  return /tiktok/i.test(readExtractor(info));
}

/** A comment that was split off a file too large to read whole, or one of a list of them alone. */
function isComment({ location: within, value }: SourceDocument): boolean {
  if (!isYtDlpComment(value)) return false;
  const { parent, author_id: authorId } = readObjectAt(value);
  return within?.path.at(-1) === "comments" || (typeof parent === "string" && isChannelId(authorId));
}

/** An entry that was split off a playlist too large to read whole. */
function isSplitEntry({ location }: SourceDocument): boolean {
  return location?.path.at(-1) === "entries";
}

function readComment(comment: Fields, info: Fields, file: SourceFile, collect: Collector): void {
  const extractor = readExtractor(info);
  if (extractor !== "" && !isYouTube(extractor)) {
    return collect.skip(`a comment in a file of ${safeName(extractor)}, which is not supported`);
  }
  const within = readVideoId(info["id"]);
  const videoId = within ?? findCommentedVideo(file);
  if (videoId === undefined) return collect.refuse("comments_without_post: as in <id>.json, or --of <id>");
  if (within === undefined) collect.post({ id: videoId });
  readYtDlpComment(comment, videoId, toMilliseconds(readTimestamp(info["epoch"])), collect);
}

function readInfo(info: Fields, capturedAt: number | undefined, collect: Collector): void {
  const extractor = readExtractor(info);
  if (!isYouTube(extractor)) return collect.skip(`a file of ${safeName(extractor)}, which is not supported`);
  if (info["_type"] === "playlist" || info["_type"] === "multi_video") return readPlaylist(info, capturedAt, collect);
  if (isList(extractor)) return collect.skip("a playlist, which has no video of its own");
  readVideoWithParts(withChannel(info, readOwnList(info)), capturedAt, collect);
}

function readVideoWithParts(info: Fields, capturedAt: number | undefined, collect: Collector): void {
  const id = readVideoId(info["id"]);
  if (id === undefined) return collect.refuse("post_without_id");
  if (isListed(info) && /^\[(?:Deleted|Private) video\]$/.test(readText(info["title"]) ?? "")) {
    return collect.skip("a video that is deleted or private");
  }
  readVideo(info, id, capturedAt, collect);
  const replies = Map.groupBy(readObjects(info["comments"]), ({ parent }) => parent);
  for (const item of readItems(info["comments"])) {
    const comment = readObject(item);
    if (comment === undefined) collect.refuse("unknown_record");
    else readYtDlpComment(comment, id, capturedAt, collect, replies.get(comment["id"])?.length);
  }
  for (const track of readEmbeddedSubtitles(info)) collectTrack({ videoId: id, capturedAt, ...track }, collect);
}

/** The playlist of a whole channel has its tabs as playlists within it: videos, shorts and past streams. */
function readPlaylist(info: Fields, capturedAt: number | undefined, collect: Collector, isWithin = false): void {
  collectChannel({ ...readChannel(info), capturedAt }, collect);
  const entries = readObjects(info["entries"]);
  if (entries.length === 0) collect.skip("a playlist, which has no video of its own");
  for (const entry of entries) {
    const extractor = readExtractor(entry);
    const entryCapturedAt = toMilliseconds(readTimestamp(entry["epoch"])) ?? capturedAt;
    if (!isYouTube(extractor)) collect.skip("a playlist entry of an unsupported site");
    else if (entry["_type"] === "playlist" && !isWithin) readPlaylist(entry, entryCapturedAt, collect, true);
    else if (isList(extractor) || entry["_type"] === "playlist") collect.skip("a playlist within a playlist");
    else readVideoWithParts(withChannel(entry, info), entryCapturedAt, collect);
  }
}

/** The videos in a channel's own tab do not repeat its name. The id of such a list is the channel's. */
function withChannel(entry: Fields, list: Fields): Fields {
  const { id, channel_id, channel, uploader_id } = list;
  const isNamed = [entry["channel_id"], entry["channel"], entry["uploader"]].some((name) => typeof name === "string");
  return isNamed || typeof id !== "string" || id !== channel_id
    ? entry
    : { ...entry, channel_id, channel, uploader_id };
}

/** The list that a video of its own line or file was found in. */
function readOwnList(info: Fields): Fields {
  return {
    id: info["playlist_id"],
    channel_id: info["playlist_channel_id"],
    channel: info["playlist_channel"],
    uploader_id: info["playlist_uploader_id"],
  };
}

/** An entry of a flat playlist has what the page lists: the beginning of the description, small pictures, and often rounded views. */
function isListed(info: Fields): boolean {
  return info["_type"] === "url";
}

function readVideo(info: Fields, id: string, capturedAt: number | undefined, collect: Collector): void {
  collectVideo(
    {
      id,
      title: readTitle(info),
      description: readText(info["description"]),
      isExcerpt: isListed(info),
      hasFewThumbnails: isListed(info),
      channel: readChannel(info),
      publishedAt: readPublicationTime(info, capturedAt) ?? readPublicationDay(info),
      language: readLanguage(info["language"]),
      category: readFilledTexts(info["categories"])?.[0],
      durationS: readMeasure(info["duration"]),
      counters: {
        views: isListed(info) ? readShownCount(info["view_count"], 2) : readCount(info["view_count"]),
        likes: readCount(info["like_count"]),
        comments: readCommentCount(info),
      },
      native: {
        keywords: readFilledTexts(info["tags"]),
        thumbnails: listThumbnails(info),
        ...readLiveStatus(info),
        type: TYPES.get(readText(info["media_type"]) ?? "") ?? (isListedShort(info) ? "SHORT" : undefined),
      },
      capturedAt,
    },
    collect,
  );
}

/** The tool adds the time of extraction to the title of a stream that is live. */
function readTitle(info: Fields): string | undefined {
  const titles = [readFilledText(info["title"]), readFilledText(info["fulltitle"])];
  const [title, other] = readLiveStatus(info).isLive === true ? titles.toReversed() : titles;
  return title ?? other;
}

/** YouTube's own link; of a video that was extracted itself it may be as somebody typed it. */
function isListedShort(info: Fields): boolean {
  return isListed(info) && readText(info["url"])?.includes("/shorts/") === true;
}

/** The time of a flat playlist's entry is computed from "2 years ago". */
function readPublicationTime(info: Fields, capturedAt: number | undefined): Measured | undefined {
  const time = readTimestamp(info["timestamp"]);
  return isListed(info) ? estimateComputedTime(time, capturedAt) : time;
}

/**
 * Beside the comments it is their number, which is less than YouTube's where the tool was told to stop earlier. Of a file
 * too large to read whole the comments were split off, and an empty list is left.
 */
function readCommentCount(info: Fields): Measured | undefined {
  const comments = readCount(info["comment_count"]);
  const extracted = readList(info["comments"])?.length;
  const isExtracted = comments !== undefined && (comments === extracted || extracted === 0);
  return isExtracted ? { value: comments, margin: comments } : readShownCount(comments, 2);
}

/** Older files give only the day; a release on that day gives the second. */
function readPublicationDay(info: Fields): Measured | undefined {
  const day = readTime(info["upload_date"]);
  const release = readTimestamp(info["release_timestamp"]);
  const start = withoutMargin(day);
  if (start === undefined) return release;
  return release !== undefined && release >= start && release < start + DAY_S ? release : day;
}

const TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({ video: "NORMAL", livestream: "NORMAL", short: "SHORT" }),
);

function readChannel(info: Fields): CapturedChannel {
  // In older files the uploader's id is the channel's id; in newer ones its handle.
  const uploaderId = readPlainId(info["uploader_id"]);
  return {
    id: readPlainId(info["channel_id"]) ?? (uploaderId?.startsWith("UC") === true ? uploaderId : undefined),
    handle: readHandle(info["uploader_id"]) ?? readHandle(info["uploader_url"]),
    title: readFilledText(info["channel"]) ?? readFilledText(info["uploader"]),
    verified: readFlag(info["channel_is_verified"]),
    followers: readShownCount(info["channel_follower_count"], 3),
  };
}

const LIVE_STATUSES: Record<string, Pick<NativeVideo, "isLive" | "wasLive">> = {
  not_live: { isLive: false, wasLive: false },
  is_live: { isLive: true },
  is_upcoming: { isLive: false },
  was_live: { isLive: false, wasLive: true },
  post_live: { isLive: false, wasLive: true },
};

function readLiveStatus(info: Fields): Pick<NativeVideo, "isLive" | "wasLive"> {
  const status = info["live_status"];
  if (typeof status === "string" && Object.hasOwn(LIVE_STATUSES, status)) return LIVE_STATUSES[status] ?? {};
  return omitUnknown({ isLive: readFlag(info["is_live"]), wasLive: readFlag(info["was_live"]) }) ?? {};
}

/** Most URLs of the list are the tool's guesses; those that YouTube named come with a size. */
function listThumbnails(info: Fields): NativeVideo["thumbnails"] {
  const sized = readThumbnails(info["thumbnails"])?.filter(({ width }) => width !== undefined) ?? [];
  return nonEmpty(sized) ?? readSingleThumbnail(info["thumbnail"]);
}

/** Short and free of control characters, for the import report. */
function safeName(extractor: string): string {
  return extractor.replaceAll(/[^\w:.-]/g, "").slice(0, 40) || "nameless";
}
