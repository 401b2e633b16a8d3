/** The search engine on FTS5. In a match expression every token is quoted, so no text is syntax. */
import {
  type FoundDocument,
  type KnownWord,
  type Lookup,
  type SearchPartition,
  type SearchEngine,
  type LongerWords,
  MAX_LONGER_CANDIDATES,
} from "#search/engine.ts";
import type { Bounds, Match } from "#search/match.ts";
import { minLengthWith, reverse } from "#search/word-endings.ts";
import type { Database } from "#store/sqlite/database.ts";
import { DOCS_PER_RANK } from "./sqlite.ts";

const select = (text: string) =>
  `SELECT d.sort_key % ${DOCS_PER_RANK}, d.id, d.at, d.engagement, d.views, d.author, d.language, d.country, d.title, d.tags, ${text}
   FROM search_index JOIN search_docs d ON d.sort_key = search_index.rowid
   WHERE search_index MATCH ? AND d.sort_key % ${DOCS_PER_RANK} <= ?`;
const FIND = select("''");
const FIND_WITH_TEXT = select("d.text");

type DocTuple = [
  doc: number,
  id: string,
  at: number,
  engagement: number,
  views: number,
  author: string | null,
  language: string | null,
  country: string | null,
  title: string,
  tags: string,
  text: string,
];

function toDocument(values: DocTuple): FoundDocument {
  const [doc, id, at, engagement, views, author, language, country, title, tags, text] = values;
  return { doc, id, at, engagement, views, author, language, country, title, tags, text };
}

const CONDITIONS: readonly [keyof Bounds, string][] = [
  ["since", "d.at >= ?"],
  ["until", "d.at < ?"],
  ["minViews", "d.views >= ?"],
  ["minLikes", "d.likes >= ?"],
];

export function createSearchEngine(db: Database): SearchEngine {
  const partitions = new Map<string, number>();

  function getNumber({ platform, kind }: SearchPartition): number | undefined {
    const key = `${platform}/${kind}`;
    const known = partitions.get(key);
    if (known !== undefined) return known;
    const row = db.get<{ partition: number }>(
      "SELECT partition FROM search_partitions WHERE platform = ? AND kind = ?",
      platform,
      kind,
    );
    if (row !== undefined) partitions.set(key, row.partition);
    return row?.partition;
  }

  function find({ match, bounds, newest, limit, texts, ...partition }: Lookup): FoundDocument[] {
    const number = getNumber(partition);
    if (number === undefined) return [];
    const bounded = CONDITIONS.flatMap(([name, sql]) => {
      const value = bounds[name];
      return value === undefined ? [] : [{ sql, value }];
    });
    const conditions = bounded.map(({ sql }) => ` AND ${sql}`).join("");
    return db
      .allTuples<DocTuple>(
        `${texts ? FIND_WITH_TEXT : FIND}${conditions} ORDER BY search_index.rowid LIMIT ?`,
        toFtsQuery(match, number),
        newest,
        ...bounded.map(({ value }) => value),
        limit,
      )
      .map(toDocument);
  }

  function listLonger({ part, at, limit, ...partition }: LongerWords): KnownWord[] {
    const number = getNumber(partition);
    if (number === undefined) return [];
    const [column, key] = at === "start" ? ["word", part] : ["reversed", reverse(part)];
    return db.all<KnownWord>(
      `SELECT word, docs FROM (SELECT word, docs FROM search_words
         WHERE partition = ? AND ${column} > ? AND ${column} < ?
           AND length(word) >= ?
         ORDER BY ${column} LIMIT ${MAX_LONGER_CANDIDATES}) ORDER BY docs DESC, word LIMIT ?`,
      number,
      key,
      `${key}\u{10ffff}`,
      at === "start" ? 0 : minLengthWith(part),
      limit,
    );
  }

  function filterKnown(partition: SearchPartition, words: readonly string[]): KnownWord[] {
    const number = getNumber(partition);
    if (number === undefined) return [];
    return db.all<KnownWord>(
      "SELECT word, docs FROM search_words WHERE partition = ? AND word IN (SELECT value FROM json_each(?))",
      number,
      JSON.stringify(words),
    );
  }

  return {
    async getNewestDoc() {
      return db.get<{ newest: number }>("SELECT newest FROM search_state")?.newest ?? 0;
    },

    find: async (lookups) => lookups.map(find),

    async listWordsByPrefix(ranges) {
      return ranges.map(({ prefix, limit, ...partition }): KnownWord[] => {
        const number = getNumber(partition);
        if (number === undefined) return [];
        return db.all(
          "SELECT word, docs FROM search_words WHERE partition = ? AND word >= ? AND word < ? ORDER BY word LIMIT ?",
          number,
          prefix,
          `${prefix}\u{10ffff}`,
          limit,
        );
      });
    },

    listLongerWords: async (wanted) => wanted.map(listLonger),

    filterKnownWords: async (wanted, words) => wanted.map((partition) => filterKnown(partition, words)),
  };
}

/** The match in the query syntax of FTS5. */
function toFtsQuery(match: Match, partition: number): string {
  if (typeof match === "string") return quote(`${partition}:${match}`);
  if ("phrase" in match) return quote(match.phrase.map((token) => `${partition}:${token}`).join(" "));
  if ("all" in match) return `(${match.all.map((part) => toFtsQuery(part, partition)).join(" AND ")})`;
  if ("any" in match) return `(${match.any.map((part) => toFtsQuery(part, partition)).join(" OR ")})`;
  return `(${toFtsQuery(match.match, partition)} NOT ${toFtsQuery(match.not, partition)})`;
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
