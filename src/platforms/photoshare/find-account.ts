/** Looks up accounts by `username_or_url` and by id. */
import { type Context, parameterError } from "#api/endpoint.ts";
import type { Account } from "#domain/account.ts";
import { foldName } from "#domain/folding.ts";
import type { Post } from "#domain/post.ts";
import { ApiError } from "#errors";
import type { Projection, Rendered } from "#domain/projection.ts";
import type { NativePost, NativeUser, PhotoShareNatives } from "./native.ts";
import { parseProfileName } from "./profile-url.ts";

/** A name may consist of digits too, and takes precedence. */
const ID = /^\d+$/;

export async function findAccount(
  ctx: Context<PhotoShareNatives>,
  usernameOrUrl: string,
): Promise<Account<NativeUser>> {
  const name = parseName(ctx, usernameOrUrl);
  return (
    (await ctx.store.getAccountByName(name)) ??
    (ID.test(name) ? await ctx.store.getAccount(name) : null) ??
    throwNotFound(name)
  );
}

/**
 * The name or id that the client requested. Page tokens are bound to it, not to the stored id: an import may bring the id of
 * an account that was known by name.
 */
export function requestedName(ctx: Context<PhotoShareNatives>, usernameOrUrl: string): string {
  return foldName(parseName(ctx, usernameOrUrl));
}

export async function findRenderedAccount<Drawn>(
  ctx: Context<PhotoShareNatives>,
  usernameOrUrl: string,
  as: Projection<Account<NativeUser>, Drawn>,
): Promise<Rendered<Drawn>> {
  const name = parseName(ctx, usernameOrUrl);
  return (
    (await ctx.store.getRenderedAccountByName(name, as)) ??
    (ID.test(name) ? await ctx.store.getRenderedAccount(name, as) : null) ??
    throwNotFound(name)
  );
}

function parseName(ctx: Context<PhotoShareNatives>, usernameOrUrl: string): string {
  const parsed = parseProfileName(usernameOrUrl);
  if ("reason" in parsed) throw parameterError(ctx, "invalid_parameter", "username_or_url", parsed.reason);
  return parsed.name;
}

function throwNotFound(name: string): never {
  throw new ApiError("account_not_found", `account ${name} not found`);
}

/** Only those that exist. */
export async function getAccountsById(
  ctx: Context<PhotoShareNatives>,
  ids: Iterable<string>,
): Promise<Map<string, Account<NativeUser>>> {
  const unique = [...new Set(ids)];
  if (unique.length === 0) return new Map();
  const accounts = await ctx.store.getAccounts(unique);
  return new Map(accounts.map((account) => [account.id, account]));
}

export function listAuthorIds(posts: readonly Post<NativePost>[]): string[] {
  return posts.flatMap(({ authorId }) => (authorId === null ? [] : [authorId]));
}
