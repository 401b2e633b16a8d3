/** Shared datasets of trending videos: one row per video and day. Each table is described by a column map. */
import { suggestCountry } from "#domain/country.ts";
import { toIsoDate } from "#domain/time.ts";
import {
  type Fields,
  nonEmpty,
  readCount,
  readCountry,
  readFilledText,
  readFlag,
  readLanguage,
  readMeasure,
  readPositiveCount,
  readText,
  readTimestamp,
} from "#import/capture/field-readers.ts";
import { parseIsoDuration, readTime, splitAtBars } from "#import/capture/table-cells.ts";
import type { RefusalCode } from "#api/refusals.ts";
import { memoizeBounded } from "../memoize-bounded.ts";
import type { CapturedVideo } from "./collect-video.ts";
import { readPlainId } from "./id-forms.ts";
import { toMilliseconds } from "./timestamps.ts";
import { readSingleThumbnail } from "./thumbnails.ts";

interface ChartedVideo {
  video: CapturedVideo;
  /** YYYY-MM-DD */
  day: string;
  /** Where it is not the order of the rows. */
  rank?: number | undefined;
  /** Where the row has it; null if what it has is not known as one. */
  country?: string | null | undefined;
}

export interface TrendingTable {
  name: string;
  /** Columns that no other table combines. */
  columns: readonly string[];
  read(row: Fields): ChartedVideo | RefusalCode;
}

/** Which column holds what; undefined where the table lacks it. */
interface ColumnMap {
  /** `title` by default. */
  title?: string;
  channelId?: string;
  channelTitle: string;
  publishedAt?: string;
  views: string;
  /** `likes` by default. */
  likes?: string;
  comments: string;
  categoryId?: string;
  thumbnail: string;
  /** `tags` by default. */
  tags?: string;
  rank?: string;
  tagSeparator: string | RegExp;
  /** Unix seconds; also gives the day of the chart. */
  capturedAt(row: Fields): number | undefined;
  /** The code in `country` by default. */
  country?(row: Fields): string | null | undefined;
  /** Fields beyond the common columns; they override them. */
  more?(row: Fields): Partial<CapturedVideo>;
}

function defineTable(name: string, columns: readonly string[], map: ColumnMap): TrendingTable {
  const cell = (row: Fields, column: string | undefined) => (column === undefined ? undefined : row[column]);
  return {
    name,
    columns,
    read(row) {
      const id = readRowVideoId(row);
      const capturedAt = map.capturedAt(row);
      if (id === undefined) return "post_without_id";
      if (capturedAt === undefined) return "chart_row_without_day";
      const { native, ...more } = map.more?.(row) ?? {};
      const video: CapturedVideo = {
        id,
        title: readFilledText(row[map.title ?? "title"]),
        channel: { id: readPlainId(cell(row, map.channelId)), title: readFilledText(row[map.channelTitle]) },
        publishedAt: readTimestamp(cell(row, map.publishedAt)),
        counters: { views: readCount(row[map.views]), ...readReactions(row, map) },
        ...more,
        native: {
          categoryId: readPlainId(cell(row, map.categoryId)),
          keywords: readKeywords(row[map.tags ?? "tags"], map.tagSeparator),
          thumbnails: readSingleThumbnail(row[map.thumbnail]),
          ...native,
        },
        capturedAt: toMilliseconds(capturedAt),
      };
      const country = map.country === undefined ? readCountry(row["country"]) : map.country(row);
      const rank = readPositiveCount(cell(row, map.rank));
      return { video, day: toIsoDate(capturedAt * 1000), rank, country };
    },
  };
}

/** Daily tables, with country and capture time in each row. */
export const dailyTable = defineTable(
  "trending-daily",
  ["video_id", "country", "fetched_at", "channel_id", "category_name"],
  {
    channelId: "channel_id",
    channelTitle: "channel_title",
    publishedAt: "published_at",
    views: "views",
    comments: "comments",
    categoryId: "category_id",
    thumbnail: "thumbnail",
    tagSeparator: /,\s*/,
    capturedAt: (row) => readTimestamp(row["fetched_at"]),
    more: (row) => ({
      language: readLanguage(row["audio_language"]) ?? readLanguage(row["default_language"]),
      category: readFilledText(row["category_name"]),
      durationS: readMeasure(row["duration"]) ?? parseIsoDuration(row["duration_raw"]),
      native: { isLive: readFlag(row["is_live"]) },
    }),
  },
);

/** Kaggle since 2023, the best fifty of 113 countries; of the publication only the day. */
export const kaggle2023 = defineTable("kaggle-trending-2023", ["video_id", "daily_rank", "snapshot_date", "country"], {
  channelId: "channel_id",
  channelTitle: "channel_name",
  views: "view_count",
  likes: "like_count",
  comments: "comment_count",
  thumbnail: "thumbnail_url",
  tags: "video_tags",
  rank: "daily_rank",
  tagSeparator: /,\s*/,
  capturedAt: (row) => readTimestamp(row["snapshot_date"]),
  more: (row) => ({
    description: readFilledText(row["description"]),
    publishedAt: readTime(cellText(row["publish_date"]).replace(/ 00:00:00\+00:00$/, "")),
    // `langauge` is the dataset's own spelling.
    language: readLanguage(row["langauge"]) ?? readLanguage(row["language"]),
  }),
});

const countryByName = memoizeBounded(300, suggestCountry);

