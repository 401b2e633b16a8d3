/** TikTok's own posts and comments as rows of a table: one column per field, as pandas and pyktok write them. */
import type { Importer } from "#api/importer.ts";
import { isFields, readObjectAt } from "#import/capture/field-readers.ts";
import { nestRow } from "#import/capture/nested-row.ts";
import { recogniseAll } from "../recognise.ts";

/** Of a post of the web or the mobile API, flattened or with an object per cell, and of a comment. */
const SIGNS = [
  ["id", "desc", "stats.diggCount"],
  ["id", "desc", "statsV2.diggCount"],
  ["id", "desc", "author", "stats"],
  ["aweme_id", "desc", "statistics.digg_count"],
  ["aweme_id", "desc", "author", "statistics"],
  ["cid", "aweme_id", "text", "digg_count"],
];

export const nativeTable: Importer = {
  name: "tiktok table",
  detects: ({ kind, value }) =>
    kind === "row" && isFields(value) && SIGNS.some((columns) => columns.every((column) => column in value)),
  read({ value }, file, collect) {
    if (!recogniseAll(nestRow(readObjectAt(value)), { url: null, file }, collect)) collect.refuse("unknown_record");
  },
};
