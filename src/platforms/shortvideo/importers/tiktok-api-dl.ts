/**
 * Results of tiktok-api-dl: posts and comments of the mobile API under the web's names, but with lengths in
 * milliseconds, lists in place of URLs, and counts in `statistics`.
 */
import type { Importer } from "#api/importer.ts";
import { hasRecord, listRecords } from "#import/capture/document-records.ts";
import {
  type Fields,
  isFields,
  readFlag,
  readItems,
  readNumber,
  readObject,
  readObjectAt,
  readObjects,
} from "#import/capture/field-readers.ts";
import { collectComment } from "../recognise/comment.ts";
import { collectItem } from "../recognise/item.ts";
import { readSubjectPost } from "../recognise/subject.ts";
import { videoIdInUrl } from "../video-url.ts";

function isPost(record: Fields): boolean {
  const { statistics, author } = record;
  if (!isFields(statistics) || !("playCount" in statistics) || !isFields(author)) return false;
  return "desc" in record && ("uniqueId" in author || "username" in author);
}

function isComment(record: Fields): boolean {
  return ["cid", "text", "likeCount", "replyCommentTotal"].every((name) => name in record);
}

export const tiktokApiDl: Importer = {
  name: "tiktok-api-dl",
  detects: ({ kind, value }) =>
    kind === "json" && hasRecord(recordsIn(value), (record) => isPost(record) || isComment(record)),
  read({ value }, file, collect) {
    for (const record of readObjects(recordsIn(value))) {
      if (isPost(record)) collectItem(toItem(record), collect);
      else if (isComment(record)) collectComment(toComment(record), collect, { postId: readSubjectPost(file) });
      else collect.refuse("unknown_record");
    }
  },
};

/** `{status, result}` around one record or a list. */
function recordsIn(value: unknown): readonly unknown[] {
  return listRecords(readObject(value)?.["result"] ?? value);
}

function toItem(record: Fields): Fields {
  const statistics = readObjectAt(record["statistics"]);
  const video = readObjectAt(record["video"]);
  const music = readObjectAt(record["music"]);
  const milliseconds = readNumber(video["duration"]);
  return {
    id: record["id"],
    desc: record["desc"],
    createTime: record["createTime"],
    isAd: record["isADS"],
    author: toUser(readObjectAt(record["author"])),
    stats: { ...statistics, diggCount: statistics["diggCount"] ?? statistics["likeCount"] },
    video: {
      duration: milliseconds === undefined ? undefined : milliseconds / 1000,
      ratio: video["ratio"],
      ...firstOfEach(video, ["cover", "originCover", "dynamicCover", "playAddr", "downloadAddr"]),
    },
    imagePost: { images: readItems(record["images"]).map((url) => ({ imageURL: { urlList: [url] } })) },
    // The tool has rounded the id, so that several sounds share one.
    music: {
      title: music["title"],
      authorName: music["author"],
      album: music["album"],
      duration: music["duration"],
      original: music["isOriginalSound"],
      ...firstOfEach(music, ["playUrl", "coverLarge", "coverMedium", "coverThumb"]),
    },
    textExtra: readItems(record["hashtag"]).map((hashtagName) => ({ hashtagName })),
  };
}

function toComment(record: Fields): Fields {
  const user = readObjectAt(record["user"]);
  return {
    cid: record["cid"],
    aweme_id: videoIdInUrl(record["url"]),
    text: record["text"],
    create_time: record["createTime"],
    digg_count: record["likeCount"],
    reply_comment_total: record["replyCommentTotal"],
    user: toUser(user),
    reply_comment: readObjects(record["replyComment"]).map(toComment),
  };
}

/** The mobile API does not say whether somebody is verified, so `isVerified: false` may be unknown. */
function toUser(user: Fields): Fields {
  return {
    uid: user["uid"],
    uniqueId: user["uniqueId"] ?? user["username"],
    nickname: user["nickname"],
    signature: user["signature"],
    region: user["region"],
    verified: readFlag(user["isVerified"]) === true ? true : undefined,
    ...firstOfEach(user, ["avatarThumb", "avatarMedium", "avatarLarger"]),
  };
}

function firstOfEach(record: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, readItems(record[name])[0] ?? record[name]]));
}
