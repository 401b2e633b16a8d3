/** Posts of the Apify actor apidojo/tiktok-scraper, as JSON or as a table of flattened columns. */
import type { Importer } from "#api/importer.ts";
import { hasRecord, listRecords } from "#import/capture/document-records.ts";
import { type Fields, isFields, readItems, readObjectAt } from "#import/capture/field-readers.ts";
import { nestRow } from "#import/capture/nested-row.ts";
import { collectItem } from "../recognise/item.ts";
import { videoIdInUrl } from "../video-url.ts";

function isPost(record: Fields): boolean {
  return "views" in record && videoIdInUrl(record["postPage"]) !== undefined;
}

export const apidojo: Importer = {
  name: "apidojo",
  detects: ({ kind, value }) => kind !== "text" && hasRecord(listRecords(value), isPost),
  read({ kind, value }, _file, collect) {
    for (const record of kind === "row" ? [nestRow(readObjectAt(value))] : listRecords(value)) {
      if (isFields(record) && isPost(record)) collectItem(toItem(record), collect);
      else collect.refuse("unknown_record");
    }
  },
};

function toItem(record: Fields): Fields {
  const channel = readObjectAt(record["channel"]);
  const { duration, width, height, ratio, cover, url: playAddr } = readObjectAt(record["video"]);
  return {
    // Spreadsheets round long ids.
    id: videoIdInUrl(record["postPage"]),
    desc: record["title"],
    createTime: record["uploadedAt"] ?? record["uploadedAtFormatted"],
    author: {
      id: channel["id"],
      uniqueId: channel["username"],
      nickname: channel["name"],
      signature: channel["bio"],
      verified: channel["verified"],
      avatarLarger: channel["avatar"],
    },
    authorStats: {
      followerCount: channel["followers"],
      followingCount: channel["following"],
      videoCount: channel["videos"],
    },
    stats: {
      playCount: record["views"],
      diggCount: record["likes"],
      commentCount: record["comments"],
      shareCount: record["shares"],
      collectCount: record["bookmarks"],
    },
    video: { duration, width, height, ratio, cover, playAddr },
    music: toMusic(readObjectAt(record["song"])),
    challenges: readItems(record["hashtags"]).map((title) => ({ title })),
  };
}

function toMusic({ id, title, artist: authorName, album, duration, cover: coverLarge }: Fields): Fields {
  return { id, title, authorName, album, duration, coverLarge };
}
