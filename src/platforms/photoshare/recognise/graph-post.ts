/** Posts of the graph family: `GraphImage`, `GraphVideo`, `GraphSidecar`, with or without `XDT` before the name. */
import type { NativePost } from "../native.ts";
import { type CapturedPost, readAuthor } from "./captured-post.ts";
import { readPlace } from "./captured-place.ts";
import { type CapturedUser, readUser } from "./captured-user.ts";
import {
  countOf,
  flagOf,
  idOf,
  type JsonObject,
  known,
  nodesOf,
  objectOf,
  secondsOf,
  textOf,
  wordOf,
} from "./field-readers.ts";
import { durationOf, flagsOf, viewsOf } from "./item-post.ts";
import { graphMedia } from "./media-parts.ts";
import { postIdOfCode } from "./surroundings.ts";

const FAMILY = /^(?:XDT)?Graph(?:Image|Video|Sidecar)$/;
const SIGNS = [
  "taken_at_timestamp",
  "edge_media_to_caption",
  "edge_media_preview_like",
  "edge_liked_by",
  "edge_media_to_comment",
  "edge_media_to_parent_comment",
  "thumbnail_src",
];

/** Lists often leave out the type name, so the edges of a post count as well. */
export function isGraphPost(object: JsonObject): boolean {
  if (FAMILY.test(textOf(object["__typename"]) ?? "")) return true;
  return wordOf(object["shortcode"]) !== undefined && SIGNS.some((sign) => sign in object);
}

export function readGraphPost(node: JsonObject): CapturedPost {
  const code = wordOf(node["shortcode"]) ?? wordOf(node["code"]);
  const captions = nodesOf(node["edge_media_to_caption"]);
  const caption = captions?.[0];
  const hidden = flagOf(node["like_and_view_counts_disabled"]);
  return {
    id: idOf(node["id"]) ?? idOf(textOf(node["id"])?.split("_")[0]) ?? postIdOfCode(code),
    ...readAuthor(node),
    publishedAt: secondsOf(node["taken_at_timestamp"]) ?? secondsOf(node["taken_at"]) ?? secondsOf(node["date"]),
    title: wordOf(node["title"]),
    text: textOf(caption?.["text"]) ?? textOf(node["caption"]) ?? (captions?.length === 0 ? "" : undefined),
    tagged: taggedIn(node),
    place: readPlace(node["location"]),
    durationS: durationOf(node["video_duration"]),
    counters:
      known({
        likes: hidden ? undefined : countIn(node, ["edge_media_preview_like", "edge_liked_by", "likes"]),
        views: hidden ? undefined : viewsOf(node),
        comments: countIn(node, [
          "edge_media_to_parent_comment",
          "edge_media_to_comment",
          "edge_media_preview_comment",
          "comments",
        ]),
      }) ?? {},
    native:
      known<NativePost>({
        ...graphMedia(node),
        ...flagsOf(node),
        code,
        __typename: wordOf(node["__typename"]),
        caption: known({ pk: idOf(caption?.["id"]), created_at: secondsOf(caption?.["created_at"]) }),
      }) ?? {},
  };
}

/** The largest that is stated: of two edges that count the same, one may leave out replies. */
function countIn(node: JsonObject, names: readonly string[]): number | undefined {
  const counts = names.flatMap((name) => countOf(objectOf(node[name])?.["count"]) ?? countOf(node[name]) ?? []);
  return counts.length === 0 ? undefined : Math.max(...counts);
}

function taggedIn(node: JsonObject): CapturedUser[] | undefined {
  return nodesOf(node["edge_media_to_tagged_user"])?.flatMap((tag) => readUser(tag["user"]) ?? []);
}
