/** Apify's actors for this platform: posts, profiles and comments as JSON or as a table with spread columns. */
import type { Collector, Importer } from "#contract/importer.ts";
import { collectComment } from "../recognise/comment.ts";
import { type Fields, fieldsOf, isFields, listOf, readFilledText, readFlag } from "../recognise/field-readers.ts";
import { collectItem } from "../recognise/item.ts";
import { collectUser } from "../recognise/user.ts";
import { readVideoAddress } from "../video-address.ts";
import { unflattened } from "./flat-row.ts";
import { toAuthor, toAuthorStats, toMetaItem } from "./meta-item.ts";
import { anyOf, recordsOf } from "./records.ts";

function isPost(record: Fields): boolean {
  return isFields(record["authorMeta"]) && ("webVideoUrl" in record || "videoMeta" in record || "playCount" in record);
}

/** What the profile actor gives for an account without posts. */
function isProfile(record: Fields): boolean {
  const author = record["authorMeta"];
  return isFields(author) && "fans" in author && "nickName" in author;
}

function isComment(record: Fields): boolean {
  return "cid" in record && "videoWebUrl" in record && "text" in record;
}

/** What the actors give for an address that led nowhere. */
function isFailure(record: Fields): boolean {
  if (!("error" in record || "errorCode" in record)) return false;
  return [record["url"], record["webVideoUrl"], record["submittedVideoUrl"], record["input"]].some(
    (address) => typeof address === "string" && /^https?:\/\/(?:\w+\.)?tiktok\.com\//.test(address),
  );
}

const isRecord = (record: Fields) => isPost(record) || isProfile(record) || isComment(record) || isFailure(record);

export const apify: Importer = {
  name: "apify",
  detects({ kind, value }) {
    if (kind === "row") return isFields(value) && isRecord(unflattened({ ...value, ...placeholders(value) }));
    return kind === "json" && anyOf(recordsOf(value), isRecord);
  },
  read({ kind, value }, _file, collect) {
    for (const record of kind === "row" ? [unflattened(fieldsOf(value))] : recordsOf(value)) {
      if (isFields(record)) collectRecord(record, collect);
      else collect.refuse("an entry of Apify's list is no record");
    }
  },
};

/** Columns tell the format, also where this row leaves them empty. */
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
    const author = fieldsOf(record["authorMeta"]);
    if (collectUser(toAuthor(author), [toAuthorStats(author)], collect, "profile") === undefined) {
      collect.refuse("a profile has neither id nor name");
    }
  } else if (isFailure(record)) collect.skip("the scraper says that it found nothing");
  else collect.refuse("an entry of Apify's list is no post, profile or comment");
}

function toItem(record: Fields): Fields {
  const video = fieldsOf(record["videoMeta"]);
  const place = fieldsOf(record["locationMeta"]);
  const slides = readFlag(record["isSlideshow"]) === true ? listOf(record["slideshowImageLinks"]) : [];
  return {
    ...toMetaItem(record),
    id: record["id"] ?? idIn(record["webVideoUrl"]),
    textLanguage: record["textLanguage"],
    locationCreated: record["locationCreated"],
    video: {
      duration: video["duration"],
      width: video["width"],
      height: video["height"],
      cover: video["originalCoverUrl"] ?? video["coverUrl"],
      definition: video["definition"],
      format: video["format"],
      playAddr: slides.length > 0 ? undefined : (listOf(record["mediaUrls"])[0] ?? record["videoUrl"]),
      downloadAddr: video["originalDownloadAddr"] ?? video["downloadAddr"],
    },
    imagePost: {
      images: slides
        .map(fieldsOf)
        .map(({ tiktokLink, downloadLink }) => ({ imageURL: { urlList: [tiktokLink ?? downloadLink] } })),
    },
    poi: {
      id: place["locationId"],
      name: place["locationName"],
      address: place["address"],
      city: place["city"],
    },
  };
}

function toComment(record: Fields): Fields {
  return {
    cid: record["cid"],
    aweme_id: idIn(record["videoWebUrl"]) ?? idIn(record["submittedVideoUrl"]),
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

function idIn(address: unknown): string | undefined {
  const text = readFilledText(address);
  const read = text === undefined ? { reason: "" } : readVideoAddress(text);
  return "id" in read ? read.id : undefined;
}
