import type { Account } from "#domain/account.ts";
import { parseJsonText } from "#domain/json-text.ts";
import type { PlatformName } from "#domain/record.ts";
import type { Store } from "#store/store.ts";

type Stored = Pick<Store, "reader" | "tables">;

/**
 * By its id or its name; with `@` it is a name. Anybody may choose a name that is another's id, so what others refer to as an
 * id is one, even if its account is not stored: then null.
 */
export async function findAccount(store: Stored, platform: PlatformName, idOrName: string): Promise<Account | null> {
  const reader = store.reader(platform);
  const byId = () => reader.getAccount(idOrName);
  const byName = () => reader.getAccountByName(idOrName.replace(/^@/, ""));
  if (idOrName.startsWith("@")) return (await byName()) ?? byId();
  const account = (await byId()) ?? (await byName());
  if (account === null || account.id === idOrName) return account;
  return (await isReferredTo(store, platform, idOrName)) ? null : account;
}

/** Whether posts, follows or comments have this id for an account. */
async function isReferredTo(store: Stored, platform: PlatformName, id: string): Promise<boolean> {
  const reader = store.reader(platform);
  for (const list of ["author", "tagged"] as const) if ((await reader.countPosts(list, id)) > 0) return true;
  if ((await reader.countFollowers(id)) > 0 || (await reader.listFollowing(id, { limit: 1 })).items.length > 0)
    return true;
  return store.tables.snapshot(async (tables) => {
    for await (const rows of tables.read("comments", { platforms: [platform], withoutNative: true })) {
      if (rows.some((row) => parseJsonText(row[3]).authorId === id)) return true;
    }
    return false;
  });
}
