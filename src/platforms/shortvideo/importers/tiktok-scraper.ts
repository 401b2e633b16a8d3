/** tiktok-scraper: its `collector` list as JSON, and its tables, which had nine columns in the first versions. */
import type { Importer, SourceDocument } from "#api/importer.ts";
import { hasRecord, listRecords } from "#import/capture/document-records.ts";
import { type Fields, isFields, readList, readObjectAt } from "#import/capture/field-readers.ts";
import { collectItem } from "../recognise/item.ts";
import { nestRow } from "#import/capture/nested-row.ts";
import { toMetaItem } from "./meta-item.ts";

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

function isEmptyResult({ kind, value, splitPaths }: SourceDocument): boolean {
  if (kind !== "json" || splitPaths !== undefined) return false;
  const { headers, collector, ...rest } = readObjectAt(value);
  // An object beside them may be a record.
  return isFields(headers) && readList(collector)?.length === 0 && !Object.values(rest).some(isFields);
}

export const tiktokScraper: Importer = {
  name: "tiktok-scraper",
  detects(document) {
    const { kind, value } = document;
    if (kind === "row") return isFields(value) && isRow(value);
    if (isEmptyResult(document)) return true;
    return kind === "json" && hasRecord(listRecords(value, "collector"), isCollected);
  },
  read(document, _file, collect) {
    const { kind, value } = document;
    if (kind === "row") return collectItem(toItem(nestRow(readObjectAt(value))), collect);
    if (isEmptyResult(document)) return collect.skip("an empty response");
    for (const record of listRecords(value, "collector")) {
      if (isFields(record)) collectItem(toItem(record), collect);
      else collect.refuse("unknown_record");
    }
  },
};

function toItem(record: Fields): Fields {
  const item = toMetaItem(record);
  const covers = readObjectAt(record["covers"]);
  return {
    ...item,
    // The nine-column tables identify people and sounds by id alone.
    author: { ...readObjectAt(item["author"]), id: readObjectAt(record["authorMeta"])["id"] ?? record["authorId"] },
    music: { ...readObjectAt(item["music"]), id: readObjectAt(record["musicMeta"])["musicId"] ?? record["musicId"] },
    video: {
      ...readObjectAt(record["videoMeta"]),
      cover: covers["default"] ?? record["imageUrl"],
      originCover: covers["origin"],
      dynamicCover: covers["dynamic"],
      playAddr: record["videoUrlNoWaterMark"],
      downloadAddr: record["videoUrl"],
    },
  };
}
