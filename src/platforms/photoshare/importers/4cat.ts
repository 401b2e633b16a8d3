/**
 * Tables of 4CAT, the capture and analysis toolkit, of all its versions: those before 2021 also have rows of comments.
 * Their ids are the codes of the posts. What 4CAT keeps as NDJSON is read with Zeeschuimer's lines.
 */
import type { Collector, Importer } from "#api/importer.ts";
import {
  type Fields,
  isFields,
  omitUnknown,
  readCommentText,
  readCount,
  readFilledText,
  readFlag,
  readId,
  readObjectAt,
  readPositiveCount,
  readText,
  readTimestamp,
  readUrl,
  type WithUnknown,
} from "#import/capture/field-readers.ts";
import { splitList } from "#import/capture/table-cells.ts";
import type { NativePost } from "../native.ts";
import { readPlace } from "../recognise/captured-place.ts";
import { collectPost } from "../recognise/captured-post.ts";
import { type CapturedUser, collectUser, readUser, readUsers, toEmbeddedUser } from "../recognise/captured-user.ts";
import { codeInUrl, parseInstagramUrl, postIdFromCode } from "../recognise/enclosing-context.ts";
import { preferPlays } from "../recognise/item-post.ts";
import { toPictureAlbum, toSingleMedia } from "../recognise/media-parts.ts";

const COLUMNS = ["id", "thread_id", "parent_id", "body", "author", "num_likes", "num_comments"];

/** Before 2021 `url` was that of the picture or video. */
const isEarlyRow = (row: Fields) => "usertags" in row && "mentioned" in row && "subject" in row;

export const fourCat: Importer = {
  name: "4cat",
  detects: ({ kind, value }) =>
    kind === "row" &&
    isFields(value) &&
    COLUMNS.every((column) => column in value) &&
    (isPostUrl(value["url"]) || isEarlyRow(value)),
  read({ value }, _file, collect) {
    const row = readObjectAt(value);
    if (row["type"] === "comment") readComment(row, collect);
    else readPost(row, collect);
  },
};

function isPostUrl(url: unknown): boolean {
  return codeInUrl(parseInstagramUrl(readText(url))?.pathname) !== undefined;
}

function readPost(row: Fields, collect: Collector): void {
  const code = codeInUrl(row["url"]) ?? readFilledText(row["id"]);
  const isHidden = readFlag(row["likes_hidden"]);
  const [lat, lng] = splitList(row["location_latlong"]) ?? [];
  collectPost(
    {
      id: postIdFromCode(code),
      author: readAuthor(row),
      coauthors: readCoauthors(row),
      publishedAt: readTime(row),
      title: readFilledText(row["subject"]),
      text: readFilledText(row["body"]),
      hashtags: splitList(row["hashtags"]),
      tagged: readUsers(splitList(row["usertags"])),
      place: readPlace({
        pk: row["location_id"],
        name: row["location_name"],
        city: row["location_city"],
        lat,
        lng,
      }),
      // 0 also stands for hidden likes, and for a capture without the count.
      counters: omitUnknown({
        likes: isHidden === true ? undefined : readPositiveCount(row["num_likes"]),
        ...(isHidden === true ? undefined : preferPlays(undefined, readPositiveCount(row["play_count"])).counters),
        comments: readPositiveCount(row["num_comments"]),
      }),
      native: omitUnknown<NativePost>({ ...readMedia(row), code, like_and_view_counts_disabled: isHidden }),
    },
    collect,
  );
}

function readComment(row: Fields, collect: Collector): void {
  const id = readId(row["id"]);
  const postId = postIdFromCode(row["thread_id"]);
  if (id === undefined) return collect.refuse("comment_without_id");
  if (postId === undefined) return collect.refuse("comment_without_post");
  const author = readAuthor(row);
  collect.comment({
    id,
    postId,
    // The comment that is answered, or the post's code.
    parentId: row["parent_id"] === row["thread_id"] ? undefined : readId(row["parent_id"]),
    authorId: author === undefined ? undefined : collectUser(author, collect),
    text: readCommentText(row["body"]),
    publishedAt: readTime(row),
    counters: omitUnknown({ likes: readPositiveCount(row["num_likes"]), replies: readCount(row["num_comments"]) }),
    native: omitUnknown({ user: toEmbeddedUser(author) }),
  });
}

/** `timestamp` is in the time zone of the server. */
function readTime(row: Fields): number | undefined {
  return readTimestamp(row["unix_timestamp"]) ?? readTimestamp(row["timestamp"]);
}

function readAuthor(row: Fields): CapturedUser | undefined {
  return readUser({
    id: row["author_id"],
    username: row["author"],
    full_name: readFilledText(row["author_fullname"]),
    // False stands for unknown, too.
    is_verified: (readFlag(row["verified"]) ?? readFlag(row["is_verified"])) === true ? true : undefined,
    profile_pic_url: row["author_avatar_url"],
  });
}

function readCoauthors(row: Fields): CapturedUser[] | undefined {
  const ids = splitList(row["coauthor_ids"]) ?? [];
  const names = splitList(row["coauthors"]);
  return readUsers(names?.map((username, index) => ({ id: ids.length === names.length ? ids[index] : "", username })));
}

const MEDIA_TYPES: ReadonlyMap<string, number> = new Map(Object.entries({ photo: 1, video: 2, igtv: 2, album: 8 }));

/** `mixed` is an album; one of photos or of videos only is told by the number of its parts. */
function readMedia(row: Fields): WithUnknown<NativePost> {
  const type = readText(row["media_type"] ?? row["type"]) ?? "";
  const fileUrl = isPostUrl(row["url"]) ? undefined : row["url"];
  const files = splitUrls(row["media_urls"] ?? row["media_url"] ?? fileUrl);
  const pictures = splitUrls(row["image_urls"] ?? row["image_url"] ?? row["thumbnail_url"] ?? fileUrl);
  // 0 of an album whose parts were not captured.
  const parts = readCount(row["num_media"]) ?? 1;
  const isAlbum = parts !== 1 || type === "mixed";
  const video = !isAlbum && type === "video" ? files[0] : undefined;
  // Of a video without a picture 4CAT writes the video's URL.
  const media = toSingleMedia(
    pictures.find((url) => url !== video),
    video,
  );
  if (!isAlbum) return { ...media, media_type: MEDIA_TYPES.get(type) };
  const areComplete = pictures.length === parts && files.length === parts;
  return {
    ...media,
    media_type: 8,
    carousel_media_count: parts > 1 ? parts : undefined,
    carousel_media: areComplete
      ? pictures.map((picture, index) => toPart(picture, files[index]))
      : pictures.length > 1
        ? toPictureAlbum(pictures)
        : undefined,
  };
}

function toPart(picture: string, file: string | undefined): NativePost {
  const isPhoto = file === picture;
  const { image_versions2, video_versions } = toSingleMedia(picture, isPhoto ? undefined : file);
  return omitUnknown<NativePost>({ media_type: isPhoto ? 1 : 2, image_versions2, video_versions }) ?? {};
}

/** URLs may have commas of their own. */
function splitUrls(cell: unknown): string[] {
  return (readFilledText(cell) ?? "").split(/,(?=https?:\/\/)/).flatMap((url) => readUrl(url) ?? []);
}
