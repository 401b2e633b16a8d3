/**
 * Tables of videos that people make themselves, mostly with the Data API: a row per video, with an id or a watch URL, a
 * title and some more. Every script names its columns differently, so names are compared without case and punctuation.
 */
import type { Collector, Importer, SourceDocument, SourceFile } from "#api/importer.ts";
import { hasRecord } from "#import/capture/document-records.ts";
import {
  type Fields,
  isFields,
  readCount,
  readFilledText,
  readLanguage,
  readNumber,
  readObject,
  readObjectAt,
  readObjects,
  readPositiveCount,
  readTimestamp,
} from "#import/capture/field-readers.ts";
import type { Measured } from "#import/capture/estimates.ts";
import { htmlToText } from "#import/capture/html-text.ts";
import { parseLength, readTableCount, readTime, splitList } from "#import/capture/table-cells.ts";
import { readLiveStatus } from "../recognise/data-api-videos.ts";
import { readDisplayedCount } from "../recognise/page-text.ts";
import { collectChannel, collectVideo, type CapturedChannel, type CapturedVideo } from "./collect-video.ts";
import {
  channelIdInUrl,
  isChannelId,
  isOtherSite,
  isSiteUrl,
  isWord,
  readHandle,
  readIssuedId,
  videoIdInUrl,
} from "./id-forms.ts";
import { readShownCount } from "./shown-count.ts";
import { readSingleThumbnail, readThumbnails } from "./thumbnails.ts";
import { estimateTime, toMilliseconds } from "./timestamps.ts";

/** The names of each column, without case and punctuation; the best first. */
const COLUMNS = {
  id: ["videoid", "youtubeid", "youtubevideoid", "ytid", "id"],
  url: ["videourl", "youtubeurl", "watchurl", "videolink", "youtubelink", "webpageurl", "url", "link"],
  title: ["title"],
  description: ["description"],
  // Beside the owner's columns, those of the channel are the playlist's.
  channelId: ["videoownerchannelid", "channelid", "authorchannelid", "youtuberid", "authorid"],
  channel: ["videoownerchanneltitle", "channeltitle", "channelname", "channel", "uploader", "author", "handlename"],
  channelHandle: ["youtuber"],
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
  views: ["viewcount", "views", "viewscount", "numberofviews"],
  likes: ["likecount", "likes", "likescount", "numberoflikes"],
  comments: ["commentcount", "comments", "commentscount", "numberofcomments", "numcomments"],
  duration: [
    "duration",
    "durationsec",
    "durationseconds",
    "durations",
    "length",
    "lengthseconds",
    "durationformatted",
    "durationstring",
    "lengthtext",
  ],
  tags: ["tags", "keywords"],
  categoryId: ["categoryid"],
  category: ["category", "categoryname"],
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
  live: ["livebroadcastcontent"],
  capturedOn: ["snapshotdate", "trendingdate", "collectiondate"],
  capturedAt: ["scrapedat", "fetchedat", "collectedat", "retrievedat", "crawledat", "capturedat", "timestamp"],
} as const satisfies Record<string, readonly string[]>;

type Column = keyof typeof COLUMNS;

/** Some scripts put `video` before all of them: `video_view_count`. */
const NAMES = Object.entries(COLUMNS).map(([column, names]): [Column, string[]] => [
  column as Column,
  [...names, ...names.map((name) => `video${name}`)],
]);

type Cells = Partial<Record<Column, unknown>>;

/** With an id and a title, one of these makes it a table of videos. */
const VIDEO_COLUMNS: readonly Column[] = ["channelId", "channel", "publishedAt", "views", "likes", "duration"];

/** A row with one of these is a comment that names its video. */
const COMMENT_COLUMNS = [
  "commentid",
  "commenttext",
  "commentcontent",
  "commentbody",
  "commentauthor",
  "commenter",
  "commentername",
  "parentcommentid",
  "replyto",
  "isreply",
  "isreplyto",
  "replycount",
  "totalreplycount",
  "textdisplay",
  "textoriginal",
  "authordisplayname",
];
/** A row with one of each is a line of a transcript: a video may have a text, but starts nowhere. */
const LINE_TEXT_COLUMNS = ["text", "transcript", "subtitle", "line", "segment"];
const LINE_START_COLUMNS = ["start", "starts", "startsec", "startseconds", "startms", "starttime"];

/** A row with one of these may be a post on another site that links to a video. */
const POST_COLUMNS = ["subreddit", "selftext", "permalink", "numpoints", "upvotes"];
/** So may one with these, but some tables rate their videos. */
const SCORE_COLUMNS = ["score", "points"];
/** Posts have authors, but no channels. */
const CHANNEL_COLUMNS = [...COLUMNS.channelId, ...COLUMNS.channel, ...COLUMNS.channelUrl].filter(
  (name) => !name.startsWith("author"),
);

