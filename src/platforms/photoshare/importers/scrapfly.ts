/**
 * Posts and profiles as the open Scrapfly scrapers reduce them: `captions`, `src`, `likes`, `followers`. A list of an
 * account's posts does not name the account; `--of` does. Newer lists keep the item family's names and are recognised
 * by shape instead.
 */
import type { Collector, Importer, SourceFile } from "#contract/importer.ts";
import type { NativePost, NativeUser } from "../native.ts";
import { readProfileName } from "../profile-address.ts";
import { type CapturedPost, collectPost } from "../recognise/captured-post.ts";
import { accountNameOf, type CapturedUser, collectUser } from "../recognise/captured-user.ts";
import {
  countOf,
  extentOf,
  flagOf,
  idOf,
  type JsonObject,
  known,
  listOf,
  objectOf,
  objectsIn,
  secondsOf,
  textOf,
  webAddressOf,
  wordOf,
} from "../recognise/field-readers.ts";
import { durationOf, viewsOrPlays } from "../recognise/item-post.ts";
import { imagesAs } from "../recognise/media-parts.ts";
import { postIdOfCode } from "../recognise/surroundings.ts";
import { categoryOf } from "./apify-profiles.ts";
import { holdsRecord, recordsIn } from "./reading-documents.ts";

export const scrapfly: Importer = {
  name: "scrapfly",

  detects(document) {
    return document.kind === "json" && holdsRecord(document, (record) => isPost(record) || isProfile(record));
  },

  read(document, file, collect) {
    for (const record of recordsIn(document)) {
      if (isProfile(record)) readProfile(record, collect);
      else if (isPost(record)) readPost(record, file, collect);
      else collect.refuse("record is neither a post nor a profile");
    }
  },
};

function isPost(record: JsonObject): boolean {
  return (
    typeof record["shortcode"] === "string" &&
    Array.isArray(record["captions"]) &&
    ["src", "thumb", "url"].some((name) => name in record) &&
    "taken_at" in record
  );
}

function isProfile(record: JsonObject): boolean {
  return (
    typeof record["username"] === "string" &&
    ["followers", "follows", "profile_image", "image_count"].every((name) => name in record)
  );
}

function readProfile(record: JsonObject, collect: Collector): void {
  const author: CapturedUser = {
    id: idOf(record["id"]),
    name: accountNameOf(record["username"]),
    displayName: textOf(record["name"]),
    bio: textOf(record["bio"]),
    verified: flagOf(record["is_verified"]),
    private: flagOf(record["is_private"]),
    counters:
      known({
        followers: countOf(record["followers"]),
        following: countOf(record["follows"]),
        posts: countOf(record["image_count"]),
      }) ?? {},
    native:
      known<NativeUser>({
        profile_pic_url: webAddressOf(record["profile_image"]),
        fbid_v2: idOf(record["facebook_id"]),
        category: wordOf(record["category"]) ?? categoryOf(record["business_category"]),
        bio_links: listOf(record["bio_links"])?.flatMap((link) => {
          const url = webAddressOf(link);
          return url === undefined ? [] : [{ link_type: "external", url }];
        }),
        external_url: webAddressOf(record["homepage"]),
      }) ?? {},
  };
  if (author.id === undefined && author.name === undefined) {
    collect.refuse("account has neither id nor name");
    return;
  }
  collectUser(author, collect);
  for (const post of [...objectsIn(record["images"]), ...objectsIn(record["videos"])]) {
    collectPost(capturedPost(post), collect, { author });
  }
}

function readPost(record: JsonObject, file: SourceFile, collect: Collector): void {
  const said = file.of === null ? undefined : readProfileName(file.of);
  const author: CapturedUser | undefined =
    said !== undefined && "name" in said ? { name: said.name, counters: {}, native: {} } : undefined;
  const postId = collectPost(capturedPost(record), collect, { author });
  if (postId === undefined) return;
  for (const comment of objectsIn(record["comments"])) readComment(comment, postId, collect);
}

function capturedPost(record: JsonObject): CapturedPost {
  const code = wordOf(record["shortcode"]);
  const dimensions = objectOf(record["dimensions"]) ?? {};
  const captions = listOf(record["captions"]);
  return {
    id: idOf(record["id"]) ?? postIdOfCode(code),
    publishedAt: secondsOf(record["taken_at"]),
    title: wordOf(record["title"]),
    text: textOf(captions?.[0]) ?? (captions?.length === 0 ? "" : undefined),
    tagged: listOf(record["tagged_users"] ?? record["tagged"])?.flatMap((value) => {
      const name = accountNameOf(value);
      return name === undefined ? [] : [{ name, counters: {}, native: {} }];
    }),
    durationS: durationOf(record["video_duration"]) ?? durationOf(record["duration"]),
    counters:
      known({
        likes: countOf(record["likes"]),
        views: viewsOrPlays(countOf(record["views"]), countOf(record["plays"])),
        comments: countOf(record["comments_count"]),
      }) ?? {},
    native:
      known<NativePost>({
        ...mediaOf(record, extentOf(dimensions["width"]), extentOf(dimensions["height"])),
        code,
        comments_disabled: flagOf(record["comments_disabled"]),
        accessibility_caption: wordOf(record["accessibility_caption"]) ?? wordOf(record["accesibility_caption"]),
      }) ?? {},
  };
}

function mediaOf(record: JsonObject, width: number | undefined, height: number | undefined): NativePost {
  const shown = webAddressOf(record["src"]) ?? webAddressOf(record["thumb"]);
  const film = webAddressOf(record["video_url"]) ?? webAddressOf(record["url"]);
  const attached = (listOf(record["src_attached"]) ?? []).flatMap((url) => webAddressOf(url) ?? []);
  const size = known({ width, height });
  const single = film !== undefined || record["is_video"] === true ? 2 : undefined;
  return (
    known<NativePost>({
      media_type: attached.length > 0 ? 8 : single,
      display_uri: shown,
      image_versions2: imagesAs(shown === undefined ? [] : [{ url: shown, ...size }]),
      video_versions: film === undefined ? undefined : [{ url: film, ...size }],
      original_width: width,
      original_height: height,
      carousel_media_count: attached.length || undefined,
      carousel_media:
        attached.length === 0 ? undefined : attached.map((url) => ({ image_versions2: { candidates: [{ url }] } })),
    }) ?? {}
  );
}

function readComment(comment: JsonObject, postId: string, collect: Collector): void {
  const id = idOf(comment["id"]);
  if (id === undefined) {
    collect.refuse("comment has no id");
    return;
  }
  const author = known({ id: idOf(comment["owner_id"]), name: accountNameOf(comment["owner"]) });
  collect.comment({
    id,
    postId,
    authorId:
      author === undefined
        ? undefined
        : collectUser({ ...author, verified: flagOf(comment["owner_verified"]), counters: {}, native: {} }, collect),
    text: textOf(comment["text"]),
    publishedAt: secondsOf(comment["created_at"]),
    counters: known({ likes: countOf(comment["likes"]) }) ?? {},
  });
}
