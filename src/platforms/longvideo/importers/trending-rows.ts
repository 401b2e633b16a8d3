/** The tables of trending videos that people share, a reader per dialect: one row is one video on one day's chart. */
import type { SeenVideo } from "./collect-video.ts";
import {
  countOf,
  countryOf,
  type Fields,
  flagOf,
  idOf,
  languageOf,
  positive,
  textOf,
  thumbnailOf,
} from "./field-readers.ts";
import { dayOf, isoLengthOf, lengthOf, milliseconds, momentOf } from "./moments.ts";

export interface ChartedVideo {
  video: SeenVideo;
  /** YYYY-MM-DD */
  day: string;
  /** Where the row itself says. */
  country?: string | undefined;
}

export interface TrendingDialect {
  name: string;
  /** Columns that together no other table has. */
  columns: readonly string[];
  /** The reason for which a row cannot be read, in its place. */
  read(row: Fields): ChartedVideo | string;
}

const NO_ID = "trending row has no video id";
const NO_DAY = "trending row has no day that can be read; rows may be glued together";

/** Daily tables: country and moment of the capture in each row. */
export const dailyTable: TrendingDialect = {
  name: "trending-daily",
  columns: ["video_id", "country", "fetched_at", "channel_id", "category_name"],
  read(row) {
    const id = rowVideoId(row);
    const fetchedAt = momentOf(row["fetched_at"]);
    if (id === undefined) return NO_ID;
    if (fetchedAt === undefined) return NO_DAY;
    const video: SeenVideo = {
      id,
      title: textOf(row["title"]),
      channel: { id: idOf(row["channel_id"]), title: textOf(row["channel_title"]) },
      publishedAt: momentOf(row["published_at"]),
      language: languageOf(row["audio_language"]) ?? languageOf(row["default_language"]),
      category: textOf(row["category_name"]),
      durationS: lengthOf(row["duration"]) ?? isoLengthOf(row["duration_raw"]),
      counters: {
        views: countOf(row["views"]),
        // These tables write nought where likes are hidden or comments closed.
        likes: positive(countOf(row["likes"])),
        comments: positive(countOf(row["comments"])),
      },
      native: {
        categoryId: idOf(row["category_id"]),
        keywords: keywordsOf(row["tags"], /,\s*/),
        thumbnails: picture(row["thumbnail"]),
        isLive: flagOf(row["is_live"]),
      },
      capturedAt: milliseconds(fetchedAt),
    };
    return { video, day: dayOf(fetchedAt), country: countryOf(row["country"]) };
  },
};

/** Kaggle since 2020: column names as the Data API writes them. */
export const kaggle2020: TrendingDialect = {
  name: "kaggle-trending-2020",
  columns: ["video_id", "trending_date", "channelId", "categoryId", "publishedAt"],
  read(row) {
    const id = rowVideoId(row);
    const day = momentOf(row["trending_date"]);
    if (id === undefined) return NO_ID;
    if (day === undefined) return NO_DAY;
    const video: SeenVideo = {
      id,
      title: textOf(row["title"]),
      description: textOf(row["description"]),
      channel: { id: idOf(row["channelId"]), title: textOf(row["channelTitle"]) },
      publishedAt: momentOf(row["publishedAt"]),
      counters: { views: countOf(row["view_count"]), ...flaggedCounts(row, row["comment_count"]) },
      native: {
        categoryId: idOf(row["categoryId"]),
        keywords: keywordsOf(row["tags"], "|"),
        thumbnails: picture(row["thumbnail_link"]),
      },
      capturedAt: milliseconds(day),
    };
    return { video, day: dayOf(day) };
  },
};

