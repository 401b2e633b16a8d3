/**
 * Tables of a Google Takeout: comments, subscriptions, playlists and own videos. Most name their columns in the language
 * of the account, so they are told by what the cells contain. Who subscribed to a channel or listed a video is not stored.
 */
import type { Collector, Importer } from "#api/importer.ts";
import {
  type Fields,
  isFields,
  nonEmpty,
  readFilledText,
  readFilledTexts,
  readItems,
  readLanguage,
  readMeasure,
  readNumber,
  readObject,
  readText,
  readTimestamp,
} from "#import/capture/field-readers.ts";
import { collectComment } from "./collect-comment.ts";
import { collectChannel, collectVideo } from "./collect-video.ts";
import { channelIdInUrl, isChannelId, readIssuedId, readPlainId } from "./id-forms.ts";

/** Reads a row; undefined if it is not of the table. */
type ReadRow = (row: Fields, cells: string[]) => ((collect: Collector) => void) | undefined;

function toImporter(name: string, readRow: ReadRow): Importer {
  const find = (value: unknown) => {
    const row = readObject(value) ?? {};
    return readRow(
      row,
      Object.values(row).map((cell) => (typeof cell === "string" ? cell.trim() : "")),
    );
  };
  return {
    name,
    detects: ({ kind, value }) => kind === "row" && find(value) !== undefined,
    read: ({ value }, _file, collect) => find(value)?.(collect),
  };
}

/** The comment, its author's channel, its time and the video, in this order; the text is JSON. */
const comments = toImporter("takeout comments", (row, cells) => {
  const [idColumn = ""] = Object.keys(row);
  if (idColumn.toLowerCase() === "live chat id") return (collect) => collect.skip("a message of a live chat");
  const [id = ""] = cells;
  if (!/^[\w-]{15,}(?:\.[\w-]+)?$/.test(id) || isChannelId(id)) return undefined;
  const text = cells.find(isSegments) ?? readFilledText(row["Comment Text"]) ?? readFilledText(row["Comment text"]);
  const channelId = cells.find(isChannelId);
  const time = cells.find((cell) => /^\d{4}-\d\d-\d\d[T ]/.test(cell));
  if (text === undefined || channelId === undefined || time === undefined) return undefined;
  const videoId = cells.map(readIssuedId).find((cell) => cell !== undefined);
  return (collect) => {
    if (readPlainId(id) === undefined) return collect.refuse("comment_without_id");
    if (videoId === undefined) return collect.skip("a comment on a post of a channel, not on a video");
    collect.post({ id: videoId });
    const publishedAt = readTimestamp(time.replace(/ UTC$/, "Z"));
    collectComment({ id, videoId, text: readSegments(text), publishedAt, authorChannelId: channelId }, collect);
  };
});

function isSegments(cell: string): boolean {
  return /^\[?\{"\w+":/.test(cell);
}

/** `{"text":"a"}`, several of them after each other, or a list of them. */
function readSegments(cell: string): string | undefined {
  if (!isSegments(cell)) return readText(cell);
  try {
    const value: unknown = JSON.parse(cell.startsWith("[") ? cell : `[${cell}]`);
    const segments = readItems(value).flatMap((item) =>
      isFields(item) ? readItems(item["takeoutSegments"] ?? [item]) : [],
    );
    return nonEmpty(segments.flatMap((segment) => (isFields(segment) ? (readText(segment["text"]) ?? []) : [])))?.join(
      "",
    );
  } catch {
    return undefined;
  }
}

/** The channel's id, its URL with the same id, and its title. */
const subscriptions = toImporter("takeout subscriptions", (_row, cells) => {
  const id = cells.find(isChannelId);
  if (cells.length !== 3 || id === undefined) return undefined;
  const rest = cells.filter((cell) => cell !== id && channelIdInUrl(cell) !== id);
  const [title = ""] = rest;
  return rest.length === 1
    ? (collect) => void collectChannel({ id, title: readFilledText(title) }, collect)
    : undefined;
});

/** `Video ID`, `ID del vídeo`, `動画 ID`; a script would write `video_id`. */
const VIDEO_COLUMN = /v[ií]d[eé]os?[ -]|[ -]v[ií]d[eé]o|wideo|видео|動画|동영상|视频|影片/i;

/** The video's id and when it was listed. Older files have the playlist's own columns and row above that. */
const playlists = toImporter("takeout playlist", (row, [first = "", second = ""]) => {
  const names = Object.keys(row);
  const isOwn = /^Playlist I[Dd]$/.test(names[0] ?? "");
  const isListed = names.length === 2 && VIDEO_COLUMN.test(names[0] ?? "") && !/publi[cs]/i.test(names[1] ?? "");
  if (!isOwn && !isListed) return undefined;
  const id = readIssuedId(first);
  if (id !== undefined && readTimestamp(second.replace(/ UTC$/, "Z")) !== undefined) {
    return (collect) => collect.post({ id });
  }
  return isOwn ? (collect) => collect.skip("a playlist, which has no video of its own") : undefined;
});

/** The account's own videos, with columns in English; `Tag 1`, `Tag 2` and so on. */
const videos = toImporter("takeout videos", (row) => {
  const cells = new Map(Object.entries(row).map(([name, cell]) => [name.toLowerCase(), cell]));
  if (!cells.has("approx duration (ms)") || !cells.has("video id")) return undefined;
  const id = readIssuedId(cells.get("video id"));
  const tags = [...cells].filter(([name]) => /^(?:video )?tag \d+$/.test(name)).map(([, tag]) => tag);
  return (collect) => {
    if (cells.get("privacy") !== "Public") return collect.skip("a video of the account that is not public");
    const channelId = cells.get("channel id");
    collectVideo(
      {
        id,
        title: readFilledText(cells.get("video title (original)")),
        description: readText(cells.get("video description (original)")),
        channel: { id: isChannelId(channelId) ? channelId : undefined },
        publishedAt: readTimestamp(cells.get("video publish timestamp")),
        language: readLanguage(cells.get("video audio language")),
        category: readFilledText(cells.get("video category")),
        durationS: readMeasure((readNumber(cells.get("approx duration (ms)")) ?? 0) / 1000),
        native: { keywords: readFilledTexts(tags) },
      },
      collect,
    );
  };
});

/** Each are columns of one of the other tables beside them. */
const OWN_COLUMNS = [
  ["channel visibility"],
  ["channel vanity url 1 name"],
  ["channel auto moderation in live chat"],
  ["video id", "song title", "album title"],
  ["video text create timestamp"],
  ["video recording create timestamp"],
];

const settings = toImporter("takeout settings", (row) => {
  const names = new Set(Object.keys(row).map((name) => name.toLowerCase()));
  const isOwn = OWN_COLUMNS.some((columns) => columns.every((name) => names.has(name)));
  return isOwn ? (collect) => collect.skip("settings or songs of the account, which are private") : undefined;
});

export const takeoutTables: readonly Importer[] = [comments, subscriptions, playlists, videos, settings];
