/** A post as TikTok-Content-Scraper writes it, one to a file: the site's data under other names, and no URLs. */
import type { Importer } from "#api/importer.ts";
import { hasRecord, listRecords } from "#import/capture/document-records.ts";
import { type Fields, isFields, readItems, readObjectAt, readObjects } from "#import/capture/field-readers.ts";
import { collectItem } from "../recognise/item.ts";
import { withLocalTimes } from "./post-tables.ts";

function isPost({ video_metadata, author_metadata }: Fields): boolean {
  return isFields(video_metadata) && "diggcount" in video_metadata && isFields(author_metadata);
}

export const tiktokContentScraper: Importer = {
  name: "tiktok-content-scraper",
  detects: ({ kind, value }) => kind === "json" && hasRecord(listRecords(value), isPost),
  read({ value }, _file, collect) {
    for (const record of listRecords(value)) {
      if (isFields(record) && isPost(record)) collectItem(toItem(record), withLocalTimes(collect));
      else collect.refuse("unknown_record");
    }
  },
};

function toItem(record: Fields): Fields {
  const video = readObjectAt(record["video_metadata"]);
  const { duration, width, height } = readObjectAt(record["file_metadata"]);
  const music = readObjectAt(record["music_metadata"]);
  const author = readObjectAt(record["author_metadata"]);
  const hashtags = readObjects(record["hashtags_metadata"]);
  return {
    id: video["id"],
    desc: video["description"],
    createTime: video["time_created"],
    isAd: video["is_ad"],
    locationCreated: video["location_created"],
    textLanguage: video["text_language"],
    diversificationLabels: video["diversification_labels"],
    author: {
      id: author["id"] ?? video["author_id"],
      uniqueId: author["username"],
      nickname: author["name"],
      signature: author["signature"],
      createTime: author["create_time"],
      verified: author["verified"],
      privateAccount: author["private_account"],
    },
    stats: {
      playCount: video["playcount"],
      diggCount: video["diggcount"],
      commentCount: video["commentcount"],
      shareCount: video["sharecount"],
      collectCount: video["collectcount"],
      repostCount: video["repostcount"],
    },
    video: { duration, width, height },
    music: {
      id: music["id"] ?? video["music_id"],
      title: music["title"],
      authorName: music["author_name"],
      original: music["original"],
    },
    challenges: hashtags.map(({ id, name, description }) => ({ id, title: name, desc: description })),
    textExtra: readItems(video["mentions"]).map((userId) => ({ userId })),
  };
}
