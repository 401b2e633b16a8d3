/**
 * Tables of videos that people make themselves, mostly with the Data API: a row per video, with an id or a watch URL, a
 * title and some more.
 */
import type { Collector, Importer, SourceDocument, SourceFile } from "#api/importer.ts";
import { hasRecord } from "#import/capture/document-records.ts";
import { type Measured, withoutMargin } from "#import/capture/estimates.ts";
import {
  type Fields,
  isFields,
  readCount,
  readFilledText,
  readFlag,
  readLanguage,
  readObjectAt,
  readObjects,
  readPositiveCount,
  readText,
  readTimestamp,
} from "#import/capture/field-readers.ts";
import { htmlToText } from "#import/capture/html-text.ts";
import { parseLength, readTableCount, readTime, splitList } from "#import/capture/table-cells.ts";
import type { NativeVideo } from "../native.ts";
import { listThumbnails, readLiveStatus } from "../recognise/data-api-videos.ts";
import { isCategoryName } from "./category-names.ts";
import { collectChannel, collectVideo, type CapturedChannel, type CapturedVideo } from "./collect-video.ts";
import { channelIdInUrl, isChannelId, isWord, readHandle, readIssuedId, videoIdInUrl } from "./id-forms.ts";
import { isCommentRow, isVideoRow } from "./is-video-row.ts";
import { collectNestedLists } from "./nested-lists.ts";
import { readRounded, readShownCount } from "./shown-count.ts";
import { readSingleThumbnail, readThumbnails } from "./thumbnails.ts";
import { estimateTime, parseRelativeTime, toMilliseconds } from "./timestamps.ts";
import { type Cells, findCells, nestedChannel, readRow, readRowId, VIDEO_COLUMNS } from "./video-cells.ts";

export const videoTables: Importer = {
  name: "video table",

  detects: (document, file) => listRows(document, file).length > 0,

  read(document, file, collect) {
    for (const row of listRows(document, file)) readVideoRow(row, document.capturedAt, collect);
  },
};

/** Whether the first row of a table is a comment: in a later one it may be a number, or nothing. */
const startsWithComment = new WeakMap<SourceFile, boolean>();

/** Tables with a row that is certainly a video, so that the others are too. */
const certainTables = new WeakSet<SourceFile>();

/** The document, or the rows of a list or by their ids within it: saved responses have a total or a page token beside them. */
function listRows({ kind, value, origin }: SourceDocument, file: SourceFile): Fields[] {
  if (!isFields(value)) return [];
  if (kind === "row" && !startsWithComment.has(file)) {
    const row = readRow(value);
    startsWithComment.set(file, isCommentRow(row, findCells(row)));
  }
  if (startsWithComment.get(file) === true) return [];
  const isRow = isRecord(value);
  // A recording has responses of any site.
  const mayHaveRows = !isRow && kind === "json" && origin.url === undefined;
  const rows = isRow ? [value] : mayHaveRows ? (listFound(value) ?? listRowsWithin(value, 1) ?? []) : [];
  if (!certainTables.has(file)) {
    if (!rows.some((row) => isRecord(row) && isCertain(row))) return [];
    certainTables.add(file);
  }
  return rows;
}

/** SerpApi has videos, shorts, playlists and channels in lists beside each other, or one video, whose id is in the request. */
function listFound(answer: Fields): Fields[] | undefined {
  // youtubei.js has what is known of a watched video beside parts of the page.
  const watchedInfo = readObjectAt(answer, "basic_info");
  if (isVideoRow(watchedInfo)) return [watchedInfo];
  const { engine, v: id } = readObjectAt(answer, "search_parameters");
  if (!isFields(answer["search_metadata"]) || readText(engine)?.startsWith("youtube") !== true) return undefined;
  const { ads_results: _ads, description, ...lists } = answer;
  const listed = Object.values(lists).flatMap(readObjects);
  const nested = listed.flatMap(Object.values<unknown>).flatMap(readObjects);
  const watched = { ...answer, video_id: id, description: readObjectAt(description)["content"] };
  // The link of a playlist is that of its first video.
  return [watched, ...listed, ...nested].filter((row) => isVideoRow(row) && !("video_count" in row));
}

