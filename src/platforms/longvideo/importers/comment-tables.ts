/**
 * Tables of comments that name their video, whatever wrote them: minet and tuber with the Data API, Apify's actors from the
 * page. Every tool names its columns differently, so names are compared without case and punctuation; other platforms have
 * such tables too, so the ids tell whose they are.
 */
import type { Collector, Importer } from "#api/importer.ts";
import type { Measured } from "#import/capture/estimates.ts";
import {
  type Fields,
  isFields,
  readCount,
  readFilledText,
  readObjectAt,
  readObjects,
  readText,
  readTimestamp,
} from "#import/capture/field-readers.ts";
import { htmlToText } from "#import/capture/html-text.ts";
import { isFilled, readTableCount, readTime } from "#import/capture/table-cells.ts";
import { readDisplayedCount } from "../recognise/page-text.ts";
import { collectComment } from "./collect-comment.ts";
import { collectVideo } from "./collect-video.ts";
import { indexByName, listColumns } from "./column-names.ts";
import { channelIdInUrl, isChannelId, readHandle, readIssuedId, readPlainId, videoIdInUrl } from "./id-forms.ts";
import { readRounded, readShownCount } from "./shown-count.ts";
import { readSingleThumbnail } from "./thumbnails.ts";
import { estimateComputedTime, estimateTime, parseRelativeTime, toMilliseconds } from "./timestamps.ts";

/** The names of each column, without case and punctuation; the best first. */
const COLUMNS = [
  ["id", ["commentid", "cid", "id"]],
  ["parentId", ["parentcommentid", "parentid", "parent", "replytocid"]],
  ["videoId", ["videoid"]],
  ["videoUrl", ["videourl", "pageurl"]],
  ["videoTitle", ["videotitle", "title"]],
  ["videoComments", ["commentscount"]],
  ["text", ["textoriginal", "text", "comment"]],
  ["html", ["textdisplay"]],
  ["publishedAt", ["publishedat", "published", "publishdate", "publisheddate", "publishtime", "publishedtime"]],
  ["age", ["publishedtimetext"]],
  // Beside a time of publication, it may be that of the capture.
  ["time", ["date", "time", "timestamp"]],
  ["likes", ["likecount", "likes", "likescount", "numlikes", "numberoflikes"]],
  ["votes", ["votecount", "votes"]],
  ["replies", ["replycount", "replies", "repliescount", "totalreplycount", "numreplies", "numberofreplies"]],
  ["author", ["authordisplayname", "authorname", "author"]],
  ["authorId", ["authorchannelid", "authorchannelidvalue", "authorid"]],
  ["authorUrl", ["authorchannelurl", "authorurl"]],
  ["authorPicture", ["authorprofileimageurl"]],
  ["capturedAt", ["scrapedat"]],
] as const satisfies readonly [string, readonly string[]][];

type Column = (typeof COLUMNS)[number][0];

/** Some scripts put `comment` before all of them: `comment_likes`. */
const NAMES = new Map<Column, string[]>(
  COLUMNS.map(([column, names]) => [column, [...names, ...names.map((name) => `comment${name}`)]]),
);
const COLUMNS_BY_NAME = indexByName(NAMES);

type Cells = Partial<Record<Column, unknown>>;

export const commentTables: Importer = {
  name: "comment table",

  detects: ({ kind, value }) => kind !== "text" && isFields(value) && isComment(value, findCells(value)),

  read(document, _file, collect) {
    const cells = isFields(document.value) ? findCells(document.value) : {};
    const [id, videoId] = [readCommentId(cells.id), readCommentedVideo(cells)];
    if (id === undefined) return collect.refuse("comment_without_id");
    if (videoId === undefined) return collect.refuse("comment_without_post");
    const scrapedAt = toMilliseconds(readTimestamp(cells.capturedAt));
    collectVideo(
      {
        id: videoId,
        title: readFilledText(cells.videoTitle),
        counters: { comments: readShownCount(readCount(cells.videoComments) || undefined, 2) },
        capturedAt: scrapedAt,
      },
      collect,
    );
    readCells({ ...cells, id }, { videoId, capturedAt: document.capturedAt }, collect);
  },
};

interface CommentOrigin {
  videoId: string;
  parentId?: string | undefined;
  /** Unix milliseconds, of the document. */
  capturedAt: number | null;
}

