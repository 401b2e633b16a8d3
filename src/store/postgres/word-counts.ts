/**
 * Every word that is written, and in how many documents: for words that begin alike and for typing mistakes. A
 * transaction gathers what it changes and counts when it ends; within a long import, many words wait in a row of a table
 * and are counted together, since batches share most of them.
 */
import type { PlatformName, SearchKind } from "#domain/record.ts";
import type { Sql } from "./sql.ts";

/** More than these wait to be counted together, up to as many as are quickly counted. */
const FEW_WORDS = 2_000;
const MANY_WORDS = 120_000;

/** Of one statement: the parameters are limited in size by the protocol. */
const WORDS_AT_ONCE = 5_000;

const WAITING = "SELECT coalesce(sum(size), 0)::bigint AS size FROM search_pending";

const WAIT = "INSERT INTO search_pending (platform, kind, size, words, docs) VALUES ($1, $2, $3, $4, $5)";

const TAKE = "DELETE FROM search_pending RETURNING platform, kind, words, docs";

const COUNT = `INSERT INTO search_words (word, platform, kind, docs)
  SELECT word, $3, $4, docs FROM unnest($1::text[], $2::bigint[]) AS counted (word, docs)
  ON CONFLICT (word, platform, kind) DO UPDATE SET docs = search_words.docs + excluded.docs`;

const FORGET = "DELETE FROM search_words WHERE word = ANY($1) AND platform = $2 AND kind = $3 AND docs <= 0";

interface Fields {
  title: string;
  tags: string;
  text: string;
}

/** Every word of a document, each once. */
export function wordsOf({ title, tags, text }: Fields): Set<string> {
  const words = new Set(`${title} ${tags} ${text}`.split(" "));
  words.delete("");
  // Stands between titles.
  words.delete("|");
  return words;
}

interface Scope {
  platform: PlatformName;
  kind: SearchKind;
  /** By how many documents more, or fewer, each word is written. */
  counts: Map<string, number>;
}

/** A scope's words as they wait, in the order of their numbers; no word has a space in it. */
interface WaitingRow {
  platform: PlatformName;
  kind: SearchKind;
  words: string;
  docs: string;
}

export class WordCounts {
  readonly #scopes = new Map<string, Scope>();

  add(platform: PlatformName, kind: SearchKind, words: Iterable<string>, by: 1 | -1): void {
    const { counts } = this.#scope(platform, kind);
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + by);
  }

  /** At the end of a transaction. What may wait is counted later if there is much of it. */
  async finish(sql: Sql, mayWait: boolean): Promise<void> {
    if (mayWait && (await this.#mayWait(sql))) await this.#wait(sql);
    else await this.#count(sql);
    this.#scopes.clear();
  }

  async #mayWait(sql: Sql): Promise<boolean> {
    const size = this.#scopes.values().reduce((sum, { counts }) => sum + counts.size, 0);
    if (size === 0) return true;
    const waiting = (await sql.get<{ size: number }>(WAITING))?.size ?? 0;
    return size > FEW_WORDS && waiting + size < MANY_WORDS;
  }

  async #wait(sql: Sql): Promise<void> {
    const sent = [...this.#scopes.values()].map(({ platform, kind, counts }) =>
      sql.run(WAIT, platform, kind, counts.size, [...counts.keys()].join(" "), [...counts.values()].join(" ")),
    );
    await Promise.all(sent);
  }

  async #count(sql: Sql): Promise<void> {
    for (const waiting of await sql.all<WaitingRow>(TAKE)) this.#addWaiting(waiting);
    const sent = [...this.#scopes.values()].map(async (scope) => {
      const counts = [...scope.counts].filter(([, docs]) => docs !== 0);
      // In one order in all transactions, and neighbours of the index together.
      counts.sort(([a], [b]) => (a < b ? -1 : 1));
      await countWords(sql, scope, counts);
      const fewer = counts.filter(([, docs]) => docs < 0).map(([word]) => word);
      if (fewer.length > 0) await sql.run(FORGET, fewer, scope.platform, scope.kind);
    });
    await Promise.all(sent);
  }

  #addWaiting({ platform, kind, words, docs }: WaitingRow): void {
    const { counts } = this.#scope(platform, kind);
    const numbers = docs.split(" ");
    for (const [place, word] of words.split(" ").entries()) {
      counts.set(word, (counts.get(word) ?? 0) + Number(numbers[place]));
    }
  }

  #scope(platform: PlatformName, kind: SearchKind): Scope {
    const key = `${platform}/${kind}`;
    let scope = this.#scopes.get(key);
    if (scope === undefined) this.#scopes.set(key, (scope = { platform, kind, counts: new Map() }));
    return scope;
  }
}

type Count = [word: string, docs: number];

async function countWords(sql: Sql, { platform, kind }: Scope, counts: readonly Count[]): Promise<void> {
  const sent: Promise<number>[] = [];
  for (let start = 0; start < counts.length; start += WORDS_AT_ONCE) {
    const part = counts.slice(start, start + WORDS_AT_ONCE);
    const words = part.map(([word]) => word);
    const docs = part.map(([, number]) => number);
    sent.push(sql.run(COUNT, words, docs, platform, kind));
  }
  await Promise.all(sent);
}
