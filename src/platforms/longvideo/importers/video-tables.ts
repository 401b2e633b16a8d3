/**
 * Tables of videos that people make themselves, mostly with the Data API: a row per video, with an id or a watch URL, a
 * title and some more. Every script names its columns differently, so names are compared without case and punctuation.
 */
import type { Importer } from "#api/importer.ts";
import { readFilledText, readLanguage, readObject, readTimestamp } from "#import/capture/field-readers.ts";
import type { Measured } from "#import/capture/estimates.ts";
import { htmlToText } from "#import/capture/html-text.ts";
import { parseLength, readTableCount, readTime, splitList } from "#import/capture/table-cells.ts";
import { readDisplayedCount } from "../recognise/page-text.ts";
import { collectVideo, type CapturedChannel } from "./collect-video.ts";
import { isChannelId, readHandle, readIssuedId, readPlainId, videoIdInUrl } from "./id-forms.ts";
import { readSingleThumbnail } from "./thumbnails.ts";
import { estimateTime, toMilliseconds } from "./timestamps.ts";

/** The names of each column, without case and punctuation; the best first. */
const COLUMNS = {
  id: ["videoid", "youtubeid", "youtubevideoid", "ytid", "id"],
  url: ["videourl", "youtubeurl", "watchurl", "videolink", "youtubelink", "webpageurl", "url", "link"],
  title: ["title", "videotitle"],
  description: ["description", "videodescription"],
  channelId: ["channelid", "authorchannelid"],
  channel: ["channeltitle", "channelname", "channel", "uploader", "author"],
  publishedAt: [
    "publishedat",
    "publishdate",
    "publisheddate",
    "publishtime",
    "videopublishedat",
    "uploaddate",
    "datepublished",
    "published",
  ],
  views: ["viewcount", "views", "viewscount", "numberofviews"],
  likes: ["likecount", "likes", "likescount", "numberoflikes"],
  comments: ["commentcount", "comments", "commentscount", "numberofcomments"],
  duration: ["duration", "durationsec", "durationseconds", "durations", "length", "lengthseconds", "videolength"],
  tags: ["tags", "keywords", "videotags"],
  categoryId: ["categoryid", "videocategoryid"],
  category: ["category", "categoryname", "videocategory"],
  language: ["defaultaudiolanguage", "audiolanguage", "defaultlanguage", "language"],
  thumbnail: ["thumbnail", "thumbnailurl", "thumbnaillink"],
  capturedAt: ["scrapedat", "fetchedat", "collectedat", "retrievedat", "crawledat", "capturedat", "timestamp"],
} as const satisfies Record<string, readonly string[]>;

type Column = keyof typeof COLUMNS;
type Cells = Partial<Record<Column, unknown>>;

/** With an id and a title, one of these makes it a table of videos. */
const VIDEO_COLUMNS: readonly Column[] = ["channelId", "channel", "publishedAt", "views", "likes", "duration"];

export const videoTables: Importer = {
  name: "video table",

  detects(document) {
    const cells = document.kind === "text" ? undefined : readCells(document.value);
    if (cells === undefined || !("title" in cells) || !VIDEO_COLUMNS.some((column) => column in cells)) return false;
    // Other platforms' tables have the same columns: the id tells whose it is, or else the column of the channel.
    const isBlank = [cells.id, cells.url].every((cell) => cell === undefined || cell === "");
    return readRowId(cells) !== undefined || (isBlank && ("id" in cells || "url" in cells) && "channelId" in cells);
  },

  read(document, _file, collect) {
    const cells = readCells(document.value) ?? {};
    const id = readRowId(cells);
    if (id === undefined) return collect.refuse("post_without_id");
    const description = htmlToText(cells.description);
    // Without a time of publication, `timestamp` may be either.
    const capturedAt = "publishedAt" in cells ? toMilliseconds(readTimestamp(cells.capturedAt)) : undefined;
    collectVideo(
      {
        id,
        title: htmlToText(cells.title),
        // Search results of the Data API truncate descriptions with an ellipsis.
        description: description?.endsWith("...") === true ? undefined : description,
        channel: readChannel(cells),
        publishedAt: readTime(cells.publishedAt) ?? estimateTime(readFilledText(cells.publishedAt), capturedAt ?? null),
        language: readLanguage(cells.language),
        category: readFilledText(cells.category),
        durationS: parseLength(cells.duration),
        // Scripts write 0 where likes are hidden or comments are closed.
        counters: {
          views: readTableCount(cells.views) ?? readRounded(cells.views),
          likes: readTableCount(cells.likes) || readRounded(cells.likes),
          comments: readTableCount(cells.comments) || readRounded(cells.comments),
        },
        native: {
          categoryId: readPlainId(cells.categoryId),
          keywords: splitList(cells.tags),
          thumbnails: readSingleThumbnail(cells.thumbnail),
        },
        capturedAt,
      },
      collect,
    );
  },
};

function readCells(value: unknown): Cells | undefined {
  const row = readObject(value);
  if (row === undefined) return undefined;
  const byName = new Map(Object.entries(row).map(([name, cell]) => [toPlainName(name), cell]));
  const cells: Cells = {};
  for (const [column, names] of Object.entries(COLUMNS) as [Column, readonly string[]][]) {
    const name = names.find((candidate) => byName.has(candidate));
    if (name !== undefined) cells[column] = trim(byName.get(name));
  }
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

function readRowId({ id, url }: Cells): string | undefined {
  return readIssuedId(id) ?? videoIdInUrl(url) ?? videoIdInUrl(id);
}

/** A column named after the channel may contain its title, its id or its handle. */
function readChannel({ channelId, channel }: Cells): CapturedChannel {
  const id = [channelId, channel].find(isChannelId);
  const handle = readHandle(channel);
  const isTitle = handle === undefined && !isChannelId(channel);
  return { id, handle, title: isTitle ? htmlToText(channel) : undefined };
}

/** `1.2M` or `1.2M views`, as pages show it: an estimate. */
function readRounded(cell: unknown): Measured | undefined {
  return typeof cell === "string" && /\d\s?[A-Za-z]+(?: [A-Za-z]+)?$/.test(cell) ? readDisplayedCount(cell) : undefined;
}