export const videoTables: Importer = {
  name: "video table",

  detects: (document, file) => listRows(document, file).length > 0,

  read(document, file, collect) {
    for (const row of listRows(document, file)) readVideoRow(row, document.capturedAt, collect);
  },
};

/** Whether the first row of a table is a comment: in a later one it may be a number, or nothing. */
const commentTables = new WeakMap<SourceFile, boolean>();

/** Tables with a row that is certainly a video, so that the others are too. */
const certainTables = new WeakSet<SourceFile>();

/** The document, or the rows of a list or by their ids within it: saved answers have a total or a page token beside them. */
function listRows({ kind, value, origin }: SourceDocument, file: SourceFile): Fields[] {
  if (!isFields(value)) return [];
  if (kind === "row" && !commentTables.has(file)) {
    const row = readRow(value);
    commentTables.set(file, isComment(row, findCells(row)));
  }
  if (commentTables.get(file) === true) return [];
  const isRow = isVideoRow(value);
  // A recording has responses of any site.
  const within = !isRow && kind === "json" && origin.url === undefined ? listRowsWithin(value, 1) : undefined;
  const rows = isRow ? [value] : (within ?? []);
  if (!certainTables.has(file)) {
    if (!rows.some((row) => isRecord(row) && isCertain(row))) return [];
    certainTables.add(file);
  }
  return rows;
}

const MAX_DEPTH = 2;

/** Undefined if there are other records too: those are left to the recognisers. */
function listRowsWithin(object: Fields, depth: number): Fields[] | undefined {
  const lists: Fields[][] = [];
  for (const [name, part] of Object.entries(object)) {
    const rows = listRowsOf(name, part, depth);
    if (rows === undefined) return undefined;
    lists.push(rows);
  }
  return lists.flat();
}

function listRowsOf(name: string, part: unknown, depth: number): Fields[] | undefined {
  if (Array.isArray(part)) {
    if (depth <= MAX_DEPTH && hasRecord(part, isRecord)) return readObjects(part);
    return part.some(isFields) ? undefined : [];
  }
  if (!isFields(part)) return [];
  if (name === readIssuedId(name) && isVideoRow(part)) return [part];
  const rows = listRowsWithin(part, depth + 1);
  return rows?.length === 0 && "id" in part ? undefined : rows;
}

function isRecord(value: Fields): boolean {
  return isVideoRow(value) || findChannelId(value) !== undefined;
}

/** The channel that a search found. Tables of videos may use the same word for something else. */
function findChannelId(value: Fields): string | undefined {
  const { type, id, channelId } = value;
  if (type !== "channel" || readRowId(findCells(readRow(value))) !== undefined) return undefined;
  return [id, channelId].find(isChannelId);
}

function isVideoRow(value: Fields): boolean {
  const row = readRow(value);
  const cells = findCells(row);
  if (!("title" in cells) || isFields(cells.title)) return false;
  if (!VIDEO_COLUMNS.some((column) => column in cells) || isComment(row, cells) || isLine(row)) return false;
  if (isLinkingPost(value, row, cells)) return false;
  // Other platforms' tables have the same columns: the id tells whose it is, or else the column of the channel.
  const isBlank = [cells.id, cells.url].every((cell) => cell === undefined || cell === "");
  return readRowId(cells) !== undefined || (isBlank && ("id" in cells || "url" in cells) && "channelId" in cells);
}

/** Photos and articles may have ids of the same form: a word, or a number. */
function isCertain(value: Fields): boolean {
  const row = readRow(value);
  const id = readIssuedId(row.get("id"));
  const idColumn = COLUMNS.id.find((name) => readRowId({ id: row.get(name) }) !== undefined);
  if (id === undefined || idColumn !== "id" || !isWord(id)) return true;
  const cells = findCells(row);
  return videoIdInUrl(cells.url) !== undefined || readChannel(cells).id !== undefined;
}

/** What scripts add to other resources of a video. */
export function readFigures(value: Fields): Pick<CapturedVideo, "durationS" | "counters" | "capturedAt"> {
  const cells = findCells(readRow(value));
  return {
    durationS: parseLength(cells.duration),
    // Scripts write 0 where likes are hidden or comments are closed.
    counters: {
      views: readTableCount(cells.views) ?? readRounded(cells.views),
      likes: readTableCount(cells.likes) || readRounded(cells.likes),
      comments: readTableCount(cells.comments) || readRounded(cells.comments),
    },
    // Without a time of publication, `timestamp` may be either.
    capturedAt: toMilliseconds(
      ("publishedAt" in cells ? readTimestamp(cells.capturedAt) : undefined) ?? readTimestamp(cells.capturedOn),
    ),
  };
}

