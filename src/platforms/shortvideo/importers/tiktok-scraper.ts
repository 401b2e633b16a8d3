/** tiktok-scraper: its `collector` list as JSON, and its tables, of which the first versions had nine columns. */
import type { Importer } from "#contract/importer.ts";
import { type Fields, fieldsOf, isFields } from "../recognise/field-readers.ts";
import { collectItem } from "../recognise/item.ts";
import { unflattened } from "./flat-row.ts";
import { toMetaItem } from "./meta-item.ts";
import { anyOf, recordsOf } from "./records.ts";

function isCollected(record: Fields): boolean {
  return (
    isFields(record["authorMeta"]) &&
    ("covers" in record || "secretID" in record || "videoUrlNoWaterMark" in record || "imageUrl" in record)
  );
}

const FIRST_COLUMNS = ["id", "text", "createTime", "authorId", "musicId", "videoUrl", "diggCount"];

function isRow(row: Fields): boolean {
  if (FIRST_COLUMNS.every((column) => column in row)) return true;
  return "authorMeta.name" in row && ("secretID" in row || "covers.default" in row || "videoUrlNoWaterMark" in row);
}

export const tiktokScraper: Importer = {
  name: "tiktok-scraper",
  detects({ kind, value }) {
    if (kind === "row") return isFields(value) && isRow(value);
    return kind === "json" && anyOf(recordsOf(value, "collector"), isCollected);
  },
  read({ kind, value }, _file, collect) {
    if (kind === "row") {
      collectItem(toItem(unflattened(fieldsOf(value))), collect);
      return;
    }
    for (const record of recordsOf(value, "collector")) {
      if (isFields(record)) collectItem(toItem(record), collect);
      else collect.refuse("an entry of tiktok-scraper's list is no post");
    }
  },
};

function toItem(record: Fields): Fields {
  const item = toMetaItem(record);
  const covers = fieldsOf(record["covers"]);
  const video = fieldsOf(record["videoMeta"]);
  const marked = record["videoUrl"];
  const unmarked = typeof record["videoUrlNoWaterMark"] === "string" && record["videoUrlNoWaterMark"] !== "";
  return {
    ...item,
    // The nine columns of the first tables know people and sounds by id alone.
    author: { ...fieldsOf(item["author"]), id: fieldsOf(record["authorMeta"])["id"] ?? record["authorId"] },
    music: { ...fieldsOf(item["music"]), id: fieldsOf(record["musicMeta"])["musicId"] ?? record["musicId"] },
    video: {
      duration: video["duration"],
      width: video["width"],
      height: video["height"],
      cover: covers["default"] ?? record["imageUrl"],
      originCover: covers["origin"],
      dynamicCover: covers["dynamic"],
      playAddr: unmarked ? record["videoUrlNoWaterMark"] : marked,
      downloadAddr: unmarked ? marked : undefined,
    },
  };
}