/** Kaggle since 2024, worldwide: countries and categories by name, and days as `2024.10.12`. */
export const kaggle2024 = defineTable(
  "kaggle-trending-2024",
  ["video_id", "video_trending__date", "video_trending_country", "video_view_count"],
  {
    title: "video_title",
    channelId: "channel_id",
    channelTitle: "channel_title",
    publishedAt: "video_published_at",
    views: "video_view_count",
    likes: "video_like_count",
    comments: "video_comment_count",
    thumbnail: "video_default_thumbnail",
    tags: "video_tags",
    tagSeparator: ",",
    capturedAt: (row) => readTimestamp(cellText(row["video_trending__date"]).replaceAll(".", "-")),
    country: (row) => {
      const name = readFilledText(row["video_trending_country"]);
      return name === undefined ? undefined : countryByName(name);
    },
    more: (row) => ({
      description: readFilledText(row["video_description"]),
      category: readFilledText(row["video_category_id"]),
      durationS: parseIsoDuration(row["video_duration"]),
    }),
  },
);

/** Kaggle since 2020, with the Data API's column names. */
export const kaggle2020 = defineTable(
  "kaggle-trending-2020",
  ["video_id", "trending_date", "channelId", "categoryId", "publishedAt"],
  {
    channelId: "channelId",
    channelTitle: "channelTitle",
    publishedAt: "publishedAt",
    views: "view_count",
    comments: "comment_count",
    categoryId: "categoryId",
    thumbnail: "thumbnail_link",
    tagSeparator: "|",
    capturedAt: (row) => readTimestamp(row["trending_date"]),
    more: (row) => ({ description: readFilledText(row["description"]) }),
  },
);

/** Kaggle 2018, ten countries: `17.14.11` is 14 November 2017, and line breaks are written as `\n`. */
export const kaggle2018 = defineTable(
  "kaggle-trending-2018",
  ["video_id", "trending_date", "channel_title", "category_id", "publish_time"],
  {
    channelTitle: "channel_title",
    publishedAt: "publish_time",
    views: "views",
    comments: "comment_count",
    categoryId: "category_id",
    thumbnail: "thumbnail_link",
    tagSeparator: "|",
    capturedAt(row) {
      const [, year, date, month] = /^(\d{2})\.(\d{2})\.(\d{2})$/.exec(cellText(row["trending_date"])) ?? [];
      return readTimestamp(`20${year}-${month}-${date}`);
    },
    more: (row) => ({ description: readFilledText(row["description"])?.replaceAll(String.raw`\n`, "\n") }),
  },
);

/** Kaggle 2017: days without a year, and ids that a spreadsheet evaluated as formulas. */
export const kaggle2017 = defineTable(
  "kaggle-trending-2017",
  ["video_id", "channel_title", "category_id", "comment_total", "date"],
  {
    channelTitle: "channel_title",
    views: "views",
    comments: "comment_total",
    categoryId: "category_id",
    thumbnail: "thumbnail_link",
    tagSeparator: "|",
    capturedAt: (row) => parseSpreadsheetDay(row["date"]),
  },
);

/** In JSON, a cell may be anything; an object may even have no text. */
function cellText(value: unknown): string {
  return typeof value === "number" ? String(value) : (readText(value) ?? "");
}

/** Strictly eleven characters: a spreadsheet or a run-together row may leave anything in this column. */
function readRowVideoId(row: Fields): string | undefined {
  const inColumn = /^[\w-]{11}$/.exec(cellText(row["video_id"]))?.[0];
  const inPicture = /\/vi(?:_webp)?\/([\w-]{11})\//.exec(cellText(row["thumbnail_link"] ?? row["thumbnail"]))?.[1];
  return inColumn ?? inPicture;
}

/** Tables write 0 where likes are hidden or comments closed. Only a flag column confirms that 0 is a count. */
function readReactions(row: Fields, { likes = "likes", comments }: ColumnMap): CapturedVideo["counters"] {
  return {
    likes: readFlaggedCount(row[likes], row["ratings_disabled"]),
    comments: readFlaggedCount(row[comments], row["comments_disabled"]),
  };
}

function readFlaggedCount(count: unknown, disabled: unknown): number | undefined {
  if (disabled === undefined) return readPositiveCount(count);
  return readFlag(disabled) === true ? undefined : readCount(count);
}

/** `13.09` is 13 September 2017; `10.1` is 10 October, whose zero a spreadsheet dropped. */
function parseSpreadsheetDay(value: unknown): number | undefined {
  const [, date = "", month = ""] = /^(\d{1,2})\.(\d{1,2})$/.exec(cellText(value)) ?? [];
  return readTimestamp(`2017-${month === "1" ? "10" : month.padStart(2, "0")}-${date.padStart(2, "0")}`);
}

function readKeywords(value: unknown, separator: string | RegExp): string[] | undefined {
  const text = readFilledText(value);
  if (text === undefined || /^\[none\]$/i.test(text)) return undefined;
  return nonEmpty(
    (separator === "|" ? splitAtBars(text) : text.split(separator))
      .map((keyword, index, { length }) => withoutQuotes(keyword.trim(), index === 0, index === length - 1))
      .filter((keyword) => keyword !== ""),
  );
}

/** A table that does not escape the quotes of its keywords loses the first and the last one of the cell. */
function withoutQuotes(keyword: string, isFirst: boolean, isLast: boolean): string {
  const isUnbalanced = keyword.split('"').length % 2 === 0;
  if (isUnbalanced && isFirst && keyword.endsWith('"')) return keyword.slice(0, -1);
  if (isUnbalanced && isLast && keyword.startsWith('"')) return keyword.slice(1);
  return keyword.replace(/^"(.*)"$/s, "$1");
}
