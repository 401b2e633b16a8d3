/**
 * What an object belongs to: the account whose list it is in, the post it comments on, the hashtag above it. Taken from
 * an enclosing object, from the response's URL, or from the user's `--of`. URLs are parsed, never fetched.
 */
import type { AccountRef, DocumentContext, SourceFile } from "#api/importer.ts";
import { readFilledText, readId } from "#import/capture/field-readers.ts";
import { type FollowDirection, followDirectionInName } from "#import/capture/follow-direction.ts";
import { parseProfileName } from "../profile-url.ts";
import { codeToId } from "../shortcode.ts";
import { type CapturedUser, parseJsonObject } from "./captured-user.ts";

export interface EnclosingContext {
  document?: DocumentContext | undefined;
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
  const profile = parseProfileName(subject ?? "");
  return "name" in profile ? profile.name : undefined;
}

/** The account whose followers, followed accounts or tagged posts a list contains. */
export function findListOwner({ document }: EnclosingContext): AccountRef | undefined {
  if (document === undefined) return undefined;
  const url = parseInstagramUrl(document.url);
  const [, idInPath] = /\/(?:friendships|usertags)\/(\d{1,20})\//.exec(url?.pathname ?? "") ?? [];
  const variables = parseVariables(url);
  const id = idInPath ?? readId(variables["id"]) ?? readId(variables["user_id"]);
  if (id !== undefined) return { id };
  const name = readSubjectName(document.file);
  return name === undefined ? undefined : { name };
}

export function isFriendshipList({ document }: EnclosingContext): boolean {
  return /\/friendships\/\d+\/(?:followers|following)\//.test(parseInstagramUrl(document?.url)?.pathname ?? "");
}

/** Followers and followed accounts come in the same form; the URL tells them apart, else the file's name. */
export function findFollowDirection(enclosing: EnclosingContext): FollowDirection | undefined {
  const { document } = enclosing;
  if (document === undefined) return undefined;
  if (isFriendshipList(enclosing)) {
    const path = parseInstagramUrl(document.url)?.pathname ?? "";
    return /\/friendships\/\d+\/following\//.test(path) ? "followed" : "followers";
  }
  return followDirectionInName(document.file);
}

/** Whether a document that was saved without its URL is a list of followers or followed accounts, by the file's name. */
export function isFollowsFile(enclosing: EnclosingContext): boolean {
  return enclosing.document?.url === null && findFollowDirection(enclosing) !== undefined;
}

export function isTaggedFeed({ document }: EnclosingContext): boolean {
  return /\/usertags\/\d+\/feed\//.test(parseInstagramUrl(document?.url)?.pathname ?? "");
}

/** The post that a list of comments belongs to. */
export function findCommentedPost({ document, postId }: EnclosingContext): string | undefined {
  if (postId !== undefined) return postId;
  if (document === undefined) return undefined;
  const url = parseInstagramUrl(document.url);
  const [, idInPath] = /\/media\/(\d{1,20})(?:_\d+)?\/(?:comments|info)/.exec(url?.pathname ?? "") ?? [];
  const variables = parseVariables(url);
  return (
    idInPath ??
    readId(variables["media_id"]) ??
    postIdFromCode(variables["shortcode"]) ??
    // The post's own page has its first comments.
    postIdFromCode(codeInUrl(url?.pathname)) ??
    postIdFromUrl(document.file.subject)
  );
}

/**
 * From a post's URL or shortcode. A text without a URL may be an account's name, which has up to 30 characters: it is a code
 * at eleven characters, or beyond 30, as of posts of private accounts.
 */
export function postIdFromUrl(text: string | null | undefined): string | undefined {
  const code = codeInUrl(text);
  if (code !== undefined) return postIdFromCode(code);
  const bare = text?.trim() ?? "";
  return bare.length === 11 || bare.length > 30 ? postIdFromCode(bare) : undefined;
}

/** `/p/<code>/`, `/reel/<code>/`, also below an account's name. */
export function codeInUrl(url: unknown): string | undefined {
  return /\/(?:p|reel|reels|tv)\/([A-Za-z0-9_-]{5,})/.exec(readFilledText(url) ?? "")?.[1];
}

/** Of the codes of private accounts' posts, which are longer, only the first eleven characters count. */
export function postIdFromCode(value: unknown): string | undefined {
  const code = readFilledText(value);
  if (code === undefined || !/^[A-Za-z0-9_-]{5,60}$/.test(code)) return undefined;
  return readId(codeToId(code.slice(0, 11)) ?? undefined);
}

export function parseInstagramUrl(text: string | null | undefined): URL | undefined {
  const url = text == null ? null : URL.parse(text);
  return url !== null && HOST.test(url.hostname) ? url : undefined;
}

/** The GraphQL variables of the request. */
function parseVariables(url: URL | undefined): Record<string, unknown> {
  return parseJsonObject(url?.searchParams.get("variables")) ?? {};
}
