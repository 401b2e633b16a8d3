/**
 * What an object belongs to: the account whose list it is in, the post it comments on, the hashtag above it. Taken from
 * an enclosing object, from the response's URL, or from the user's `--of`. URLs are parsed, never fetched.
 */
import type { AccountRef, DocumentContext, SourceFile } from "#api/importer.ts";
import { readFilledText, readId } from "#import/capture/field-readers.ts";
import { readProfileName } from "../profile-url.ts";
import { idOfCode } from "../shortcode.ts";
import { type CapturedUser, objectInText } from "./captured-user.ts";

export interface Surroundings {
  scene?: DocumentContext | undefined;
  /** The enclosing profile, for posts that do not name their author. */
  author?: CapturedUser | undefined;
  postId?: string | undefined;
  hashtag?: string | undefined;
  placeId?: string | undefined;
  /** The account whose tagged posts these are. */
  taggedId?: string | undefined;
}

const HOST = /^(?:[a-z0-9-]+\.)*instagram\.com$/i;

/** The account named by the user's `--of`. */
export function readSubjectName({ subject }: SourceFile): string | undefined {
  const profile = readProfileName(subject ?? "");
  return "name" in profile ? profile.name : undefined;
}

/** The account whose followers, followed accounts or tagged posts a list contains. */
export function listOwner({ scene }: Surroundings): AccountRef | undefined {
  if (scene === undefined) return undefined;
  const url = parseInstagramUrl(scene.url);
  const [, idInPath] = /\/(?:friendships|usertags)\/(\d{1,20})\//.exec(url?.pathname ?? "") ?? [];
  const variables = parseVariables(url);
  const id = idInPath ?? readId(variables["id"]) ?? readId(variables["user_id"]);
  if (id !== undefined) return { id };
  const name = readSubjectName(scene.file);
  return name === undefined ? undefined : { name };
}

/** Followers and followed accounts come in the same form; only the URL tells them apart. */
export function pointsToFollowed({ scene }: Surroundings): boolean {
  return /\/friendships\/\d+\/following\//.test(parseInstagramUrl(scene?.url)?.pathname ?? "");
}

export function isFriendshipList({ scene }: Surroundings): boolean {
  return /\/friendships\/\d+\/(?:followers|following)\//.test(parseInstagramUrl(scene?.url)?.pathname ?? "");
}

export function isTaggedFeed({ scene }: Surroundings): boolean {
  return /\/usertags\/\d+\/feed\//.test(parseInstagramUrl(scene?.url)?.pathname ?? "");
}

/** The post that a list of comments belongs to. */
export function commentedPost({ scene, postId }: Surroundings): string | undefined {
  if (postId !== undefined) return postId;
  if (scene === undefined) return undefined;
  const url = parseInstagramUrl(scene.url);
  const [, idInPath] = /\/media\/(\d{1,20})(?:_\d+)?\/(?:comments|info)/.exec(url?.pathname ?? "") ?? [];
  const variables = parseVariables(url);
  return (
    idInPath ??
    readId(variables["media_id"]) ??
    postIdOfCode(variables["shortcode"]) ??
    postIdOfAddress(scene.file.subject)
  );
}

/** From a post's shortcode or URL. Posts of private accounts have longer codes, of which only the first eleven count. */
export function postIdOfAddress(text: string | null | undefined): string | undefined {
  if (text == null) return undefined;
  const [, codeInUrl] = /\/(?:p|reel|reels|tv)\/([A-Za-z0-9_-]{5,})/.exec(text) ?? [];
  return postIdOfCode(codeInUrl ?? text.trim());
}

export function postIdOfCode(value: unknown): string | undefined {
  const code = readFilledText(value);
  if (code === undefined || !/^[A-Za-z0-9_-]{5,60}$/.test(code)) return undefined;
  return readId(idOfCode(code.slice(0, 11)) ?? undefined);
}

function parseInstagramUrl(text: string | null | undefined): URL | undefined {
  const url = text == null ? null : URL.parse(text);
  return url !== null && HOST.test(url.hostname) ? url : undefined;
}

/** The GraphQL variables of the request. */
function parseVariables(url: URL | undefined): Record<string, unknown> {
  return objectInText(url?.searchParams.get("variables")) ?? {};
}