const MAX_DEPTH = 2;

/** Undefined if there are other records too that recognisers know: all is left to them. */
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
    return part.some(isResource) ? undefined : [];
  }
  if (!isFields(part)) return [];
  if (name === readIssuedId(name) && isVideoRow(part)) return [part];
  const rows = listRowsWithin(part, depth + 1);
  const isOther = "id" in part && !name.endsWith("metadata");
  return rows?.length === 0 && isOther ? undefined : rows;
}

/** An object of YouTube's own, by the words that the recognisers know. */
function isResource(value: unknown): boolean {
  const { kind } = readObjectAt(value);
  const names = isFields(value) ? Object.keys(value) : [];
  return readText(kind)?.startsWith("youtube#") === true || names.some((name) => /(?:Renderer|Model)$/.test(name));
}

function isRecord(value: Fields): boolean {
  return isVideoRow(value) || findChannelId(value) !== undefined;
}

/** The channel that a search found. Tables of videos may use the same word for something else. */
function findChannelId(value: Fields): string | undefined {
  const { type, kind, id, channelId } = value;
  const isFound = type === "channel" || (kind === "youtube#channel" && typeof value["title"] === "string");
  if (!isFound || readRowId(findCells(readRow(value))) !== undefined) return undefined;
  return [id, channelId].find(isChannelId);
}

