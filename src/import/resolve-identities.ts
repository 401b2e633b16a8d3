/**
 * From what was gathered to changes for the store. People who are known by name only are given the id of the account
 * of that name, where one is held or came along; provisional accounts whose id came along are adopted by it.
 */
import { isProvisional } from "#domain/provisional-id.ts";
import type { PlatformName } from "#domain/record.ts";
import type { Changes, AnyRecord, RecordChange, Store } from "#store/store.ts";
import type { ParsedBatch, PlatformBatch } from "./batch-builder.ts";
import { merge } from "./merge.ts";

type IdentityResolverStore = Pick<Store, "reader" | "writer" | "encoder">;

export class IdentityResolver {
  readonly #store: IdentityResolverStore;
  /** Whether the store holds people known by name only; asked once, then kept up to date. */
  readonly #provisional = new Map<PlatformName, boolean>();

  constructor(store: IdentityResolverStore) {
    this.#store = store;
  }

  async changes(gathered: ParsedBatch): Promise<Changes[]> {
    const changes: Changes[] = [];
    for (const [platform, harvest] of gathered.harvests) changes.push(await this.#changesOf(platform, harvest));
    return changes;
  }

  /**
   * Accounts that came with their id take over what was known under their name. Done before their own records are
   * kept: an import that is cut off in between does both again. `mayWrite` is asked before anything is written; it throws
   * if not.
   */
  async adopt(gathered: ParsedBatch, mayWrite: () => Promise<void>): Promise<void> {
    for (const [platform, { named, provisional }] of gathered.harvests) {
      const reader = this.#store.reader(platform);
      if (this.#provisional.get(platform) === undefined) {
        this.#provisional.set(platform, await reader.hasProvisionalAccounts());
      }
      if (provisional.size > 0) this.#provisional.set(platform, true);
      if (this.#provisional.get(platform) !== true) continue;
      for (const [provisionalId, id] of named) {
        if ((await reader.getAccount(provisionalId)) === null) continue;
        await mayWrite();
        await this.#store.writer.mergePlaceholder(platform, provisionalId, id, merge);
      }
    }
  }

  async #changesOf(platform: PlatformName, harvest: PlatformBatch): Promise<Changes> {
    const ids = await this.#knownIds(platform, harvest);
    const settled = (id: string) => ids.get(id) ?? id;
    return {
      platform,
      records: ids.size === 0 ? harvest.records : harvest.records.map((change) => this.#readdressed(change, settled)),
      subtitles: harvest.subtitles,
      follows: harvest.follows.map((follow) => ({
        ...follow,
        accountId: settled(follow.accountId),
        followerId: settled(follow.followerId),
      })),
      chartEntries: harvest.chartEntries,
    };
  }

  async #knownIds(platform: PlatformName, { provisional, named }: PlatformBatch): Promise<Map<string, string>> {
    const ids = new Map<string, string>();
    for (const provisionalId of provisional) {
      const id = named.get(provisionalId) ?? (await this.#store.reader(platform).getAccountByName(provisionalId))?.id;
      if (id !== undefined && !isProvisional(id)) ids.set(provisionalId, id);
    }
    return ids;
  }

  /** Rare: only files that know people by name come here. */
  #readdressed(change: RecordChange, settled: (id: string) => string): RecordChange {
    const { kind } = change;
    // What was drawn of it named the others as they were.
    const { rendered: _shown, ...found } = change.incoming;
    const { serialise, indexFields } = this.#store.encoder;
    const record = JSON.parse(found.header) as AnyRecord & Referring;
    record.id = kind === "account" ? settled(found.id) : found.id;
    record.native = JSON.parse(found.native) as object;
    if (record.authorId != null) record.authorId = settled(record.authorId);
    if (record.artistId != null) record.artistId = settled(record.artistId);
    if (record.taggedIds != null) record.taggedIds = record.taggedIds.map(settled);
    return { ...change, incoming: { ...found, id: record.id, ...serialise(record), ...indexFields(kind, record) } };
  }
}

/** What of a record refers to accounts. */
interface Referring {
  authorId?: string | null;
  artistId?: string | null;
  taggedIds?: string[] | null;
}
