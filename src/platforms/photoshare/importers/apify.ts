/**
 * Items of Apify's actors for this platform: posts, profiles, hashtags and comments, as JSON or as a table in which
 * nested names are joined by slashes. Hidden likes are written as -1. Entries for pages that could not be opened carry
 * an `error` and no record.
 */
import type { Collector, Importer, SourceDocument } from "#api/importer.ts";
import { listRecords } from "#import/capture/document-records.ts";
import {
  type Fields,
  omitUnknown,
  readCount,
  readFilledText,
  readId,
  readObjects,
  readText,
} from "#import/capture/field-readers.ts";
import { collectPost } from "../recognise/captured-post.ts";
import { accountNameOf, collectUser } from "../recognise/captured-user.ts";
import { collectApifyComment } from "./apify-comments.ts";
import { readApifyPost } from "./apify-posts.ts";
import { readApifyProfile } from "./apify-profiles.ts";
import { nestedRow } from "./nested-row.ts";

type Kind = "post" | "profile" | "hashtag" | "comment" | "error";

export const apify: Importer = {
  name: "apify",

  detects(document) {
    return (
      document.kind !== "text" &&
      itemsIn(document)
        .slice(0, 20)
        .some((item) => kindOf(item) !== undefined)
    );
  },

  read(document, _file, collect) {
    for (const item of itemsIn(document)) readItem(item, kindOf(item), collect);
  },
};

function itemsIn(document: SourceDocument): Fields[] {
  return document.kind === "row"
    ? readObjects(listRecords(document.value)).map(nestedRow)
    : readObjects(listRecords(document.value));
}

/** Posts are omitUnknown by `shortCode`, which nobody else writes so; the others only by an address of the platform. */
function kindOf(item: Fields): Kind | undefined {
  if (readFilledText(item["shortCode"]) !== undefined) return "post";
  if (readFilledText(item["text"]) !== undefined && isAddress(item["postUrl"])) return "comment";
  if (!["url", "inputUrl", "searchUrl"].some((name) => isAddress(item[name]))) return undefined;
  if (accountNameOf(item["username"]) !== undefined && PROFILE.some((sign) => sign in item)) return "profile";
  if (readFilledText(item["name"]) !== undefined && "postsCount" in item) return "hashtag";
  return "error" in item ? "error" : undefined;
}

const PROFILE = ["followersCount", "postsCount", "latestPosts", "biography", "profilePicUrl"];

function isAddress(value: unknown): boolean {
  return /^https?:\/\/(?:[a-z]+\.)?instagram\.com\//i.test(readText(value) ?? "");
}

function readItem(item: Fields, kind: Kind | undefined, collect: Collector): void {
  switch (kind) {
    case "post":
      readPost(item, collect);
      break;
    case "comment":
      collectApifyComment(item, undefined, collect);
      break;
    case "profile": {
      const author = readApifyProfile(item);
      collectUser(author, collect);
      for (const list of ["latestPosts", "latestIgtvVideos", "topPosts"]) {
        for (const post of readObjects(item[list])) collectPost(readApifyPost(post), collect, { author });
      }
      break;
    }
    case "hashtag":
      readHashtag(item, collect);
      break;
    case "error":
      collect.skip("the actor could not open the page");
      break;
    default:
      collect.refuse("unknown_record");
  }
}

function readPost(item: Fields, collect: Collector): void {
  if (item["isAdvertisement"] === true || item["productType"] === "ad") {
    collect.skip("advertisement");
    return;
  }
  const postId = collectPost(readApifyPost(item), collect);
  if (postId === undefined) return;
  for (const comment of readObjects(item["latestComments"])) collectApifyComment(comment, postId, collect);
}

function readHashtag(item: Fields, collect: Collector): void {
  const hashtag = readFilledText(item["name"])?.replace(/^#/, "") ?? "";
  if (hashtag === "") {
    collect.refuse("hashtag_without_name");
    return;
  }
  collect.hashtag({
    name: hashtag,
    id: readId(item["id"]) ?? null,
    counters: omitUnknown({ posts: readCount(item["postsCount"]) }) ?? {},
  });
  for (const list of ["topPosts", "latestPosts"]) {
    for (const post of readObjects(item[list])) collectPost(readApifyPost(post), collect, { hashtag });
  }
}