/** Photos and articles may have ids of the same form: a word, or a number. */
function isCertain(value: Fields): boolean {
  const row = readRow(value);
  const id = readIssuedId(row.get("id"));
  const idColumn = VIDEO_COLUMNS.id.find((name) => readRowId({ id: row.get(name) }) !== undefined);
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

export function readVideoRow(value: Fields, documentCapturedAt: number | null, collect: Collector): void {
  if (findChannelId(value) !== undefined) return void collectChannel(readFoundChannel(value), collect);
  const row = readRow(value);
  const cells = findCells(row);
  const id = readRowId(cells);
  const isPlaylist = cells.type === "playlist" || value["kind"] === "youtube#playlist";
  if (id === undefined && isPlaylist) return collect.skip("a playlist, which has no video of its own");
  if (id === undefined) return collect.refuse("post_without_id");
  if (!isVideoRow(value)) return collect.refuse("unknown_record");
  const description = htmlToText(cells.description);
  const { capturedAt, durationS, counters } = readFigures(value);
  // Of the Data API's search, as a table or as the npm package youtube-search writes it, with a link.
  const isFound = value["kind"] === "youtube#searchResult" || (value["kind"] === "youtube#video" && "link" in value);
  // With the names that yt-dlp gives them, views are views.
  const isOfYtDlp = row.has("livestatus") || ("is_live" in value && "view_count" in value);
  const hasViewers =
    (!isOfYtDlp && (readIsLive(cells) === true || readFlag(cells.isUpcoming) === true)) ||
    [" watching", " waiting"].some((word) => readFilledText(cells.views)?.endsWith(word));
  // Either may have YouTube's number or the name.
  const categories = [cells.category, cells.categoryId].flat();
  // ScrapeCreators calls it so; elsewhere it may be that of a song.
  if (isCategoryName(cells.genre)) categories.push(cells.genre);
  collectVideo(
    {
      id,
      title: htmlToText(cells.title),
      description,
      // Searches shorten descriptions, mostly with an ellipsis.
      isExcerpt: isFound || description?.endsWith("..."),
      channel: readChannel(cells),
      publishedAt: readPublished(cells, capturedAt ?? documentCapturedAt),
      language: readLanguage(cells.language),
      category: categories.flatMap((cell) => (readCount(cell) === undefined ? (readFilledText(cell) ?? []) : []))[0],
      durationS,
      // Search pages, which libraries read, count those who watch a stream or wait for it.
      counters: hasViewers ? { ...counters, views: undefined } : counters,
      hasFewThumbnails: isFound || nestedChannel(value) !== undefined,
      native: {
        categoryId: categories.flatMap((cell) => readCount(cell) ?? [])[0]?.toString(),
        keywords: splitList(cells.tags),
        thumbnails:
          readThumbnails(cells.thumbnails) ??
          listThumbnails(cells) ??
          readThumbnails([cells.thumbnail].flat()) ??
          readSingleThumbnail(readObjectAt(cells.thumbnail)["static"] ?? cells.thumbnail),
        type: /^shorts?$/i.test(readFilledText(cells.type) ?? "") ? "SHORT" : undefined,
        ...readLive(cells),
      },
      capturedAt,
    },
    collect,
  );
  collectNestedLists(value, id, { document: documentCapturedAt, row: capturedAt }, collect);
}

/** Beside the age that the page shows, the time is what a tool computed from it. */
function readPublished(cells: Cells, capturedAt: number | null): Measured | undefined {
  const time = readTime(withoutMidnight(cells.publishedAt));
  const value = withoutMargin(time);
  const margin = parseRelativeTime(readFilledText(cells.age))?.margin;
  if (value === undefined) return estimateTime(readFilledText(cells.publishedAt), capturedAt);
  return margin === undefined ? time : { value, margin };
}

/** pytube and pandas write a day as midnight, without a time zone. */
function withoutMidnight(cell: unknown): unknown {
  const [text, day] = typeof cell === "string" ? [cell, cell.slice(0, "YYYY-MM-DD".length)] : [];
  return text === `${day} 00:00:00` || text === `${day}T00:00:00` ? day : cell;
}

function readLive(cells: Cells): Pick<NativeVideo, "isLive" | "wasLive"> {
  const [isUpcoming, isLiveContent] = [readFlag(cells.isUpcoming) === true, readFlag(cells.isLiveContent)];
  const { isLive = readIsLive(cells) } = readLiveStatus({ liveBroadcastContent: cells.liveStatus });
  const age = readFilledText(cells.age) ?? readFilledText(cells.publishedAt) ?? "";
  if (/^streamed\b/i.test(age)) return { isLive: false, wasLive: true };
  if (isLiveContent === undefined || isLive === true) return isLive === undefined ? {} : { isLive };
  return isUpcoming ? { isLive: false } : { isLive: false, wasLive: isLiveContent };
}

/** In a sheet, `live` may say that a song is played live, or that the video was a stream. */
function readIsLive({ isLive, live }: Cells): boolean | undefined {
  return readFlag(isLive) ?? (typeof live === "boolean" ? live : undefined);
}

/** A column named after the channel may contain its title, its id or its handle. */
function readChannel(cells: Cells): CapturedChannel {
  const { channelId, channel, channelHandle, channelUrl, followers } = cells;
  const id = [channelId, channel].find(isChannelId) ?? channelIdInUrl(channelUrl);
  const isTitle = readHandle(channel) === undefined && !isChannelId(channel);
  return {
    id,
    handle: readHandle(channel) ?? readHandle(channelHandle) ?? readHandle(channelUrl) ?? readUsername(cells),
    title: isTitle ? htmlToText(channel) : undefined,
    username: readFilledText(cells.channelUsername),
    // YouTube shows no more than three digits of it; scripts write 0 where it is hidden.
    followers: readShownCount(readPositiveCount(readTableCount(followers)), 3) ?? readRounded(followers),
  };
}

/** The handle without its `@`, except beside the URL of a name that YouTube gave out before handles. */
function readUsername({ channelUsername, channelUrl }: Cells): string | undefined {
  const isOlder = /\/(?:user|c)\//.test(readText(channelUrl) ?? "");
  return isOlder ? undefined : readHandle(`@${readFilledText(channelUsername) ?? ""}`);
}

function readFoundChannel(value: Fields): CapturedChannel {
  const { title, subscribers, subscriberCount, videoCount, link, thumbnails } = value;
  // Newer pages have the handle where the subscribers were, and those where the videos were.
  const followers = [subscribers, subscriberCount, videoCount].find((text) =>
    /\bsubscribers?$/i.test(readText(text) ?? ""),
  );
  return {
    id: findChannelId(value),
    handle: readHandle(subscribers) ?? readHandle(link),
    title: htmlToText(title),
    followers: readRounded(followers),
    thumbnails: readThumbnails(thumbnails) ?? listThumbnails(value),
  };
}
