/**
 * The cells of a row of a video table by their meaning. Every script names its columns differently, so names are compared
 * without case and punctuation.
 */
import { DAY_S, HOUR_S, MINUTE_S } from "#domain/time.ts";
import {
  type Fields,
  isFields,
  readFilledText,
  readNumber,
  readObject,
  readObjectAt,
} from "#import/capture/field-readers.ts";
import { isFilled, parseLength, readTableCount } from "#import/capture/table-cells.ts";
import { indexByName, listColumns } from "./column-names.ts";
import { isChannelId, isOtherSite, readIssuedId, videoIdInUrl } from "./id-forms.ts";
import { readRounded } from "./shown-count.ts";

/** The names of each column, the best first. */
export const VIDEO_COLUMNS = {
  id: ["videoid", "youtubeid", "youtubevideoid", "ytid", "id"],
  url: ["videourl", "youtubeurl", "watchurl", "videolink", "youtubelink", "webpageurl", "url", "link"],
  title: ["title"],
  description: ["description", "shortdescription"],
  // Beside the owner's columns, those of the channel are the playlist's.
  channelId: ["videoownerchannelid", "channelid", "authorchannelid", "youtuberid", "authorid"],
  channel: ["videoownerchanneltitle", "channeltitle", "channelname", "channel", "uploader", "author", "handlename"],
  channelHandle: ["youtuber", "channelhandle"],
  channelUsername: ["channelusername"],
  channelUrl: ["channelurl", "authorurl", "uploaderurl"],
  followers: ["numberofsubscribers", "subscribercount", "channelsubscribercount"],
  publishedAt: [
    "videopublishedat",
    "publishedat",
    "publishdate",
    "publisheddate",
    "publishtime",
    "uploaddate",
    "datepublished",
    "dateposted",
    "published",
    "publishedtime",
    "publishedtimetext",
    "uploadedat",
    "ago",
  ],
  age: ["publishedtimetext"],
  // The text tells whether the number beside it is rounded.
  views: ["viewsoriginal", "viewcount", "views", "viewscount", "numberofviews", "viewcounttext", "viewcountint"],
  likes: ["likecount", "likes", "likescount", "numberoflikes", "likecounttext", "likecountint"],
  comments: [
    "commentcount",
    "comments",
    "commentscount",
    "numberofcomments",
    "numcomments",
    "commentcounttext",
    "commentcountint",
  ],
  duration: [
    "duration",
    "durationsec",
    "durationseconds",
    "durations",
    "durationinsec",
    "length",
    "lengthseconds",
    "durationformatted",
    "durationstring",
    "durationraw",
    "lengthtext",
  ],
  tags: ["tags", "keywords"],
  categoryId: ["categoryid"],
  category: ["category", "categoryname"],
  genre: ["genre"],
  language: ["defaultaudiolanguage", "audiolanguage", "defaultlanguage", "language"],
  thumbnail: [
    "thumbnail",
    "thumbnailurl",
    "thumbnaillink",
    "thumbnailshighurl",
    "thumbnailsdefaulturl",
    "previewimage",
  ],
  thumbnails: ["thumbnails"],
  type: ["type"],
  liveStatus: ["livebroadcastcontent"],
  isLive: ["islive", "islivenow", "livenow"],
  live: ["live"],
  isUpcoming: ["isupcoming", "upcoming"],
  isLiveContent: ["islivecontent"],
  capturedOn: ["snapshotdate", "trendingdate", "collectiondate"],
  capturedAt: ["scrapedat", "fetchedat", "collectedat", "retrievedat", "crawledat", "capturedat", "timestamp"],
} as const satisfies Record<string, readonly string[]>;

export type VideoColumn = keyof typeof VIDEO_COLUMNS;

/** Some scripts put `video` before all of them: `video_view_count`. */
const NAMES = new Map(
  Object.entries(VIDEO_COLUMNS).map(([column, names]): [VideoColumn, string[]] => [
    column as VideoColumn,
    [...names, ...names.map((name) => `video${name}`)],
  ]),
);
const COLUMNS_BY_NAME = indexByName(NAMES);

export type Cells = Partial<Record<VideoColumn, unknown>>;

/** Cells by the plain names of their columns. */
export type Row = ReadonlyMap<string, unknown>;

export function readRow(value: Fields): Row {
  const parts = NESTED_PARTS.map((name) => readObjectAt(value, name));
  const row = new Map<string, unknown>();
  for (const part of [...parts, value]) for (const name in part) row.set(toPlainName(name), trim(part[name]));
  for (const name of ["title", "published"]) {
    // The page's own texts have runs only.
    const { text } = readObjectAt(row.get(name));
    if (typeof text === "string") row.set(name, text);
  }
  for (const name of NESTED_TEXTS) {
    const nested = readObject(row.get(name));
    const text = nested && readNested(nested);
    if (text !== undefined) row.set(name, text);
  }
  for (const [name, cell] of Object.entries(readNestedChannel(value)))
    if (isFilled(cell) && readFilledText(row.get(name)) === undefined) row.set(name, cell);
  return row;
}

