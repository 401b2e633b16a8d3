/** From what the caller wrote to the account that is meant, and from posts to the accounts behind them. */
import { type Context, parameterError } from "#api/endpoint.ts";
import type { Account } from "#domain/account.ts";
import type { Post } from "#domain/post.ts";
import { ApiError } from "#errors";
import type { Projection, Rendered } from "#domain/projection.ts";
import type { NativePost, NativeUser, PhotoShareNatives } from "./native.ts";
import { readProfileName } from "./profile-url.ts";

export async function findAccount(
  ctx: Context<PhotoShareNatives>,
  usernameOrUrl: string,
): Promise<Account<NativeUser>> {
  const name = nameIn(ctx, usernameOrUrl);
  return (await ctx.store.getAccountByName(name)) ?? notHeld(name);
}

export async function findAccountAs<Drawn>(
  ctx: Context<PhotoShareNatives>,
  usernameOrUrl: string,
  as: Projection<Account<NativeUser>, Drawn>,
): Promise<Rendered<Drawn>> {
  const name = nameIn(ctx, usernameOrUrl);
  return (await ctx.store.getRenderedAccountByName(name, as)) ?? notHeld(name);
}

function nameIn(ctx: Context<PhotoShareNatives>, usernameOrUrl: string): string {
  const read = readProfileName(usernameOrUrl);
  if ("reason" in read) throw parameterError(ctx, "invalid_parameter", "username_or_url", read.reason);
  return read.name;
}

function notHeld(name: string): never {
  throw new ApiError("account_not_found", `no account ${name} is held`);
}

/** Those held, by id. */
export async function accountsById(
  ctx: Context<PhotoShareNatives>,
  ids: Iterable<string>,
): Promise<Map<string, Account<NativeUser>>> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return new Map();
  const accounts = await ctx.store.getAccounts(wanted);
  return new Map(accounts.map((account) => [account.id, account]));
}

export function authorIdsOf(posts: readonly Post<NativePost>[]): string[] {
  return posts.flatMap(({ authorId }) => (authorId === null ? [] : [authorId]));
}
