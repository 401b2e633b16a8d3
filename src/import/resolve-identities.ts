/**
 * Turns a parsed batch into changes for the store. Accounts known by name only get the id of the account with that name,
 * if the store or the batch has it; stored placeholders whose id is in the batch are merged into that account.
 */
import { replaceReferences } from "#domain/account-references.ts";
import { isProvisional } from "#domain/provisional-id.ts";
import type { PlatformName } from "#domain/record.ts";
import type { Store } from "#store/store.ts";
import type { Changes, RecordChange } from "#store/write/port.ts";
import type { ParsedBatch, PlatformBatch } from "./batch-builder.ts";
import { merge } from "./merge.ts";
import { toRecord } from "./to-record.ts";

type IdentityResolverStore = Pick<Store, "reader" | "writer" | "encoder">;

export class IdentityResolver {
  readonly #store: IdentityResolverStore;
  /** Where the store has placeholder accounts. Others may get some from another import at any time. */
  readonly #withPlaceholders = new Set<PlatformName>();

  constructor(store: IdentityResolverStore) {
    this.#store = store;
  }

  /** `together` are all batches of the transaction: a name in one of them may have its id in another. */
  async toChanges(batch: ParsedBatch, together: readonly ParsedBatch[] = [batch]): Promise<Changes[]> {
    const changes: Changes[] = [];
    for (const [platform, part] of batch.byPlatform) {
      if (isEmpty(part)) continue;
      const others = part.provisionalIds.size === 0 ? [] : together;
      const known = others.flatMap(({ byPlatform }) => byPlatform.get(platform)?.idsByProvisionalId ?? []);
      changes.push(await this.#toPlatformChanges(platform, part, known));
    }
    return changes;
  }

  /**
   * Merges placeholders into the accounts that came with their id. Called before the batch is written: an import that is
   * interrupted in between repeats both. `checkClaim` throws if nothing may be written.
   */
  async mergePlaceholders(batch: ParsedBatch, checkClaim: () => Promise<void>): Promise<void> {
    for (const [platform, { idsByProvisionalId, provisionalIds }] of batch.byPlatform) {
      const reader = this.#store.reader(platform);
      if (provisionalIds.size > 0) this.#withPlaceholders.add(platform);
      if (idsByProvisionalId.size === 0) continue;
      if (!this.#withPlaceholders.has(platform)) {
        if (!(await reader.hasProvisionalAccounts())) continue;
        this.#withPlaceholders.add(platform);
      }
      for (const [provisionalId, id] of idsByProvisionalId) {
        if ((await reader.getAccount(provisionalId)) === null) continue;
        await checkClaim();
        await this.#store.writer.mergePlaceholder(platform, provisionalId, id, merge);
      }
    }
  }

  async #toPlatformChanges(platform: PlatformName, part: PlatformBatch, known: KnownIds): Promise<Changes> {
    const ids = await this.#findIds(platform, part, known);
    const resolve = (id: string) => ids.get(id) ?? id;
    return {
      platform,
      records: ids.size === 0 ? part.records : part.records.map((change) => this.#resolveRecord(change, resolve)),
      subtitles: part.subtitles,
      follows: part.follows.map((follow) => ({
        ...follow,
        accountId: resolve(follow.accountId),
        followerId: resolve(follow.followerId),
      })),
      chartEntries: part.chartEntries,
    };
  }

  /** The ids of accounts that the batch knows by name only, where a batch of the transaction or the store has them. */
  async #findIds(platform: PlatformName, part: PlatformBatch, known: KnownIds): Promise<Map<string, string>> {
    const ids = new Map<string, string>();
    for (const provisionalId of part.provisionalIds) {
      const id =
        known.find((idsOfBatch) => idsOfBatch.has(provisionalId))?.get(provisionalId) ??
        (await this.#store.reader(platform).getAccountByName(provisionalId))?.id;
      if (id !== undefined && !isProvisional(id)) ids.set(provisionalId, id);
    }
    return ids;
  }

  /** Rare: only for files that know accounts by name. */
  #resolveRecord(change: RecordChange, resolve: (id: string) => string): RecordChange {
    const { kind } = change;
    // The rendered JSON contains the unresolved ids.
    const { rendered: _rendered, ...incoming } = change.incoming;
    const { serialise, indexFields } = this.#store.encoder;
    const id = kind === "account" ? resolve(incoming.id) : incoming.id;
    const record = replaceReferences(toRecord(id, incoming), resolve);
    return { ...change, incoming: { ...incoming, id, ...serialise(record), ...indexFields(kind, record) } };
  }
}

/** By provisional id, of each batch of the transaction. */
type KnownIds = readonly PlatformBatch["idsByProvisionalId"][];

function isEmpty({ records, subtitles, follows, chartEntries }: PlatformBatch): boolean {
  return [records, subtitles, follows, chartEntries].every(({ length }) => length === 0);
}
