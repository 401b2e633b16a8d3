/** Apify actors for TikTok: posts, profiles and comments, as JSON or as a table of flattened columns. */
import type { Collector, Importer } from "#api/importer.ts";
import { hasRecord, listRecords } from "#import/capture/document-records.ts";
import {
  type Fields,
  isFields,
  readFlag,
  readItems,
  readObjectAt,
  readObjects,
} from "#import/capture/field-readers.ts";
import { collectComment } from "../recognise/comment.ts";
import { collectItem } from "../recognise/item.ts";
import { collectAccount } from "../recognise/user.ts";
import { videoIdInUrl } from "../video-url.ts";
import { nestRow } from "#import/capture/nested-row.ts";
import { toAuthor, toAuthorStats, toMetaItem } from "./meta-item.ts";

function isPost(record: Fields): boolean {
  return isFields(record["authorMeta"]) && ("webVideoUrl" in record || "videoMeta" in record || "playCount" in record);
}

/** The profile actor's output for an account without posts. */
function isProfile(record: Fields): boolean {
  const author = record["authorMeta"];
  return isFields(author) && "fans" in author && "nickName" in author;
}

function isComment(record: Fields): boolean {
  return "cid" in record && "videoWebUrl" in record;
}

/** The actors' output for a URL that they could not open. */
function isFailure(record: Fields): boolean {
  if (!record["error"] && !record["errorCode"]) return false;
  return [record["url"], record["webVideoUrl"], record["submittedVideoUrl"], record["input"]].some(
    (url) => typeof url === "string" && /^https?:\/\/(?:\w+\.)?tiktok\.com\//.test(url),
  );
}

const isRecord = (record: Fields) => isPost(record) || isProfile(record) || isComment(record) || isFailure(record);

export const apify: Importer = {
  name: "apify",
  detects({ kind, value }) {
    if (kind === "row") return isFields(value) && isRecord(nestRow({ ...value, ...placeholders(value) }));
    return kind === "json" && hasRecord(listRecords(value), isRecord);
  },
  read({ kind, value }, _file, collect) {
    for (const record of kind === "row" ? [nestRow(readObjectAt(value))] : listRecords(value)) {
      if (isFields(record)) collectRecord(record, collect);
      else collect.refuse("unknown_record");
    }
  },
};

/** The columns identify the format, even where this row leaves them empty. */
function placeholders(row: Fields): Fields {
  return Object.fromEntries(
    ["webVideoUrl", "playCount", "cid", "videoWebUrl", "text", "authorMeta/name", "authorMeta.name"]
      .filter((column) => row[column] === "")
      .map((column) => [column, "?"]),
  );
}

function collectRecord(record: Fields, collect: Collector): void {
  if (isComment(record)) collectComment(toComment(record), collect);
  else if (isPost(record)) collectItem(toItem(record), collect);
  else if (isProfile(record)) {
    const author = readObjectAt(record["authorMeta"]);
    collectAccount(toAuthor(author), [toAuthorStats(author)], collect);
  } else if (isFailure(record)) collect.skip("the scraper could not open the page");
  else collect.refuse("unknown_record");
}

function toItem(record: Fields): Fields {
  const video = readObjectAt(record["videoMeta"]);
  const { locationId, locationName, address, city } = readObjectAt(record["locationMeta"]);
  const slides = readFlag(record["isSlideshow"]) === true ? readItems(record["slideshowImageLinks"]) : [];
  return {
    ...toMetaItem(record),
    textLanguage: record["textLanguage"],
    locationCreated: record["locationCreated"],
    video: {
      ...video,
      cover: video["originalCoverUrl"] ?? video["coverUrl"],
      playAddr: slides.length > 0 ? undefined : (readItems(record["mediaUrls"])[0] ?? record["videoUrl"]),
      downloadAddr: video["originalDownloadAddr"] ?? video["downloadAddr"],
    },
    imagePost: {
      images: slides
        .map((slide) => readObjectAt(slide))
        .map(({ tiktokLink, downloadLink }) => ({ imageURL: { urlList: [tiktokLink ?? downloadLink] } })),
    },
    comments: readObjects(record["comments"] ?? record["latestComments"]).map(toComment),
    poi: { id: locationId, name: locationName, address, city },
  };
}

function toComment(record: Fields): Fields {
  return {
    cid: record["cid"] ?? record["id"],
    aweme_id: videoIdInUrl(record["videoWebUrl"]) ?? videoIdInUrl(record["submittedVideoUrl"]),
    text: record["text"],
    create_time: record["createTime"] ?? record["createTimeISO"],
    digg_count: record["diggCount"],
    reply_comment_total: record["replyCommentTotal"],
    reply_id: record["repliesToId"],
    user: {
      uid: record["uid"],
      unique_id: record["uniqueId"],
      avatar_thumb: { url_list: [record["avatarThumbnail"]] },
    },
  };
}
