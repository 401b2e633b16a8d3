/** Tables of Instagram posts by CrowdTangle, Meta's tool for researchers until 2024. They know accounts by name only. */
import type { Collector, Importer } from "#api/importer.ts";
import { DAY_S } from "#domain/time.ts";
import {
  type Fields,
  isFields,
  omitUnknown,
  readFilledText,
  readObjectAt,
  readText,
  readTimestamp,
  readUrl,
} from "#import/capture/field-readers.ts";
import { readTableCount } from "#import/capture/table-cells.ts";
import { withCaptureTime } from "#import/capture/with-capture-time.ts";
import type { NativePost } from "../native.ts";
import { collectPost } from "../recognise/captured-post.ts";
import { collectUser, readUser } from "../recognise/captured-user.ts";
import { codeInUrl, parseInstagramUrl, postIdFromCode } from "../recognise/enclosing-context.ts";
import { toSingleMedia } from "../recognise/media-parts.ts";

const COLUMNS = ["User Name", "Followers at Posting", "Likes", "Comments", "Description"];

export const crowdTangle: Importer = {
  name: "crowdtangle",
  // Its tables of Facebook have the same columns and more.
  detects: ({ kind, value }) =>
    kind === "row" && isFields(value) && COLUMNS.every((column) => column in value) && readCode(value) !== undefined,
  read: ({ value }, _file, collect) => readRow(readObjectAt(value), collect),
};

function readCode(row: Fields): string | undefined {
  return codeInUrl(parseInstagramUrl(readText(row["URL"]))?.pathname);
}

function readRow(row: Fields, collect: Collector): void {
  const code = readCode(row);
  const username = row["User Name"];
  // Older tables have `Created`.
  const created = readFilledText(row["Post Created"]) ?? readFilledText(row["Created"]) ?? "";
  const time = readTimestamp(created);
  const localTime = readTimestamp(created.slice(0, "YYYY-MM-DD HH:MM:SS".length));
  const publishedAt = time ?? localTime;
  const author = readUser({ username, full_name: readFilledText(row["Account"]) });
  const counted = readUser({ username, follower_count: readPositive(row["Followers at Posting"]) });
  if (counted?.counters !== undefined && publishedAt !== undefined) {
    collectUser(counted, withCaptureTime(collect, publishedAt * 1000));
  }
  const media_type = MEDIA_TYPES.get(readFilledText(row["Type"])?.toLowerCase() ?? "");
  collectPost(
    {
      id: postIdFromCode(code),
      author,
      publishedAt,
      title: readFilledText(row["Title"]),
      text: readFilledText(row["Description"]),
      counters: omitUnknown({
        likes: readTableCount(row["Likes"]),
        comments: readTableCount(row["Comments"]),
        // Photos have 0.
        views: readPositive(row["Views"]),
      }),
      native: omitUnknown<NativePost>({ ...toSingleMedia(readUrl(row["Photo"])), media_type, code }),
    },
    time === undefined ? withUnknownZone(collect) : collect,
  );
}

const MEDIA_TYPES: ReadonlyMap<string, number> = new Map(
  Object.entries({ photo: 1, video: 2, igtv: 2, reel: 2, album: 8 }),
);

function readPositive(cell: unknown): number | undefined {
  return readTableCount(cell) || undefined;
}

/** Letters such as `CST` stand for several time zones, so the time is that of one of them. */
function withUnknownZone(collect: Collector): Collector {
  return {
    ...collect,
    post: (post) => collect.post({ ...post, approximate: { ...post.approximate, publishedAt: DAY_S } }),
  };
}
