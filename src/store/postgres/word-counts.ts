/**
 * Document frequency of words, for prefix search and typo correction. A transaction collects its changes and applies
 * them when it ends. Within a long import, many words are deferred to `search_pending` and applied together, since
 * batches share most of them.
 */
import type { PlatformName, SearchKind } from "#domain/record.ts";
import { TITLE_SEPARATOR } from "#search/documents.ts";
import type { Sql } from "./sql.ts";

/** Fewer words are not worth deferring; more would take too long to apply. */
const MIN_DEFERRED_WORDS = 2_000;
const MAX_DEFERRED_WORDS = 120_000;

/** Per statement: the protocol limits the size of its parameters. */
const STATEMENT_WORDS = 5_000;

const GET_PENDING_SIZE = "SELECT coalesce(sum(size), 0)::bigint AS size FROM search_pending";

const DEFER = "INSERT INTO search_pending (platform, kind, size, words, docs) VALUES ($1, $2, $3, $4, $5)";

const TAKE_PENDING = "DELETE FROM search_pending RETURNING platform, kind, words, docs";

const ADD = `INSERT INTO search_words (word, platform, kind, docs)
  SELECT word, $3, $4, docs FROM unnest($1::text[], $2::bigint[]) AS added (word, docs)
  ON CONFLICT (word, platform, kind) DO UPDATE SET docs = search_words.docs + excluded.docs`;

const DELETE_UNUSED = "DELETE FROM search_words WHERE word = ANY($1) AND platform = $2 AND kind = $3 AND docs <= 0";

interface Fields {
  title: string;
  tags: string;
  text: string;
}

/** The distinct words of a document. */
export function wordsOf({ title, tags, text }: Fields): Set<string> {
  const words = new Set(`${title} ${tags} ${text}`.split(" "));
  words.delete("");
  words.delete(TITLE_SEPARATOR.trim());
  return words;
}

interface Partition {
  platform: PlatformName;
  kind: SearchKind;
  /** Change of the document frequency by word. */
  counts: Map<string, number>;
}

/** Words and numbers are separated by spaces, in the same order. */
interface PendingRow {
  platform: PlatformName;
  kind: SearchKind;
  words: string;
  docs: string;
}

export class WordCounts {
  readonly #partitions = new Map<string, Partition>();

  add(platform: PlatformName, kind: SearchKind, words: Iterable<string>, by: 1 | -1): void {
    const { counts } = this.#partition(platform, kind);
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + by);
  }

  /** Call it at the end of a transaction. With `mayDefer`, many words are left to a later transaction. */
  async finish(sql: Sql, mayDefer: boolean): Promise<void> {
    if (mayDefer && (await this.#shouldDefer(sql))) await this.#defer(sql);
    else await this.#apply(sql);
    this.#partitions.clear();
  }

  async #shouldDefer(sql: Sql): Promise<boolean> {
    const size = this.#partitions.values().reduce((sum, { counts }) => sum + counts.size, 0);
    if (size === 0) return true;
    const pending = (await sql.get<{ size: number }>(GET_PENDING_SIZE))?.size ?? 0;
    return size > MIN_DEFERRED_WORDS && pending + size < MAX_DEFERRED_WORDS;
  }

  async #defer(sql: Sql): Promise<void> {
    const sent = [...this.#partitions.values()].map(({ platform, kind, counts }) =>
      sql.run(DEFER, platform, kind, counts.size, [...counts.keys()].join(" "), [...counts.values()].join(" ")),
    );
    await Promise.all(sent);
  }

  async #apply(sql: Sql): Promise<void> {
    for (const pending of await sql.all<PendingRow>(TAKE_PENDING)) this.#addPending(pending);
    const sent = [...this.#partitions.values()].map(async (partition) => {
      const counts = [...partition.counts].filter(([, docs]) => docs !== 0);
      // Sorted: neighbours in the index are written together.
      counts.sort(([a], [b]) => (a < b ? -1 : 1));
      await addCounts(sql, partition, counts);
      const decreased = counts.filter(([, docs]) => docs < 0).map(([word]) => word);
      if (decreased.length > 0) await sql.run(DELETE_UNUSED, decreased, partition.platform, partition.kind);
    });
    await Promise.all(sent);
  }

  #addPending({ platform, kind, words, docs }: PendingRow): void {
    const { counts } = this.#partition(platform, kind);
    const numbers = docs.split(" ");
    for (const [index, word] of words.split(" ").entries()) {
      counts.set(word, (counts.get(word) ?? 0) + Number(numbers[index]));
    }
  }

  #partition(platform: PlatformName, kind: SearchKind): Partition {
    const key = `${platform}/${kind}`;
    let partition = this.#partitions.get(key);
    if (partition === undefined) this.#partitions.set(key, (partition = { platform, kind, counts: new Map() }));
    return partition;
  }
}

type Count = [word: string, docs: number];

async function addCounts(sql: Sql, { platform, kind }: Partition, counts: readonly Count[]): Promise<void> {
  const sent: Promise<number>[] = [];
  for (let start = 0; start < counts.length; start += STATEMENT_WORDS) {
    const batch = counts.slice(start, start + STATEMENT_WORDS);
    const words = batch.map(([word]) => word);
    const docs = batch.map(([, number]) => number);
    sent.push(sql.run(ADD, words, docs, platform, kind));
  }
  await Promise.all(sent);
}