function readVideoRow(value: Fields, documentCapturedAt: number | null, collect: Collector): void {
  if (findChannelId(value) !== undefined) return void collectChannel(readFoundChannel(value), collect);
  const cells = findCells(readRow(value));
  const id = readRowId(cells);
  if (id === undefined && cells.type === "playlist") return collect.skip("a playlist, which has no video of its own");
  if (id === undefined) return collect.refuse("post_without_id");
  if (!isVideoRow(value)) return collect.refuse("unknown_record");
  const description = htmlToText(cells.description);
  const { capturedAt, ...figures } = readFigures(value);
  // Either may have YouTube's number or the name.
  const categories = [cells.category, cells.categoryId];
  collectVideo(
    {
      id,
      title: htmlToText(cells.title),
      // Search results of the Data API truncate descriptions with an ellipsis.
      description: description?.endsWith("...") === true ? undefined : description,
      isExcerpt: value["kind"] === "youtube#searchResult",
      channel: readChannel(cells),
      publishedAt:
        readTime(cells.publishedAt) ??
        estimateTime(readFilledText(cells.publishedAt), capturedAt ?? documentCapturedAt),
      language: readLanguage(cells.language),
      category: categories.flatMap((cell) => (readCount(cell) === undefined ? (readFilledText(cell) ?? []) : []))[0],
      ...figures,
      hasFewThumbnails: nestedChannel(value) !== undefined,
      native: {
        categoryId: categories.flatMap((cell) => readCount(cell) ?? [])[0]?.toString(),
        keywords: splitList(cells.tags),
        thumbnails:
          readThumbnails(cells.thumbnails) ??
          readThumbnails([cells.thumbnail].flat()) ??
          readSingleThumbnail(cells.thumbnail),
        type: /^shorts?$/i.test(readFilledText(cells.type) ?? "") ? "SHORT" : undefined,
        ...readLiveStatus({ liveBroadcastContent: cells.live }),
      },
      capturedAt,
    },
    collect,
  );
}

/** Its cells by their plain names. */
type Row = ReadonlyMap<string, unknown>;

function readRow(value: Fields): Row {
  const row = new Map(Object.entries(value).map(([name, cell]) => [toPlainName(name), trim(cell)]));
  for (const name of NESTED_TEXTS) {
    const nested = readNested(readObjectAt(row.get(name)));
    if (nested !== undefined) row.set(name, nested);
  }
  for (const [name, cell] of Object.entries(readNestedChannel(value)))
    if (isFilled(cell) && readFilledText(row.get(name)) === undefined) row.set(name, cell);
  return row;
}

function readNestedChannel(value: Fields): Fields {
  const { name, id, channelID, url, link } = nestedChannel(value) ?? {};
  const channelId = [id, channelID].find(isChannelId);
  const channelUrl = url ?? link;
  // Posts of other sites have authors, too.
  return isFields(value["channel"])
    ? { channelname: name, channelid: channelId, channelurl: channelUrl }
    : { author: name, authorid: channelId, authorurl: channelUrl };
}

/** What libraries nest: `{text: "5,550 views"}`, `{secondsText: "199"}`, `{minutes: 3, seconds: 19}`. */
const NESTED_TEXTS = ["viewcount", "views", "duration"];

const UNITS_S = { days: 86_400, hours: 3600, minutes: 60, seconds: 1 };

function readNested(nested: Fields): unknown {
  const { text, precise, secondsText, simpleText } = nested;
  let lengthS: number | undefined;
  for (const [unit, unitS] of Object.entries(UNITS_S)) {
    const count = readNumber(nested[unit]);
    if (count !== undefined) lengthS = (lengthS ?? 0) + count * unitS;
  }
  return secondsText ?? lengthS ?? simpleText ?? precise ?? text;
}

function nestedChannel({ channel, author }: Fields): Fields | undefined {
  return readObject(channel) ?? (readFilledText(channel) === undefined ? readObject(author) : undefined);
}

/** What a column is for; the first of several names may have something else, such as the list of comments. */
const USABLE: Partial<Record<Column, (cell: unknown) => boolean>> = {
  id: (cell) => readRowId({ id: cell }) !== undefined,
  url: (cell) => videoIdInUrl(cell) !== undefined,
  views: isCount,
  likes: isCount,
  comments: isCount,
  duration: (cell) => parseLength(cell) !== undefined,
};

export function isFilled(cell: unknown): boolean {
  return cell !== undefined && cell !== null && cell !== "";
}