/** Kaggle 2018, the ten countries: `17.14.11` is the 14th of November 2017; line breaks are written out as `\n`. */
export const kaggle2018: TrendingDialect = {
  name: "kaggle-trending-2018",
  columns: ["video_id", "trending_date", "channel_title", "category_id", "publish_time"],
  read(row) {
    const id = rowVideoId(row);
    const [, year, date, month] = /^(\d{2})\.(\d{2})\.(\d{2})$/.exec(String(row["trending_date"])) ?? [];
    const day = momentOf(`20${year}-${month}-${date}`);
    if (id === undefined) return NO_ID;
    if (day === undefined) return NO_DAY;
    const video: SeenVideo = {
      id,
      title: textOf(row["title"]),
      description: textOf(row["description"])?.replaceAll(String.raw`\n`, "\n"),
      channel: { title: textOf(row["channel_title"]) },
      publishedAt: momentOf(row["publish_time"]),
      counters: { views: countOf(row["views"]), ...flaggedCounts(row, row["comment_count"]) },
      native: {
        categoryId: idOf(row["category_id"]),
        keywords: keywordsOf(row["tags"], "|"),
        thumbnails: picture(row["thumbnail_link"]),
      },
      capturedAt: milliseconds(day),
    };
    return { video, day: dayOf(day) };
  },
};

/** Kaggle 2017: days without a year, and ids that a spreadsheet has taken for formulas. */
export const kaggle2017: TrendingDialect = {
  name: "kaggle-trending-2017",
  columns: ["video_id", "channel_title", "category_id", "comment_total", "date"],
  read(row) {
    const id = rowVideoId(row);
    const day = spreadsheetDay(row["date"]);
    if (id === undefined) return NO_ID;
    if (day === undefined) return NO_DAY;
    const video: SeenVideo = {
      id,
      title: textOf(row["title"]),
      channel: { title: textOf(row["channel_title"]) },
      counters: {
        views: countOf(row["views"]),
        likes: positive(countOf(row["likes"])),
        comments: positive(countOf(row["comment_total"])),
      },
      native: {
        categoryId: idOf(row["category_id"]),
        keywords: keywordsOf(row["tags"], "|"),
        thumbnails: picture(row["thumbnail_link"]),
      },
      capturedAt: milliseconds(day),
    };
    return { video, day: dayOf(day) };
  },
};

/** Strictly eleven letters: what a spreadsheet or a glued row left in this column is no id. */
function rowVideoId(row: Fields): string | undefined {
  const inColumn = /^[\w-]{11}$/.exec(String(row["video_id"]))?.[0];
  const inPicture = /\/vi(?:_webp)?\/([\w-]{11})\//.exec(String(row["thumbnail_link"] ?? row["thumbnail"]))?.[1];
  return inColumn ?? inPicture;
}

/** Where comments or ratings are closed, the counts beside the flag are nought and say nothing. */
function flaggedCounts(row: Fields, comments: unknown) {
  return {
    likes: flagOf(row["ratings_disabled"]) === true ? undefined : countOf(row["likes"]),
    comments: flagOf(row["comments_disabled"]) === true ? undefined : countOf(comments),
  };
}

/** `13.09` is 13 September 2017; a spreadsheet has made `10.1` of 10 October. */
function spreadsheetDay(value: unknown): number | undefined {
  const [, date = "", month = ""] = /^(\d{1,2})\.(\d{1,2})$/.exec(String(value)) ?? [];
  return momentOf(`2017-${month === "1" ? "10" : month.padStart(2, "0")}-${date.padStart(2, "0")}`);
}

function keywordsOf(value: unknown, separator: string | RegExp): string[] | undefined {
  const text = textOf(value);
  if (text === undefined || /^\[none\]$/i.test(text)) return undefined;
  const keywords = text
    .split(separator)
    .map((keyword) => keyword.trim().replace(/^"(.*)"$/s, "$1"))
    .filter((keyword) => keyword !== "");
  return keywords.length === 0 ? undefined : keywords;
}

function picture(url: unknown) {
  const thumbnail = thumbnailOf({ url });
  return thumbnail === undefined ? undefined : [thumbnail];
}
