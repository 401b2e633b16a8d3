/**
 * Answers what src/search wants to know. Documents are kept in the order of their places, and the server either walks
 * them from the best down until it has enough, or looks rare words up first: it decides by how common the words are, so
 * these statements are planned anew each time.
 */
import { foldName } from "#domain/folding.ts";
import { type FoundDocument, type KnownWord, type SearchEngine, SIMILAR_WORDS } from "#search/engine.ts";
import type { Bounds, Match } from "#search/match.ts";
import type { Sql } from "./sql.ts";
import type { Value } from "./statement.ts";
import { holdsPhrase, possible, queryOf } from "./lexemes.ts";
import { SearchScopes } from "./search-scopes.ts";

const COLUMNS = "doc, id, at, engagement, author, language, country, title, tags";

const CONDITIONS: readonly [keyof Bounds, string][] = [
  ["since", "at >="],
  ["until", "at <"],
  ["minViews", "views >="],
  ["minLikes", "likes >="],
];

export function createSearchEngine(db: Sql): SearchEngine {
  const scopes = new SearchScopes();
  return {
    async newest() {
      return (await db.get<{ newest: number }>("SELECT newest FROM search_state"))?.newest ?? 0;
    },

    async find({ platform, kind }, { match, bounds, newest, limit, texts }) {
      const scope = await scopes.find(db, platform, kind);
      if (scope === undefined) return [];
      const values: Value[] = [platform, kind, newest];
      const given = (value: Value) => `$${values.push(value)}`;
      const conditions = [
        `platform = $1 AND kind = $2 AND doc <= $3 AND ${condition(match, scope, given)}`,
        ...CONDITIONS.filter(([name]) => bounds[name] !== undefined).map(
          ([name, comparison]) => `${comparison} ${given(bounds[name] as number)}::double precision`,
        ),
      ];
      return db.allWithCustomPlan<FoundDocument>(
        `SELECT ${COLUMNS}, ${texts ? "text" : "'' AS text"} FROM search_docs
         WHERE ${conditions.join(" AND ")} ORDER BY sort_key LIMIT ${given(limit)}`,
        ...values,
      );
    },

    wordsBeginning: ({ platform, kind }, beginning, limit) =>
      db.all<KnownWord>(
        `SELECT word, docs FROM search_words WHERE platform = $1 AND kind = $2 AND word >= $3 AND word < $4
         ORDER BY word LIMIT $5`,
        platform,
        kind,
        beginning,
        `${beginning}\u{10ffff}`,
        limit,
      ),

    async longerWords({ platform, kind }, beginning, limit) {
      const words = await db.all<{ word: string }>(
        `SELECT word FROM (SELECT word, docs FROM search_words WHERE platform = $1 AND kind = $2 AND word > $3 AND word < $4
           ORDER BY word LIMIT ${SIMILAR_WORDS}) AS similar_words ORDER BY docs DESC, word LIMIT $5`,
        platform,
        kind,
        beginning,
        `${beginning}\u{10ffff}`,
        limit,
      );
      return words.map(({ word }) => word);
    },

    wordsAmong: ({ platform, kind }, words) =>
      db.all<KnownWord>(
        "SELECT word, docs FROM search_words WHERE word = ANY($1) AND platform = $2 AND kind = $3",
        words,
        platform,
        kind,
      ),

    async accountNamed(platform, name) {
      const row = await db.get<{ id: string }>(
        "SELECT id FROM account_names WHERE name = $1 AND platform = $2",
        foldName(name),
        platform,
      );
      return row?.id ?? null;
    },
  };
}

/** As SQL. Its words are looked up in the index; whether they stand side by side is seen in the fields. */
function condition(match: Match, scope: number, given: (value: Value) => string): string {
  if (!holdsPhrase(match)) return `tokens @@ ${given(queryOf(match, scope))}::tsquery`;
  const of = (part: Match) => condition(part, scope, given);
  if (typeof match === "string") return of(match);
  if ("phrase" in match) {
    const words = given(` ${match.phrase.join(" ")} `);
    const fields = ["replace(title, ' | ', ' ')", "tags", "text"].map(
      (field) => `position(${words} in ' ' || ${field} || ' ') > 0`,
    );
    return `(tokens @@ ${given(queryOf(match, scope))}::tsquery AND (${fields.join(" OR ")}))`;
  }
  if ("all" in match) return `(${match.all.map(of).join(" AND ")})`;
  if ("any" in match) return `(${possible(match.any).map(of).join(" OR ")})`;
  return `(${of(match.match)} AND NOT ${of(match.not)})`;
}