function isCount(cell: unknown): boolean {
  return (readTableCount(cell) ?? readRounded(cell)) !== undefined;
}

function isClock(cell: unknown): boolean {
  return typeof cell === "string" && cell.includes(":");
}

/** Of several columns with the same meaning the first that has a value. */
function findCells(row: Row): Cells {
  const cells: Cells = {};
  let hasPlainId = false;
  // Elsewhere they may be the day of capture and a transcript.
  const isApify = (row.has("numberofsubscribers") || row.has("fromyturl")) && row.has("channelurl");
  for (const [column, names] of NAMES) {
    const present = names.filter((name) => row.has(name));
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

function isComment(row: Row, cells: Cells): boolean {
  if (COMMENT_COLUMNS.some((name) => row.has(name))) return true;
  const isOfVideo = "views" in cells || "duration" in cells;
  if (row.has("text") && (row.has("parentid") || row.has("replies") || (row.has("author") && !isOfVideo))) return true;
  // Beside views, `comment` may be the number of comments.
  const comment = row.get("comment") ?? "";
  return row.has("comment") && !((comment === "" || isCount(comment)) && "views" in cells);
}

function isLine(row: Row): boolean {
  return [LINE_TEXT_COLUMNS, LINE_START_COLUMNS].every((names) => names.some((name) => row.has(name)));
}

/** Whether only the link is YouTube's: title, author and comments are those of another site's post. */
function isLinkingPost(value: Fields, row: Row, cells: Cells): boolean {
  const { id, url, channelId, channelUrl, views, duration } = cells;
  if (readRowId({ id }) !== undefined || ![row.get("url"), row.get("link")].includes(url)) return false;
  const hasChannel = CHANNEL_COLUMNS.some((name) => row.has(name)) || isChannelId(channelId) || isSiteUrl(channelUrl);
  if (hasChannel || isCount(views) || parseLength(duration) !== undefined) return false;
  if (POST_COLUMNS.some((name) => row.has(name))) return true;
  // The cell of this row may be empty, or a text such as `No views`.
  if ("views" in cells || "likes" in cells || "duration" in cells) return false;
  if (SCORE_COLUMNS.some((name) => row.has(name) && !isFraction(row.get(name)))) return true;
  // MongoDB adds `_id` to every record.
  const ownId = "_id" in value ? undefined : row.get("id");
  return isFilled(ownId) && !("publishedAt" in cells) && !isRowKey(String(ownId), row);
}

function isFraction(cell: unknown): boolean {
  return !Number.isInteger(readNumber(cell) ?? 0);
}

/** Running numbers and keys of databases. Hacker News numbers its posts too, by now with eight digits. */
function isRowKey(id: string, row: Row): boolean {
  if (/^\d+$/.test(id)) return id.length <= (row.has("numcomments") ? 6 : 12);
  return /^(?:[\da-f]{24}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i.test(id);
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

function readRowId({ id, url }: Cells): string | undefined {
  return readIssuedId(id) ?? videoIdInUrl(url) ?? videoIdInUrl(id);
}

/** A column named after the channel may contain its title, its id or its handle. */
function readChannel({ channelId, channel, channelHandle, channelUrl, followers }: Cells): CapturedChannel {
  const id = [channelId, channel].find(isChannelId) ?? channelIdInUrl(channelUrl);
  const isTitle = readHandle(channel) === undefined && !isChannelId(channel);
  return {
    id,
    handle: readHandle(channel) ?? readHandle(channelHandle) ?? readHandle(channelUrl),
    title: isTitle ? htmlToText(channel) : undefined,
    // YouTube shows no more than three digits of it; scripts write 0 where it is hidden.
    followers: readShownCount(readPositiveCount(readTableCount(followers)), 3) ?? readRounded(followers),
  };
}

function readFoundChannel(value: Fields): CapturedChannel {
  const { title, subscribers, subscriberCount, videoCount, link, thumbnails } = value;
  // Newer pages have the handle where the subscribers were, and those where the videos were.
  const followers = [subscribers, subscriberCount, videoCount].find((text) => /\bsubscribers?$/i.test(String(text)));
  return {
    id: findChannelId(value),
    handle: readHandle(subscribers) ?? readHandle(link),
    title: readFilledText(title),
    followers: readRounded(followers),
    thumbnails: readThumbnails(thumbnails),
  };
}

/** `1.2M` or `1.2M views`, as pages show it: an estimate. */
export function readRounded(cell: unknown): Measured | undefined {
  return typeof cell === "string" && /\d\s?[A-Za-z]+(?: [A-Za-z]+)?$/.test(cell) ? readDisplayedCount(cell) : undefined;
}
