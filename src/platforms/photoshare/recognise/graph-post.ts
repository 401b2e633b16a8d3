/** Posts in Instagram's graph format: `GraphImage`, `GraphVideo`, `GraphSidecar`, with or without the prefix `XDT`. */
import {
  type Fields,
  omitUnknown,
  readCount,
  readFilledText,
  readFilledTexts,
  readFlag,
  readId,
  readObject,
  readText,
  readTimestamp,
} from "#import/capture/field-readers.ts";
import type { NativePost } from "../native.ts";
import { readNodes } from "./connection-nodes.ts";
import { type CapturedPost, readAuthor } from "./captured-post.ts";
import { readPlace } from "./captured-place.ts";
import { readSound } from "./captured-sound.ts";
import { readUser } from "./captured-user.ts";
import { readHashtagName } from "./hashtags.ts";
import { readDuration, readFlags, readPlays } from "./item-post.ts";
import { readGraphMedia } from "./media-parts.ts";
import { postIdFromCode } from "./enclosing-context.ts";

const TYPE_NAME = /^(?:XDT)?Graph(?:Image|Video|Sidecar)$/;
const KEYS = [
  "taken_at_timestamp",
  "edge_media_to_caption",
  "edge_media_preview_like",
  "edge_liked_by",
  "edge_media_to_comment",
  "edge_media_to_parent_comment",
  "thumbnail_src",
];

/** Lists often leave out the type name, so the keys of a post count too. Until 2018 the shortcode was in `code`. */
export function isGraphPost(object: Fields): boolean {
  if (TYPE_NAME.test(readText(object["__typename"]) ?? "")) return true;
  if (readFilledText(object["shortcode"]) !== undefined) return KEYS.some((key) => key in object);
  return readFilledText(object["code"]) !== undefined && "display_src" in object;
}

export function readGraphPost(found: Fields): CapturedPost {
  const node = TYPE_NAME.test(readText(found["type"]) ?? "") ? withGraphNames(found) : found;
  const code = readFilledText(node["shortcode"]) ?? readFilledText(node["code"]);
  const captions = readNodes(node["edge_media_to_caption"]);
  const caption = captions?.[0];
  const hidden = readFlag(node["like_and_view_counts_disabled"]);
  const played = hidden ? undefined : readPlays(node);
  return {
    id: readId(node["id"]) ?? readId(readText(node["id"])?.split("_")[0]) ?? postIdFromCode(code),
    ...readAuthor(node),
    publishedAt:
      readTimestamp(node["taken_at_timestamp"]) ?? readTimestamp(node["taken_at"]) ?? readTimestamp(node["date"]),
    title: readText(node["title"]),
    text: readText(caption?.["text"]) ?? readText(node["caption"]) ?? (captions?.length === 0 ? "" : undefined),
    hashtags: readFilledTexts(node["hashtags"])?.flatMap((name) => readHashtagName(name) ?? []),
    tagged: readNodes(node["edge_media_to_tagged_user"])?.flatMap((tag) => readUser(tag["user"]) ?? []),
    place: readPlace(node["location"]),
    sound: readSound(node),
    durationS: readDuration(node["video_duration"]),
    counters: omitUnknown({
      likes: hidden ? undefined : readLargestCount(node, ["edge_media_preview_like", "edge_liked_by", "likes"]),
      ...played?.counters,
      comments: readLargestCount(node, [
        "edge_media_to_parent_comment",
        "edge_media_to_comment",
        "edge_media_preview_comment",
        "comments",
      ]),
    }),
    native: omitUnknown<NativePost>({
      ...readGraphMedia(node),
      ...readFlags(node),
      ...played?.native,
      code,
      __typename: readFilledText(node["__typename"]),
      caption: omitUnknown({ pk: readId(caption?.["id"]), created_at: readTimestamp(caption?.["created_at"]) }),
    }),
  };
}

/** InstaTouch has names of its own for some of it. */
function withGraphNames({ type, dimension, description, views, ...node }: Fields): Fields {
  return { __typename: type, dimensions: dimension, caption: description, video_view_count: views, ...node };
}

/** The largest, since one of two edges with the same meaning may leave out replies. */
export function readLargestCount(node: Fields, names: readonly string[]): number | undefined {
  const counts = names.flatMap((name) => readCount(readObject(node[name])?.["count"]) ?? readCount(node[name]) ?? []);
  return counts.length === 0 ? undefined : Math.max(...counts);
}
