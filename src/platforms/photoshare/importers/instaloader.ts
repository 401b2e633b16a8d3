/**
 * Instaloader metadata: `{"node": …, "instaloader": {"node_type": …}}`. Posts loaded with a session also have the app's
 * own object in `iphone_struct`; it is newer and more complete, so it wins. The folder says how posts were found: in
 * `<profile>/:tagged` by the account they tag, in `#<hashtag>` by their hashtag.
 */
import type { Collector, Importer, SourceFile } from "#api/importer.ts";
import { hasRecord, listRecords } from "#import/capture/document-records.ts";
import { type Fields, readObject, readText, readObjects } from "#import/capture/field-readers.ts";
import { parseProfileName } from "../profile-url.ts";
import { collectPost, mergePosts } from "../recognise/captured-post.ts";
import { collectUser, mergeUsers, readUser } from "../recognise/captured-user.ts";
import { collectCommentsIn } from "../recognise/comments.ts";
import { readGraphPost } from "../recognise/graph-post.ts";
import { findHashtags } from "../recognise/hashtags-in-text.ts";
import { collectHashtag } from "../recognise/hashtags.ts";
import { isAdvertisement, readItem } from "../recognise/item-post.ts";
import { collectOwnedLists } from "../recognise/owner-lists.ts";
import { type EnclosingContext, readSubjectName } from "../recognise/enclosing-context.ts";
import { recogniseAll } from "../recognise.ts";

export const instaloader: Importer = {
  name: "instaloader",

  detects: ({ kind, value }) =>
    kind === "json" && hasRecord(listRecords(value), (record) => nodeTypeOf(record) !== undefined),

  read(document, file, collect) {
    for (const record of readObjects(listRecords(document.value))) readNode(record, file, collect);
  },
};

function nodeTypeOf(record: Fields): string | undefined {
  return "node" in record ? readText(readObject(record["instaloader"])?.["node_type"]) : undefined;
}

function readNode(record: Fields, file: SourceFile, collect: Collector): void {
  const node = readObject(record["node"]);
  const type = nodeTypeOf(record);
  if (type === "StoryItem") collect.skip("story");
  else if (type === "FrozenNodeIterator") collect.skip("instaloader's resume state");
  else if (node === undefined) collect.refuse("unknown_record");
  else if (type === "Post") readPost(node, file, collect);
  else if (type === "Profile") readProfile(node, { document: { url: null, file } }, collect);
  else if (type === "Hashtag") readHashtag(node, { document: { url: null, file } }, collect);
  else collect.refuse("unknown_record");
}

function readPost(node: Fields, file: SourceFile, collect: Collector): void {
  const full = readObject(node["iphone_struct"]);
  if (isAdvertisement(node) || (full !== undefined && isAdvertisement(full))) return collect.skip("advertisement");
  // Only the app's object says that likes are hidden; the count that the tool copies from it is then not theirs.
  const hidden = full?.["like_and_view_counts_disabled"];
  const graph = readGraphPost({ like_and_view_counts_disabled: hidden, ...node });
  const post = full === undefined ? graph : mergePosts(graph, readItem(full));
  const id = collectPost(post, collect, readFolder(file, collect));
  if (id === undefined) return;
  collectCommentsIn(node, id, collect);
  if (full !== undefined) collectCommentsIn(full, id, collect);
}

/** On Windows, the tool writes a wide colon. */
const TAGGED_FOLDERS = new Set([":tagged", "：tagged"]);

function readFolder(file: SourceFile, collect: Collector): EnclosingContext {
  const folder = file.segments.at(-2) ?? "";
  const [hashtag] = findHashtags(folder);
  if (hashtag !== undefined && folder === `#${hashtag}`) return { hashtag };
  if (!TAGGED_FOLDERS.has(folder)) return {};
  const profile = parseProfileName(file.segments.at(-3) ?? "");
  const name = "name" in profile ? profile.name : readSubjectName(file);
  if (name === undefined) collect.refuse("tagged_posts_without_owner");
  return name === undefined ? {} : { taggedId: collect.account({ name }) };
}

function readProfile(node: Fields, enclosing: EnclosingContext, collect: Collector): void {
  const graph = readUser(node);
  const full = readUser(node["iphone_struct"]);
  const user = graph !== undefined && full !== undefined ? mergeUsers(graph, full) : (full ?? graph);
  if (user === undefined) return collect.refuse("account_without_id");
  collectUser(user, collect);
  collectOwnedLists(node, user, enclosing, collect, (part, within) => recogniseAll(part, within, collect));
}

function readHashtag(node: Fields, enclosing: EnclosingContext, collect: Collector): void {
  const hashtag = collectHashtag(node, collect);
  if (hashtag !== undefined)
    for (const part of Object.values(node)) recogniseAll(part, { ...enclosing, hashtag }, collect);
}
