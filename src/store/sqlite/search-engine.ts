/** Asks FTS5 what src/search wants to know. Matches are built from tokens, which hold no quote: nothing is syntax. */
import { foldName } from "#domain/folding.ts";
import {
  type FoundDocument,
  type Lookup,
  type SearchPartition,
  type SearchEngine,
  SIMILAR_WORDS,
} from "#search/engine.ts";
import type { Bounds, Match } from "#search/match.ts";
import type { Database } from "./database.ts";
import { NUMBERS } from "./search-index.ts";

const find = (text: string) =>
  `SELECT d.place % ${NUMBERS}, d.id, d.at, d.engagement, d.author, d.language, d.country, d.title, d.tags, ${text}
   FROM search_index JOIN search_docs d ON d.place = search_index.rowid
   WHERE search_index MATCH ? AND d.place % ${NUMBERS} <= ?`;
const FIND = find("''");
const FIND_WITH_TEXT = find("d.text");

type DocValues = [
  doc: number,
  id: string,
  at: number,
  engagement: number,
  author: string | null,
  language: string | null,
  country: string | null,
  title: string,
  tags: string,
  text: string,
];

function documentFrom(values: DocValues): FoundDocument {
  const [doc, id, at, engagement, author, language, country, title, tags, text] = values;
  return { doc, id, at, engagement, author, language, country, title, tags, text };
}

const CONDITIONS: readonly [keyof Bounds, string][] = [
  ["since", "d.at >= ?"],
  ["until", "d.at < ?"],
  ["minViews", "d.views >= ?"],
  ["minLikes", "d.likes >= ?"],
];

const WORDS_AT_ONCE = 500;

export function createSearchEngine(db: Database): SearchEngine {
  const scopes = new Map<string, number>();

  function scopeOf({ platform, kind }: SearchPartition): number | undefined {
    const key = `${platform}/${kind}`;
    const known = scopes.get(key);
    if (known !== undefined) return known;
    const row = db.get<{ scope: number }>(
      "SELECT scope FROM search_scopes WHERE platform = ? AND kind = ?",
      platform,
      kind,
    );
    if (row !== undefined) scopes.set(key, row.scope);
    return row?.scope;
  }

  return {
    async newest() {
      return db.get<{ newest: number }>("SELECT newest FROM search_state")?.newest ?? 0;
    },

    async find(scope, { match, bounds, newest, limit, texts }: Lookup) {
      const number = scopeOf(scope);
      if (number === undefined) return [];
      const given = CONDITIONS.filter(([name]) => bounds[name] !== undefined);
      const conditions = given.map(([, sql]) => ` AND ${sql}`).join("");
      return db
        .lists<DocValues>(
          `${texts ? FIND_WITH_TEXT : FIND}${conditions} ORDER BY search_index.rowid LIMIT ?`,
          expression(match, number),
          newest,
          ...given.map(([name]) => bounds[name] as number),
          limit,
        )
        .map(documentFrom);
    },

    async wordsBeginning(scope, beginning, limit) {
      const number = scopeOf(scope);
      if (number === undefined) return [];
      return db.all(
        "SELECT word, docs FROM search_words WHERE scope = ? AND word >= ? AND word < ? ORDER BY word LIMIT ?",
        number,
        beginning,
        `${beginning}\u{10ffff}`,
        limit,
      );
    },

    async longerWords(scope, beginning, limit) {
      const number = scopeOf(scope);
      if (number === undefined) return [];
      return db
        .all<{ word: string }>(
          `SELECT word FROM (SELECT word, docs FROM search_words WHERE scope = ? AND word > ? AND word < ?
             ORDER BY word LIMIT ${SIMILAR_WORDS}) ORDER BY docs DESC, word LIMIT ?`,
          number,
          beginning,
          `${beginning}\u{10ffff}`,
          limit,
        )
        .map(({ word }) => word);
    },

    async wordsAmong(scope, words) {
      const number = scopeOf(scope);
      if (number === undefined) return [];
      const found: { word: string; docs: number }[] = [];
      for (let index = 0; index < words.length; index += WORDS_AT_ONCE) {
        found.push(
          ...db.all<{ word: string; docs: number }>(
            "SELECT word, docs FROM search_words WHERE scope = ? AND word IN (SELECT value FROM json_each(?))",
            number,
            JSON.stringify(words.slice(index, index + WORDS_AT_ONCE)),
          ),
        );
      }
      return found;
    },

    async accountNamed(platform, name) {
      const row = db.get<{ id: string }>(
        "SELECT id FROM account_names WHERE platform = ? AND name = ?",
        platform,
        foldName(name),
      );
      return row?.id ?? null;
    },
  };
}

/** As FTS5 writes it. */
function expression(match: Match, scope: number): string {
  if (typeof match === "string") return `"${scope}:${match}"`;
  if ("phrase" in match) return `"${match.phrase.map((token) => `${scope}:${token}`).join(" ")}"`;
  if ("all" in match) return `(${match.all.map((part) => expression(part, scope)).join(" AND ")})`;
  if ("any" in match) return `(${match.any.map((part) => expression(part, scope)).join(" OR ")})`;
  return `(${expression(match.match, scope)} NOT ${expression(match.not, scope)})`;
}
