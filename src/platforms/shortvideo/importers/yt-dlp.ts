/**
 * yt-dlp's `.info.json` of this platform. It names the author's id, name, nickname and secUid `uploader_id`,
 * `uploader`, `channel` and `channel_id`, and calls shares `repost_count`; of the sound it knows no id.
 */
import type { Collector, Importer } from "#api/importer.ts";
import {
  type Fields,
  isFields,
  readFilledText,
  readId,
  readItems,
  readObjectAt,
  readObjects,
  readTimestamp,
} from "#import/capture/field-readers.ts";
import { withCaptureTime } from "#import/capture/with-capture-time.ts";
import { collectItem } from "../recognise/item.ts";
import { readCues } from "./subtitle-cues.ts";

function isOurs(value: unknown): value is Fields {
  if (!isFields(value)) return false;
  const key = value["extractor_key"] ?? value["ie_key"] ?? value["extractor"];
  return (
    typeof key === "string" &&
    /^(?:vm\.)?tiktok/i.test(key) &&
    ("id" in value || "entries" in value || "_type" in value)
  );
}

function isList(record: Fields): boolean {
  return record["_type"] === "playlist" || record["_type"] === "multi_video" || Array.isArray(record["entries"]);
}

export const ytDlp: Importer = {
  name: "yt-dlp",
  detects: ({ kind, value }) =>
    kind === "json" && (isOurs(value) || (Array.isArray(value) && value.slice(0, 20).some(isOurs))),
  read({ value }, _file, collect) {
    for (const record of Array.isArray(value) ? value : [value]) {
      if (isOurs(record)) collectRecord(record, collect);
      else collect.refuse("unknown_record");
    }
  },
};

function collectRecord(record: Fields, collect: Collector): void {
  if (isList(record)) {
    collect.skip("a playlist has no video of its own");
    for (const entry of readObjects(record["entries"])) if (!isList(entry)) collectRecord(entry, collect);
  } else if (/live$/i.test(readFilledText(record["extractor_key"]) ?? "") || record["is_live"] === true) {
    collect.skip("a live broadcast is no post");
  } else if (record["_type"] === "url" && !("timestamp" in record || "description" in record || "title" in record)) {
    collect.skip("an address alone is no post");
  } else {
    const epoch = readTimestamp(record["epoch"]);
    const stamped = withCaptureTime(collect, epoch === undefined ? undefined : epoch * 1000);
    collectItem(toItem(record), stamped);
    collectSubtitles(record, stamped);
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
      duration: record["duration"],
      width: record["width"],
      height: record["height"],
      cover: thumbnail("cover") ?? record["thumbnail"] ?? thumbnails[0]?.["url"],
      originCover: thumbnail("originCover") ?? thumbnail("origin_cover"),
      dynamicCover: thumbnail("dynamicCover") ?? thumbnail("dynamic_cover"),
      format: record["ext"],
      ...mediaOf(record),
    },
    music: {
      title: record["track"],
      authorName: authorNamesOf(record),
      album: record["album"],
    },
  };
}

function authorNamesOf(record: Fields): string | undefined {
  const names = readItems(record["artists"]).flatMap((name) => readFilledText(name) ?? []);
  return names.length > 0 ? names.join(", ") : readFilledText(record["artist"]);
}

/** Formats named `download` bear the platform's mark. */
function isMarked(format: Fields): boolean {
  return formatName(format).startsWith("download") || /watermark/i.test(readFilledText(format["format_note"]) ?? "");
}

function formatName(format: Fields): string {
  return readFilledText(format["format_id"]) ?? "";
}

/** Formats are listed worst first. */
function mediaOf(record: Fields): Fields {
  const formats = readObjects(record["formats"]).filter(
    ({ vcodec, url }) => vcodec !== "none" && typeof url === "string",
  );
  const plain = formats.filter((format) => !isMarked(format));
  const play = plain.find((format) => formatName(format).startsWith("play")) ?? plain.at(-1);
  const chosen = typeof record["url"] === "string" && !isMarked(record) ? record["url"] : undefined;
  const kilobits = play?.["tbr"];
  return {
    playAddr: play?.["url"] ?? chosen,
    downloadAddr: formats.find(isMarked)?.["url"],
    codecType: play?.["vcodec"],
    bitrate: typeof kilobits === "number" ? kilobits * 1000 : undefined,
  };
}

/** Mostly addresses; where the words themselves are in the file they are kept. */
function collectSubtitles(record: Fields, collect: Collector): void {
  const postId = readId(record["id"]);
  if (postId === undefined) return;
  for (const [kind, automatic] of [
    ["subtitles", false],
    ["automatic_captions", true],
  ] as const) {
    for (const [language, tracks] of Object.entries(readObjectAt(record[kind]))) {
      const data = readObjects(tracks)
        .map((track) => readFilledText(track["data"]))
        .find(Boolean);
      const lines = readCues(data ?? "");
      if (lines.length > 0) collect.subtitles({ postId, language, automatic, lines });
    }
  }
}
