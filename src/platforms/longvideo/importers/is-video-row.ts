/** Tells a video's row of a table from a comment, a line of a transcript, and a post of another site. */
import { type Fields, isFields, readFilledText, readNumber } from "#import/capture/field-readers.ts";
import { parseLength } from "#import/capture/table-cells.ts";
import { isChannelId, isSiteUrl } from "./id-forms.ts";
import {
  type Cells,
  findCells,
  isCount,
  readRow,
  readRowId,
  type Row,
  VIDEO_COLUMNS,
  type VideoColumn,
} from "./video-cells.ts";

/** With an id and a title, one of these makes it a table of videos. */
const TELLING_COLUMNS: readonly VideoColumn[] = ["channelId", "channel", "publishedAt", "views", "likes", "duration"];

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
const CHANNEL_COLUMNS = [...VIDEO_COLUMNS.channelId, ...VIDEO_COLUMNS.channel, ...VIDEO_COLUMNS.channelUrl].filter(
  (name) => !name.startsWith("author"),
);

export function isVideoRow(value: Fields): boolean {
  const row = readRow(value);
  const cells = findCells(row);
  if (!("title" in cells) || isFields(cells.title)) return false;
  if (!TELLING_COLUMNS.some((column) => column in cells) || isCommentRow(row, cells) || isLine(row)) return false;
  if (isLinkingPost(value, row, cells)) return false;
  // Other platforms' tables have the same columns: the id tells whose it is, or else the column of the channel.
  const isBlank = [cells.id, cells.url].every((cell) => cell === undefined || cell === "");
  return readRowId(cells) !== undefined || (isBlank && ("id" in cells || "url" in cells) && "channelId" in cells);
}

export function isCommentRow(row: Row, cells: Cells): boolean {
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
  const key = typeof ownId === "number" ? String(ownId) : readFilledText(ownId);
  return key !== undefined && !("publishedAt" in cells) && !isRowKey(key, row);
}

function isFraction(cell: unknown): boolean {
  return !Number.isInteger(readNumber(cell) ?? 0);
}

/** Running numbers and keys of databases. Hacker News numbers its posts too, by now with eight digits. */
function isRowKey(id: string, row: Row): boolean {
  if (/^\d+$/.test(id)) return id.length <= (row.has("numcomments") ? 6 : 12);
  return /^(?:[\da-f]{24}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i.test(id);
}