/** A comment in a list within its video, whose columns are those of tables. */
export function readCommentWithin(comment: Fields, origin: CommentOrigin, collect: Collector): void {
  const { content, author, user, ...others } = comment;
  const { name, channelId, channel_id: snakeId } = readObjectAt(author ?? user);
  const cells = findCells({
    ...others,
    text: comment["text"] ?? readObjectAt(content)["text"] ?? content ?? "",
    author: readFilledText(author) ?? readFilledText(user) ?? name,
    authorId: comment["authorId"] ?? channelId ?? snakeId ?? readObjectAt(author ?? user)["id"],
  });
  const id = readCommentId(cells.id) ?? readOtherId(cells.id);
  if (id === undefined) return collect.refuse("comment_without_id");
  readCells({ ...cells, id }, origin, collect);
  for (const reply of readObjects(comment["replies"])) readCommentWithin(reply, { ...origin, parentId: id }, collect);
}

/** The video of the list is known, so that the form of the id need not tell whose it is; but a number counts rows. */
function readOtherId(cell: unknown): string | undefined {
  const id = readPlainId(cell);
  return id !== undefined && id.length >= 8 && !/^\d+$/.test(id) ? id : undefined;
}

function readCells(cells: Cells & { id: string }, origin: CommentOrigin, collect: Collector): void {
  const { id } = cells;
  const scrapedAt = toMilliseconds(readTimestamp(cells.capturedAt));
  const time = "publishedAt" in cells || "age" in cells ? cells.publishedAt : cells.time;
  const age = readFilledText(cells.age) ?? readFilledText(time);
  // Only the page writes ages; its counts are rounded above a thousand.
  const isFromPage = "age" in cells || "votes" in cells || parseRelativeTime(age) !== undefined;
  const readShown = (cell: unknown): Measured | undefined =>
    isFromPage ? (readShownCount(cell, 2) ?? readDisplayedCount(cell)) : (readTableCount(cell) ?? readRounded(cell));
  collectComment(
    {
      id,
      videoId: origin.videoId,
      parentId: readCommentId(cells.parentId) ?? origin.parentId,
      text: readFilledText(cells.text) ?? htmlToText(cells.html) ?? readText(cells.text),
      publishedAt: readPublished(time, age, scrapedAt ?? origin.capturedAt, isFromPage),
      likes: readShown(cells.likes ?? cells.votes),
      replies: readShown(cells.replies),
      authorName: readFilledText(cells.author),
      authorHandle: readHandle(cells.authorUrl),
      authorChannelId: isChannelId(cells.authorId) ? cells.authorId : channelIdInUrl(cells.authorUrl),
      authorThumbnails: readSingleThumbnail(cells.authorPicture),
      capturedAt: scrapedAt,
    },
    collect,
  );
}

/** Of several columns with the same meaning the first that has a value. */
function findCells(value: Fields): Cells {
  const row = new Map<string, unknown>();
  for (const name in value) row.set(toPlainName(name), value[name]);
  const cells: Cells = {};
  for (const column of listColumns(row, COLUMNS_BY_NAME)) {
    const present = NAMES.get(column)?.filter((name) => row.has(name)) ?? [];
    const [name] = [...present.filter((candidate) => isFilled(row.get(candidate))), ...present];
    if (name !== undefined) cells[column] = row.get(name);
  }
  const { author, ...others } = cells;
  if (!isFields(author)) return cells;
  const [name, authorId] = [readFilledText(author["name"]), author["id"] ?? cells.authorId];
  return name !== undefined && isChannelId(authorId) ? { ...others, author: name, authorId } : others;
}

function toPlainName(column: string): string {
  return column.toLowerCase().replaceAll(/[^a-z]/g, "");
}

function isComment(value: Fields, cells: Cells): boolean {
  if (!("id" in cells) || !("author" in cells) || !("text" in cells || "html" in cells)) return false;
  // Comments nested in another would be lost.
  if (readObjects(value["replies"]).length > 0) return false;
  return readCommentedVideo(cells) !== undefined && (!isFilled(cells.id) || readCommentId(cells.id) !== undefined);
}

function readCommentedVideo({ videoId, videoUrl }: Cells): string | undefined {
  return readIssuedId(videoId) ?? videoIdInUrl(videoUrl);
}

/** As YouTube issues them; those of before 2016 begin with `z`. A reply has its comment's before a dot. */
function readCommentId(cell: unknown): string | undefined {
  return typeof cell === "string" && /^(?:Ug|z\d)[\w-]{8,60}(?:\.[\w-]{1,60})?$/.test(cell) ? cell : undefined;
}

function readPublished(
  time: unknown,
  age: string | undefined,
  capturedAt: number | null,
  isFromPage: boolean,
): Measured | undefined {
  const value = readTimestamp(time);
  if (value === undefined) return estimateTime(age, capturedAt) ?? readTime(time);
  const margin = parseRelativeTime(age)?.margin;
  if (margin !== undefined) return { value, margin };
  return isFromPage ? estimateComputedTime(value, capturedAt ?? undefined) : readTime(time);
}
