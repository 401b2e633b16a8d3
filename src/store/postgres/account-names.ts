/**
 * Account names of one batch: a name belongs to the account captured most recently with it. Each statement repeats that
 * rule, since another writer may have given the name to another account meanwhile.
 */
import type { PlatformName } from "#domain/record.ts";
import { type JobTouches, NOBODY } from "../job-touches.ts";
import type { Sql } from "./sql.ts";
import { RowCache } from "./row-cache.ts";
import { ACCOUNT_NAMES, type AccountNameRow } from "./tables.ts";
import { sortByKey, upsertIf } from "./upsert.ts";

export interface Renaming {
  platform: PlatformName;
  id: string;
  /** Folded; null if it had none. */
  from: string | null;
  to: string | null;
  capturedAt: number;
  /** Its place in the batch. */
  order: number;
}

interface OwnedName {
  name: string;
  platform: PlatformName;
  stored: AccountNameRow | null;
  /** Null if the name belongs to nobody. */
  owner: AccountNameRow | null;
  /** An account that had the name before took it when it belonged to nobody. */
  isTaken: boolean;
}

export class AccountNames {
  /** In the order they came; the affected names are read together on flush. */
  readonly #renamings: Renaming[] = [];
  /** Names that their accounts lost, as they were stored. */
  readonly #lost: AccountNameRow[] = [];
  readonly #taken: Pick<AccountNameRow, "name" | "platform">[] = [];

  put(renaming: Renaming): void {
    this.#renamings.push(renaming);
  }

  async flush(sql: Sql): Promise<void> {
    const affected = this.#renamings.flatMap(({ from, to }) => [from, to].filter((name) => name !== null));
    if (affected.length === 0) return;
    const names = new RowCache<OwnedName>();
    const stored = await sql.all<AccountNameRow>(
      "SELECT name, platform, id, captured_at FROM account_names WHERE name = ANY($1)",
      [...new Set(affected)],
    );
    for (const row of stored) {
      const { name, platform } = row;
      names.load([platform, name], { name, platform, stored: row, owner: row, isTaken: false });
    }
    for (const renaming of this.#renamings) rename(names, renaming);
    for (const { name, platform, stored: before, owner, isTaken } of names.changed()) {
      if (before !== null && before.id !== owner?.id) this.#lost.push(before);
      if (before === null && isTaken) this.#taken.push({ name, platform });
    }
    await write(sql, sortByKey({ key: ["name", "platform"] }, names.changed()));
  }

  touchInto(touches: JobTouches): void {
    for (const { name, platform, id, captured_at } of this.#lost) {
      touches.add(platform, "name", name, () => JSON.stringify({ id, captured_at }));
    }
    for (const { name, platform } of this.#taken) touches.add(platform, "name", name, NOBODY);
  }
}

function rename(names: RowCache<OwnedName>, { platform, id, from, to, capturedAt }: Renaming): void {
  const setOwner = (name: string, owner: AccountNameRow | null) => {
    const before = names.get([platform, name]);
    const isTaken = before?.isTaken ?? from === name;
    names.put([platform, name], { name, platform, stored: before?.stored ?? null, owner, isTaken });
  };
  if (from !== null && from !== "" && from !== to && names.get([platform, from])?.owner?.id === id) {
    setOwner(from, null);
  }
  if (to === null || to === "") return;
  const owner = names.get([platform, to])?.owner ?? null;
  if (owner !== null && owner.captured_at > capturedAt) return;
  setOwner(to, { name: to, platform, id, captured_at: capturedAt });
}

/** In the order of the names, as every writer does, so that none waits for another that waits for it. */
async function write(sql: Sql, names: readonly OwnedName[]): Promise<void> {
  const sent: Promise<unknown>[] = [];
  let given: AccountNameRow[] = [];
  const send = () => {
    sent.push(upsertIf(sql, ACCOUNT_NAMES, "account_names.captured_at <= excluded.captured_at", given));
    given = [];
  };
  for (const { name, platform, stored, owner } of names) {
    if (stored !== null && (owner === null || owner.captured_at < stored.captured_at)) {
      send();
      sent.push(
        sql.run("DELETE FROM account_names WHERE name = $1 AND platform = $2 AND id = $3", name, platform, stored.id),
      );
    }
    if (owner !== null) given.push(owner);
  }
  send();
  await Promise.all(sent);
}
