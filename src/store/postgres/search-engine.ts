/**
 * The index that src/search queries. Depending on how common the words are, PostgreSQL walks documents in the order of
 * their sort key or starts from the token index, so these statements are planned for each query.
 */
import { TITLE_SEPARATOR } from "#search/documents.ts";
import {
  type FoundDocument,
  type KnownWord,
  MAX_COMPLETION_CANDIDATES,
  type SearchEngine,
  type SearchPartition,
} from "#search/engine.ts";
import type { Bounds, Match } from "#search/match.ts";
import { hasPhrase, possible, queryOf } from "./lexemes.ts";
import { getAccountId } from "./record-reads.ts";
import { getPartition } from "./search-partitions.ts";
import type { Sql } from "./sql.ts";
import type { Value } from "../sql/sql.ts";

const COLUMNS = "doc, id, at, engagement, author, language, country, title, tags";

const CONDITIONS: readonly [keyof Bounds, string][] = [
  ["since", "at >="],
  ["until", "at <"],
  ["minViews", "views >="],
  ["minLikes", "likes >="],
];

export function createSearchEngine(db: Sql): SearchEngine {
  const partitions = new Map<string, number>();

  async function getCachedPartition(partition: SearchPartition): Promise<number | undefined> {
    const key = `${partition.platform}/${partition.kind}`;
    const number = partitions.get(key) ?? (await getPartition(db, partition));
    if (number !== undefined) partitions.set(key, number);
    return number;
  }

  return {
    async getNewestDoc() {
      return (await db.get<{ newest: number }>("SELECT newest FROM search_state"))?.newest ?? 0;
    },

    async find({ platform, kind }, { match, bounds, newest, limit, texts }) {
      const partition = await getCachedPartition({ platform, kind });
      if (partition === undefined) return [];
      const values: Value[] = [platform, kind, newest];
      const addValue = (value: Value) => `$${values.push(value)}`;
      const conditions = [
        `platform = $1 AND kind = $2 AND doc <= $3 AND ${toCondition(match, partition, addValue)}`,
        ...CONDITIONS.filter(([name]) => bounds[name] !== undefined).map(
          ([name, comparison]) => `${comparison} ${addValue(bounds[name] as number)}::double precision`,
        ),
      ];
      return db.allWithCustomPlan<FoundDocument>(
        `SELECT ${COLUMNS}, ${texts ? "text" : "'' AS text"} FROM search_docs
         WHERE ${conditions.join(" AND ")} ORDER BY sort_key LIMIT ${addValue(limit)}`,
        ...values,
      );
    },

    listWordsByPrefix: ({ platform, kind }, prefix, limit) =>
      db.all<KnownWord>(
        `SELECT word, docs FROM search_words WHERE platform = $1 AND kind = $2 AND word >= $3 AND word < $4
         ORDER BY word LIMIT $5`,
        platform,
        kind,
        prefix,
        `${prefix}\u{10ffff}`,
        limit,
      ),

    async listCompletions({ platform, kind }, prefix, limit) {
      const words = await db.all<{ word: string }>(
        `SELECT word FROM (SELECT word, docs FROM search_words WHERE platform = $1 AND kind = $2 AND word > $3 AND word < $4
           ORDER BY word LIMIT ${MAX_COMPLETION_CANDIDATES}) AS similar_words ORDER BY docs DESC, word LIMIT $5`,
        platform,
        kind,
        prefix,
        `${prefix}\u{10ffff}`,
        limit,
      );
      return words.map(({ word }) => word);
    },

    filterKnownWords: ({ platform, kind }, words) =>
      db.all<KnownWord>(
        "SELECT word, docs FROM search_words WHERE word = ANY($1) AND platform = $2 AND kind = $3",
        words,
        platform,
        kind,
      ),

    getAccountId: (platform, name) => getAccountId(db, platform, name),
  };
}

/** The index finds the words of a phrase; the fields tell whether they are adjacent. */
function toCondition(match: Match, partition: number, addValue: (value: Value) => string): string {
  if (!hasPhrase(match)) return `tokens @@ ${addValue(queryOf(match, partition))}::tsquery`;
  const nested = (part: Match) => toCondition(part, partition, addValue);
  if (typeof match === "string") return nested(match);
  if ("phrase" in match) {
    const words = addValue(` ${match.phrase.join(" ")} `);
    const fields = [`replace(title, '${TITLE_SEPARATOR}', ' ')`, "tags", "text"].map(
      (field) => `position(${words} in ' ' || ${field} || ' ') > 0`,
    );
    return `(tokens @@ ${addValue(queryOf(match, partition))}::tsquery AND (${fields.join(" OR ")}))`;
  }
  if ("all" in match) return `(${match.all.map(nested).join(" AND ")})`;
  if ("any" in match) return `(${possible(match.any).map(nested).join(" OR ")})`;
  return `(${nested(match.match)} AND NOT ${nested(match.not)})`;
}
