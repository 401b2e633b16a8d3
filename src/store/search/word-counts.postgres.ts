/**
 * Document frequency of words, for prefix search and typo correction. Batches share most of their words, so writers side
 * by side would wait for each other's counts: each only notes its own in `search_pending`, in its transaction, and one of
 * them adds up what all have noted.
 */
import type { PlatformName, SearchKind } from "#domain/record.ts";
import { TAGS_SEPARATOR } from "#search/documents.ts";
import { lockInTransaction, tryLockInTransaction } from "#store/postgres/advisory-locks.ts";
import type { Database } from "#store/postgres/database.ts";
import type { Sql } from "#store/postgres/sql.ts";

/** Within an import, this many pending words are added up together: fewer are not worth it, more would take too long. */
const MAX_PENDING_WORDS = 120_000;

/** Per statement: the protocol limits the size of its parameters. */
const STATEMENT_WORDS = 5_000;

/** An index entry has at most 2,704 bytes. Longer words, which documents of earlier versions have, are not counted. */
const MAX_WORD_BYTES = 2_000;

const GET_PENDING_SIZE = "SELECT coalesce(sum(size), 0)::bigint AS size FROM search_pending";

const NOTE = "INSERT INTO search_pending (platform, kind, size, words, docs) VALUES ($1, $2, $3, $4, $5)";

const TAKE_PENDING = "DELETE FROM search_pending RETURNING platform, kind, words, docs";

const ADD = `INSERT INTO search_words (word, platform, kind, docs)
  SELECT word, $3, $4, docs FROM unnest($1::text[], $2::bigint[]) AS added (word, docs)
  ON CONFLICT (word, platform, kind) DO UPDATE SET docs = search_words.docs + excluded.docs`;

const DELETE_UNUSED = `DELETE FROM search_words WHERE word = ANY($1) AND platform = $2 AND kind = $3
  AND (docs <= 0 OR octet_length(word) > ${MAX_WORD_BYTES})`;

interface DocumentTexts {
  title: string;
  tags: string;
  text: string;
}

/** The distinct words of a document. */
export function wordsOf({ title, tags, text }: DocumentTexts): Set<string> {
  const words = new Set(`${title} ${tags} ${text}`.split(" "));
  words.delete("");
  words.delete(TAGS_SEPARATOR);
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

  /** Leaves the counts to `countPendingWords`. */
  async note(sql: Sql): Promise<void> {
    const sent = [...this.#partitions.values()].map(({ platform, kind, counts }) =>
      sql.run(NOTE, platform, kind, counts.size, [...counts.keys()].join(" "), [...counts.values()].join(" ")),
    );
    await Promise.all(sent);
    this.#partitions.clear();
  }

  /** Adds the counts, and those that others have noted, until the transaction ends the only one to do so. */
  async apply(sql: Sql): Promise<void> {
    await lockInTransaction(sql, "wordCounts");
    for (const pending of await sql.all<PendingRow>(TAKE_PENDING)) this.#addPending(pending);
    const sent = [...this.#partitions.values()].map(async (partition) => {
      const counts = [...partition.counts].filter(([, docs]) => docs !== 0);
      // Sorted: neighbours in the index are written together.
      counts.sort(([a], [b]) => (a < b ? -1 : 1));
      await addCounts(sql, partition, counts.filter(fits));
      const decreased = counts.filter(([, docs]) => docs < 0).map(([word]) => word);
      if (decreased.length > 0) await sql.run(DELETE_UNUSED, decreased, partition.platform, partition.kind);
    });
    await Promise.all(sent);
    this.#partitions.clear();
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

function fits([word]: Count): boolean {
  // A UTF-16 code unit is at most three bytes of UTF-8.
  return word.length * 3 <= MAX_WORD_BYTES || Buffer.byteLength(word) <= MAX_WORD_BYTES;
}

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

export async function hasManyPending(sql: Sql): Promise<boolean> {
  return (await countPending(sql)) >= MAX_PENDING_WORDS;
}

async function countPending(sql: Sql): Promise<number> {
  return (await sql.get<{ size: number }>(GET_PENDING_SIZE))?.size ?? 0;
}

/** With "many", only if many words are pending and no other process is counting them. */
export async function countPendingWords(db: Database, when: "now" | "many"): Promise<void> {
  const pending = await countPending(db);
  if (pending === 0 || (when === "many" && pending < MAX_PENDING_WORDS)) return;
  await db.transaction(async (sql) => {
    if (when === "many" && !(await tryLockInTransaction(sql, "wordCounts"))) return;
    await new WordCounts().apply(sql);
  });
}
