/** Finds a record by its id, its name or its URL on the platform's site. */
import { type CrossPlatformContext, type PlatformStore, type PlatformTraits, parameterError } from "#api/endpoint.ts";
import { textParameter } from "#api/parameters.ts";
import { isUrl, type SiteTarget } from "#api/site-url.ts";
import type { Account } from "#domain/account.ts";
import { foldName } from "#domain/folding.ts";
import type { Post } from "#domain/post.ts";
import { isProvisional, provisionalId } from "#domain/provisional-id.ts";
import type { PlatformName } from "#domain/record.ts";

export const AccountParameter = textParameter(
  "Id of the account, its name with or without `@`, or the URL of its profile.",
  { maxLength: 2_048 },
);

type Traits = Pick<CrossPlatformContext, "platforms">;

export function traitsOf({ platforms }: Traits, platform: PlatformName): PlatformTraits {
  const traits = platforms.find(({ name }) => name === platform);
  if (traits === undefined) throw new Error(`${platform} is not registered`);
  return traits;
}

/** Null for a URL that is not one of the platform's posts. */
export function findPostId(ctx: Traits, platform: PlatformName, text: string): string | null {
  const { parseSiteUrl, toPostId } = traitsOf(ctx, platform);
  const trimmed = text.trim();
  if (!isUrl(trimmed)) return toPostId?.(trimmed) ?? text;
  const target = parseSiteUrl(trimmed);
  return target?.kind === "post" ? target.id : null;
}

/** What the URL names; null if the text is no URL, and an error if the URL names something else. */
export function parseTarget<Kind extends SiteTarget["kind"]>(
  ctx: Traits & Pick<CrossPlatformContext, "parameterLocation">,
  platform: PlatformName,
  parameter: string,
  kind: Kind,
  text: string,
): Extract<SiteTarget, { kind: Kind }> | null {
  const trimmed = text.trim();
  if (!isUrl(trimmed)) return null;
  const target = traitsOf(ctx, platform).parseSiteUrl(trimmed);
  if (target !== null && isOfKind(target, kind)) return target;
  throw parameterError(
    ctx,
    "invalid_parameter",
    parameter,
    `must be an id, a name or the URL of the ${kind} on the site of ${platform}; short links are not resolved`,
  );
}

function isOfKind<Kind extends SiteTarget["kind"]>(
  target: SiteTarget,
  kind: Kind,
): target is Extract<SiteTarget, { kind: Kind }> {
  return target.kind === kind;
}

/** By id, by name with or without `@`, or by the URL of the profile. */
export async function findAccount(
  ctx: Traits & Pick<CrossPlatformContext, "parameterLocation">,
  { platform, store }: PlatformStore,
  parameter: string,
  text: string,
): Promise<Account | null> {
  const target = parseTarget(ctx, platform, parameter, "account", text);
  if (target !== null) return "id" in target ? store.getAccount(target.id) : store.getAccountByName(target.name);
  // The id takes precedence: a name may consist of digits too.
  return (await store.getAccount(text)) ?? store.getAccountByName(foldName(text));
}

/**
 * The name or id that the client requested an account by. Page tokens are bound to it, not to the stored id: an import may
 * bring the id of an account that was known by name.
 */
export function requestedAccount(
  ctx: Traits & Pick<CrossPlatformContext, "parameterLocation">,
  platform: PlatformName,
  parameter: string,
  text: string,
  account: Account | null,
): string {
  const target = parseTarget(ctx, platform, parameter, "account", text);
  if (target !== null) return "id" in target ? target.id : provisionalId(target.name);
  const isName = isProvisional(text) || (account !== null && account.id !== text);
  return isName ? provisionalId(text) : text;
}

/** A post by its id, or by another form of it; the id takes precedence. */
export async function findPost(
  ctx: Traits & Pick<CrossPlatformContext, "parameterLocation">,
  { platform, store }: PlatformStore,
  text: string,
): Promise<Post | null> {
  for (const id of listPostIds(ctx, platform, text)) {
    const post = await store.getPost(id);
    if (post !== null) return post;
  }
  return null;
}

/** The id of a post that is not stored but has stored comments; null if there are none. */
export async function findCommentedPostId(
  ctx: Traits & Pick<CrossPlatformContext, "parameterLocation">,
  { platform, store }: PlatformStore,
  text: string,
): Promise<string | null> {
  for (const id of listPostIds(ctx, platform, text)) if (await store.hasComments(id)) return id;
  return null;
}

/** The ids that the text may mean, the likeliest first. */
function listPostIds(
  ctx: Traits & Pick<CrossPlatformContext, "parameterLocation">,
  platform: PlatformName,
  text: string,
): string[] {
  const target = parseTarget(ctx, platform, "id", "post", text);
  if (target !== null) return [target.id];
  const { toPostId = (id: string) => id } = traitsOf(ctx, platform);
  return [...new Set([text, toPostId(text.trim())])];
}