function readNestedChannel(value: Fields): Fields {
  const nested = nestedChannel(value);
  if (nested === undefined) return {};
  const { id, channelID, channelId: camelId, channel_id: snakeId, url, link, canonicalBaseUrl, handle } = nested;
  const channelId = [id, channelID, camelId, snakeId].find(isChannelId);
  const name = nested["name"] ?? nested["title"] ?? nested["channel_name"];
  const channelUrl =
    url ?? link ?? canonicalBaseUrl ?? (typeof handle === "string" ? `@${handle.replace("@", "")}` : undefined);
  // Posts of other sites have authors, too.
  return isFields(value["channel"])
    ? { channelname: name, channelid: channelId, channelurl: channelUrl }
    : { author: name, authorid: channelId, authorurl: channelUrl };
}

/** Objects with columns of the video. */
const NESTED_PARTS = ["stats", "statistics", "player"];

/** What libraries nest: `{text: "5,550 views"}`, `{secondsText: "199"}`, `{minutes: 3, seconds: 19}`. */
const NESTED_TEXTS = ["viewcount", "views", "duration"];

const UNITS_S = { days: DAY_S, hours: HOUR_S, minutes: MINUTE_S, seconds: 1 };

function readNested(nested: Fields): unknown {
  const { text, precise, secondsText, simpleText } = nested;
  let lengthS: number | undefined;
  for (const [unit, unitS] of Object.entries(UNITS_S)) {
    const count = readNumber(nested[unit]);
    if (count !== undefined) lengthS = (lengthS ?? 0) + count * unitS;
  }
  return secondsText ?? lengthS ?? simpleText ?? precise ?? text;
}

export function nestedChannel({ channel, author }: Fields): Fields | undefined {
  return readObject(channel) ?? (readFilledText(channel) === undefined ? readObject(author) : undefined);
}

/** What a column is for; the first of several names may have something else, such as the list of comments. */
const USABLE: Partial<Record<VideoColumn, (cell: unknown) => boolean>> = {
  id: (cell) => readRowId({ id: cell }) !== undefined,
  url: (cell) => videoIdInUrl(cell) !== undefined,
  views: isCount,
  likes: isCount,
  comments: isCount,
  duration: (cell) => parseLength(cell) !== undefined,
};

export function isCount(cell: unknown): boolean {
  return (readTableCount(cell) ?? readRounded(cell)) !== undefined;
}

function isClock(cell: unknown): boolean {
  return typeof cell === "string" && cell.includes(":");
}

/** Columns of Apify's youtube-scraper, of which people keep some. */
const APIFY_COLUMNS = ["numberofsubscribers", "fromyturl", "channelusername", "commentsturnedoff"];

/** Of several columns with the same meaning the first that has a value. */
export function findCells(row: Row): Cells {
  const cells: Cells = {};
  let hasPlainId = false;
  // Elsewhere they may be the day of capture and a transcript.
  const isApify = APIFY_COLUMNS.some((name) => row.has(name)) && row.has("channelurl");
  for (const column of listColumns(row, COLUMNS_BY_NAME)) {
    const present = NAMES.get(column)?.filter((name) => row.has(name)) ?? [];
    const [first] = present;
    const isUsable = USABLE[column] ?? isFilled;
    if (first === undefined) continue;
    const usable = present.filter((candidate) => isUsable(row.get(candidate)));
    // Beside a clock, the number may be milliseconds.
    const clock = column === "duration" ? usable.find((candidate) => isClock(row.get(candidate))) : undefined;
    const name = clock ?? usable[0] ?? first;
    cells[column] = row.get(name);
    hasPlainId ||= name === "id";
  }
  // Posts of other sites may have ids of the same form.
  if (hasPlainId && isOtherSite(cells.url)) cells.id = undefined;
  if (isApify) return { publishedAt: row.get("date"), description: row.get("text"), ...cells };
  return cells;
}

/** Tables made of whole responses name the part: `snippet.title`, `statistics.viewCount`, `id.videoId`. */
function toPlainName(column: string): string {
  const name = column.replace(/^(?:id|snippet|statistics|contentDetails)\./i, "");
  return name.toLowerCase().replaceAll(/[^a-z]/g, "");
}

/** Some tables have a space after each comma. */
function trim(cell: unknown): unknown {
  return typeof cell === "string" ? cell.trim() : cell;
}

export function readRowId({ id, url }: Cells): string | undefined {
  return readIssuedId(id) ?? videoIdInUrl(url) ?? videoIdInUrl(id);
}
