/**
 * Hashtags, songs and videos of TikTok's Creative Center. Its lists count the posts and views of a period, which are not the
 * hashtag's totals, so only the totals in its details (`publish_cnt_all`) are stored.
 */
import type { Importer } from "#api/importer.ts";
import { hasRecord, listRecords } from "#import/capture/document-records.ts";
import { type Fields, readCount, readObject, readObjects } from "#import/capture/field-readers.ts";
import { collectHashtag, readHashtagName } from "../recognise/hashtag.ts";
import { collectItem } from "../recognise/item.ts";
import { collectBareSound } from "../recognise/sound.ts";

export const creativeCenter: Importer = {
  name: "creative-center",
  detects: ({ kind, value }) =>
    kind === "json" && hasRecord(recordsIn(value), (record) => isHashtag(record) || isSong(record) || isVideo(record)),
  read({ value }, _file, collect) {
    for (const record of readObjects(recordsIn(value))) {
      if (isSong(record)) {
        const { clip_id: id, title, author: authorName, duration, cover: coverLarge } = record;
        collectBareSound({ id, title, authorName, duration, coverLarge }, collect);
        continue;
      }
      if (isVideo(record)) {
        const { item_id: id, title: desc, cover, duration } = record;
        collectItem({ id, desc, video: { cover, duration } }, collect);
        continue;
      }
      const name = readHashtagName(record["hashtag_name"]);
      if (name === undefined) {
        collect.refuse("hashtag_without_name");
        continue;
      }
      const counters = { posts: readCount(record["publish_cnt_all"]), views: readCount(record["video_views_all"]) };
      if (counters.posts === undefined && ("publish_cnt" in record || "video_views" in record)) {
        collect.skip("counts of a period, which are not the hashtag's totals");
      }
      collectHashtag(name, { id: record["hashtag_id"] }, collect, counters);
    }
  },
};

/** `data.list`, `data.sound_list` or `data.videos`, the details in `data.info`, or a list that was taken out of them. */
function recordsIn(value: unknown): readonly unknown[] {
  const data = readObject(readObject(value)?.["data"]) ?? value;
  const info = readObject(readObject(data)?.["info"]);
  return info === undefined ? listRecords(data, "list", "sound_list", "videos") : [info];
}

function isHashtag(record: Fields): boolean {
  if (typeof record["hashtag_name"] !== "string" || !("hashtag_id" in record)) return false;
  return ["publish_cnt", "video_views", "rank", "trend", "country_info", "industry_info"].some((key) => key in record);
}

/** TikTok's id of the sound is that of the clip. */
function isSong(record: Fields): boolean {
  return ["clip_id", "song_id", "title", "author"].every((key) => key in record);
}

/** The URLs of all videos have one and the same account in them, which is the author of none. */
function isVideo(record: Fields): boolean {
  return ["item_id", "item_url", "title", "cover", "country_code"].every((key) => key in record);
}
