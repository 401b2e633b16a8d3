/**
 * yt-dlp's `.info.json` for TikTok. It names the author's id, name, nickname and secUid `uploader_id`, `uploader`,
 * `channel` and `channel_id`, and shares `repost_count`; the sound has no id.
 */
import type { Collector, Importer } from "#api/importer.ts";
import { hasRecord, listRecords } from "#import/capture/document-records.ts";
import {
  type Fields,
  isFields,
  readFilledText,
  readId,
  readFilledTexts,
  readItems,
  readObjects,
  readTimestamp,
} from "#import/capture/field-readers.ts";
import { withCaptureTime } from "#import/capture/with-capture-time.ts";
import { readEmbeddedSubtitles, readExtractor } from "#import/capture/yt-dlp.ts";
import { collectItem } from "../recognise/item.ts";

function isTikTokInfo(value: unknown): value is Fields {
  return (
    isFields(value) &&
    /^(?:vm\.)?tiktok/i.test(readExtractor(value)) &&
    ("id" in value || "entries" in value || "_type" in value)
  );
}

function isPlaylist(record: Fields): boolean {
  return record["_type"] === "playlist" || record["_type"] === "multi_video" || Array.isArray(record["entries"]);
}

export const ytDlp: Importer = {
  name: "yt-dlp",
  detects: ({ kind, value }) => kind === "json" && hasRecord(listRecords(value), isTikTokInfo),
  read({ value, location }, _file, collect) {
    for (const record of listRecords(value)) {
      if (isTikTokInfo(record)) collectRecord(record, location?.scalars["epoch"], collect);
      else collect.refuse("unknown_record");
    }
  },
};

/** The entries of a list do not repeat its time. */
function collectRecord(record: Fields, listEpoch: unknown, collect: Collector): void {
  const epoch = readTimestamp(record["epoch"]) ?? readTimestamp(listEpoch);
  if (isPlaylist(record)) {
    collect.skip("a playlist, which has no video of its own");
    for (const entry of readObjects(record["entries"])) if (!isPlaylist(entry)) collectRecord(entry, epoch, collect);
  } else if (/live$/i.test(readFilledText(record["extractor_key"]) ?? "") || record["is_live"] === true) {
    collect.skip("a live broadcast, which is not a post");
  } else if (record["_type"] === "url" && !("timestamp" in record || "description" in record || "title" in record)) {
    collect.skip("a URL without a post");
  } else {
    const timed = withCaptureTime(collect, epoch === undefined ? undefined : epoch * 1000);
    collectItem(toItem(record), timed);
    collectSubtitles(record, timed);
  }
}

function toItem(record: Fields): Fields {
  const thumbnails = readObjects(record["thumbnails"]);
  const thumbnail = (id: string) => thumbnails.find((candidate) => candidate["id"] === id)?.["url"];
  return {
    id: record["id"],
    desc: record["description"] ?? record["fulltitle"] ?? record["title"],
    createTime: record["timestamp"] ?? record["upload_date"],
    author: {
      id: record["uploader_id"],
      uniqueId: record["uploader"],
      nickname: record["channel"] ?? record["creator"] ?? readItems(record["creators"])[0],
      secUid: record["channel_id"],
      verified: record["channel_is_verified"],
    },
    authorStats: { followerCount: record["channel_follower_count"] },
    stats: {
      playCount: record["view_count"],
      diggCount: record["like_count"],
      commentCount: record["comment_count"],
      shareCount: record["repost_count"],
      collectCount: record["save_count"],
    },
    video: {
      cover: thumbnail("cover") ?? record["thumbnail"] ?? thumbnails[0]?.["url"],
      originCover: thumbnail("originCover") ?? thumbnail("origin_cover"),
      dynamicCover: thumbnail("dynamicCover") ?? thumbnail("dynamic_cover"),
      ...(hasVideo(record) ? readMedia(record) : {}),
    },
    music: {
      title: record["track"],
      authorName: readFilledTexts(record["artists"])?.join(", ") ?? record["artist"],
      album: record["album"],
    },
  };
}

/** Formats named `download` carry TikTok's watermark. */
function isWatermarked(format: Fields): boolean {
  return formatName(format).startsWith("download") || /watermark/i.test(readFilledText(format["format_note"]) ?? "");
}

function formatName(format: Fields): string {
  return readFilledText(format["format_id"]) ?? "";
}

/** In a flat list, `url` is the post's page. */
function isLink(record: Fields): boolean {
  return record["_type"] === "url" || record["_type"] === "url_transparent";
}

/** A photo post has no video; its only format is its sound. */
function hasVideo(record: Fields): boolean {
  const formats = readObjects(record["formats"]);
  return (formats.length === 0 ? [record] : formats).some(({ vcodec }) => vcodec !== "none");
}

/** Formats are listed worst first. */
function readMedia(record: Fields): Fields {
  const formats = readObjects(record["formats"]).filter(
    ({ vcodec, url }) => vcodec !== "none" && typeof url === "string",
  );
  const clean = formats.filter((format) => !isWatermarked(format));
  const play = clean.find((format) => formatName(format).startsWith("play")) ?? clean.at(-1);
  const chosen = record["vcodec"] === "none" || isWatermarked(record) || isLink(record) ? undefined : record["url"];
  const kilobits = play?.["tbr"];
  return {
    duration: record["duration"],
    width: record["width"],
    height: record["height"],
    format: record["ext"],
    playAddr: play?.["url"] ?? chosen,
    downloadAddr: formats.find(isWatermarked)?.["url"],
    codecType: play?.["vcodec"],
    bitrate: typeof kilobits === "number" ? kilobits * 1000 : undefined,
  };
}

function collectSubtitles(record: Fields, collect: Collector): void {
  const postId = readId(record["id"]);
  if (postId === undefined) return;
  for (const track of readEmbeddedSubtitles(record)) {
    if (track.lines.length > 0) collect.subtitles({ postId, ...track });
  }
}
