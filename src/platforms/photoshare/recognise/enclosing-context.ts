/**
 * What stands around an object and says to whom it belongs: the account whose list it is in, the post that it comments
 * on, the hashtag above it. Known from an enclosing object, from the address the answer came from, or from the person's
 * `--of`. Addresses are only looked at, never fetched.
 */
import type { AccountRef, DocumentContext } from "#api/importer.ts";
import { readFilledText, readId } from "#import/capture/field-readers.ts";
import { readProfileName } from "../profile-url.ts";
import { idOfCode } from "../shortcode.ts";
import { type CapturedUser, objectInText } from "./captured-user.ts";

export interface Surroundings {
  scene?: DocumentContext | undefined;
  /** The profile that a post stands below, for posts that do not name their author. */
  author?: CapturedUser | undefined;
  postId?: string | undefined;
  hashtag?: string | undefined;
  placeId?: string | undefined;
  /** The account whose tagged posts these are. */
  taggedId?: string | undefined;
}

const HOST = /^(?:[a-z0-9-]+\.)*instagram\.com$/i;

/** The account whose followers, followed accounts or tagged posts a list holds. */
export function listOwner({ scene }: Surroundings): AccountRef | undefined {
  if (scene === undefined) return undefined;
  const address = platformAddress(scene.url);
  const [, ofPath] = /\/(?:friendships|usertags)\/(\d{1,20})\//.exec(address?.pathname ?? "") ?? [];
  const id = ofPath ?? readId(variablesOf(address)["id"]) ?? readId(variablesOf(address)["user_id"]);
  if (id !== undefined) return { id };
  const named = scene.file.of === null ? undefined : readProfileName(scene.file.of);
  return named !== undefined && "name" in named ? { name: named.name } : undefined;
}

/** Lists of users look the same whichever way they point; only the address tells. */
export function pointsToFollowed({ scene }: Surroundings): boolean {
  return /\/friendships\/\d+\/following\//.test(platformAddress(scene?.url)?.pathname ?? "");
}

export function isFriendshipList({ scene }: Surroundings): boolean {
  return /\/friendships\/\d+\/(?:followers|following)\//.test(platformAddress(scene?.url)?.pathname ?? "");
}

export function isTaggedFeed({ scene }: Surroundings): boolean {
  return /\/usertags\/\d+\/feed\//.test(platformAddress(scene?.url)?.pathname ?? "");
}

/** The post that a list of comments belongs to. */
export function commentedPost({ scene, postId }: Surroundings): string | undefined {
  if (postId !== undefined) return postId;
  if (scene === undefined) return undefined;
  const address = platformAddress(scene.url);
  const [, ofPath] = /\/media\/(\d{1,20})(?:_\d+)?\/(?:comments|info)/.exec(address?.pathname ?? "") ?? [];
  const variables = variablesOf(address);
  return (
    ofPath ?? readId(variables["media_id"]) ?? postIdOfCode(variables["shortcode"]) ?? postIdOfAddress(scene.file.of)
  );
}

/** A post's code or its address. Accounts that are not public have longer codes, of which the first eleven count. */
export function postIdOfAddress(text: string | null | undefined): string | undefined {
  if (text == null) return undefined;
  const [, ofAddress] = /\/(?:p|reel|reels|tv)\/([A-Za-z0-9_-]{5,})/.exec(text) ?? [];
  return postIdOfCode(ofAddress ?? text.trim());
}

export function postIdOfCode(value: unknown): string | undefined {
  const code = readFilledText(value);
  if (code === undefined || !/^[A-Za-z0-9_-]{5,60}$/.test(code)) return undefined;
  return readId(idOfCode(code.slice(0, 11)) ?? undefined);
}

function platformAddress(url: string | null | undefined): URL | undefined {
  const address = url == null ? null : URL.parse(url);
  return address !== null && HOST.test(address.hostname) ? address : undefined;
}

function variablesOf(address: URL | undefined): Record<string, unknown> {
  return objectInText(address?.searchParams.get("variables")) ?? {};
}
