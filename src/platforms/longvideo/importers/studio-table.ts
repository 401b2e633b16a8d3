/**
 * `Table data.csv` of YouTube Studio: a channel's videos with figures of a period. The figures belong to the channel's
 * owner, so only the views are read, and only if the period begins before the video: then they are all its views.
 */
import type { Importer, SourceFile } from "#api/importer.ts";
import { DAY_S } from "#domain/time.ts";
import { baseName } from "#import/capture/document-records.ts";
import { withoutMargin } from "#import/capture/estimates.ts";
import {
  type Fields,
  readCount,
  readFilledText,
  readObject,
  readObjectAt,
  readTimestamp,
} from "#import/capture/field-readers.ts";
import { parseLength, readTime } from "#import/capture/table-cells.ts";
import { collectVideo } from "./collect-video.ts";
import { readIssuedId } from "./id-forms.ts";
import { toMilliseconds } from "./timestamps.ts";

export const studioTable: Importer = {
  name: "youtube studio",

  detects({ kind, value }, file) {
    const row = kind === "row" ? readObject(value) : undefined;
    if (row === undefined) return false;
    return hasColumns(row, "Content", "Video title", "Video publish time") || isChannelTable(row, file);
  },

  read({ value }, file, collect) {
    const row = readObjectAt(value);
    if (!("Content" in row) || "Date" in row) return collect.skip("figures that belong to the channel's owner");
    if (row["Content"] === "Total") return collect.skip("a row of totals");
    const id = readIssuedId(row["Content"]);
    if (id === undefined) return collect.refuse("post_without_id");
    const publishedAt = readTime(row["Video publish time"]);
    const period = periodIn(file);
    const isWhole = period !== undefined && period.from <= (withoutMargin(publishedAt) ?? 0);
    if (!isWhole && readCount(row["Views"]) !== undefined) {
      collect.skip("views of a period that began after the video, or that no file name tells");
    }
    collectVideo(
      {
        id,
        title: readFilledText(row["Video title"]),
        publishedAt,
        durationS: parseLength(row["Duration"]),
        counters: { views: isWhole ? readCount(row["Views"]) : undefined },
        capturedAt: isWhole ? toMilliseconds(period.to + DAY_S) : undefined,
      },
      collect,
    );
  },
};

/** `Content 2024-01-01_2024-05-01 My channel.zip`, as Studio names it: both days are included. */
function periodIn(file: SourceFile): { from: number; to: number } | undefined {
  for (const segment of file.segments) {
    const [, from, to] = /\b(\d{4}-\d\d-\d\d)_(\d{4}-\d\d-\d\d)\b/.exec(segment) ?? [];
    const [start, end] = [readTimestamp(from), readTimestamp(to)];
    if (start !== undefined && end !== undefined) return { from: start, to: end };
  }
  return undefined;
}

/** Tables of the whole channel: by day, country or source of traffic, and the totals beside them. */
function isChannelTable(row: Fields, file: SourceFile): boolean {
  if (hasColumns(row, "Views", "Watch time (hours)")) return true;
  return hasColumns(row, "Date", "Views") && baseName(file) === "Totals.csv" && periodIn(file) !== undefined;
}

function hasColumns(row: Fields, ...columns: string[]): boolean {
  return columns.every((column) => column in row);
}
