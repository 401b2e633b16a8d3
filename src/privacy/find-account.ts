import type { Account } from "#domain/account.ts";
import type { PlatformName } from "#domain/record.ts";
import type { Store } from "#store/store.ts";

/** By its id or its name; with `@` it is a name. Anybody may choose a name that is another's id. */
export async function findAccount(
  store: Pick<Store, "reader">,
  platform: PlatformName,
  idOrName: string,
): Promise<Account | null> {
  const reader = store.reader(platform);
  const byId = () => reader.getAccount(idOrName);
  const byName = () => reader.getAccountByName(idOrName.replace(/^@/, ""));
  return idOrName.startsWith("@") ? ((await byName()) ?? byId()) : ((await byId()) ?? byName());
}
