/**
 * The index that src/search queries. Depending on how common the words are, PostgreSQL walks documents in the order of
 * their sort key or starts from the token index, so these statements are planned for each query.
 */
import { TITLE_SEPARATOR } from "#search/documents.ts";
import {
  type FoundDocument,
  type KnownWord,
  type Lookup,
  MAX_COMPLETION_CANDIDATES,
  type SearchEngine,
  type SearchPartition,
  type WordRange,
} from "#search/engine.ts";
import type { Bounds, Match } from "#search/match.ts";
import { hasPhrase, possible, queryOf } from "./lexemes.ts";
import { partitionKey, PartitionNumbers } from "./search-partitions.ts";
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
  const partitions = new PartitionNumbers(db);

  return {
    async getNewestDoc() {
      // Of running transactions too: what they commit may join later pages, and nothing visible now is left out.
      return (await db.get<{ newest: number }>("SELECT last_value AS newest FROM search_doc_numbers"))?.newest ?? 0;
    },

    /** One statement, however many look-ups: each is planned by itself, and with Citus all go to the machines together. */
    async find(lookups) {
      const numbers = await partitions.get(lookups);
      const values: Value[] = [];
      const addValue = (value: Value) => `$${values.push(value)}`;
      const selects = lookups.flatMap((lookup, index) => {
        const number = numbers[index];
        return number === undefined ? [] : [selectDocs(lookup, index, number, addValue)];
      });
      if (selects.length === 0) return lookups.map(() => []);
      const rows = await db.allWithCustomPlan<DocRow>(selects.join(" UNION ALL "), ...values);
      const found: DocRow[][] = lookups.map(() => []);
      for (const row of rows) found[row.lookup]?.push(row);
      return found.map((docs) =>
        docs
          .toSorted((a, b) => a.sort_key - b.sort_key)
          .map(({ lookup: _lookup, sort_key: _key, ...document }) => document),
      );
    },

    listWordsByPrefix: (ranges) =>
      listRanges<KnownWord>(
        db,
        `SELECT word, docs FROM search_words
         WHERE platform = wanted.platform AND kind = wanted.kind AND word >= wanted.prefix AND word < wanted.until
         ORDER BY word LIMIT wanted.max`,
        ranges,
      ),

    async listCompletions(ranges) {
      const found = await listRanges<KnownWord>(
        db,
        `SELECT word, docs FROM (
           SELECT word, docs FROM search_words
           WHERE platform = wanted.platform AND kind = wanted.kind AND word > wanted.prefix AND word < wanted.until
           ORDER BY word LIMIT ${MAX_COMPLETION_CANDIDATES}) AS similar_words
         ORDER BY docs DESC, word LIMIT wanted.max`,
        ranges,
      );
      return found.map((words) => words.map(({ word }) => word));
    },

    async filterKnownWords(wanted, words) {
      const rows = await db.all<KnownWord & SearchPartition>(
        `SELECT platform, kind, word, docs FROM search_words
         WHERE word = ANY($1) AND platform = ANY($2) AND kind = ANY($3)`,
        words,
        [...new Set(wanted.map(({ platform }) => platform))],
        [...new Set(wanted.map(({ kind }) => kind))],
      );
      const found = Map.groupBy(rows, partitionKey);
      return wanted.map((partition) => found.get(partitionKey(partition)) ?? []);
    },
  };
}

type DocRow = FoundDocument & { lookup: number; sort_key: number };

function selectDocs(
  { platform, kind, match, bounds, newest, limit, texts }: Lookup,
  index: number,
  partition: number,
  addValue: (value: Value) => string,
): string {
  const conditions = [
    `platform = ${addValue(platform)} AND kind = ${addValue(kind)} AND doc <= ${addValue(newest)}`,
    toCondition(match, partition, addValue),
    ...CONDITIONS.filter(([name]) => bounds[name] !== undefined).map(
      ([name, comparison]) => `${comparison} ${addValue(bounds[name] as number)}::double precision`,
    ),
  ];
  return `(SELECT ${index} AS lookup, sort_key, ${COLUMNS}, ${texts ? "text" : "''::text AS text"} FROM search_docs
    WHERE ${conditions.join(" AND ")} ORDER BY sort_key LIMIT ${addValue(limit)})`;
}

/** Runs a query of `search_words` for each range, in one statement. */
async function listRanges<Row>(db: Sql, query: string, ranges: readonly WordRange[]): Promise<Row[][]> {
  const rows = await db.all<Row & { range: number }>(
    `SELECT wanted.range, words.* FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[])
       AS wanted (range, platform, kind, prefix, until, max)
     CROSS JOIN LATERAL (${query}) AS words`,
    ranges.map((_, index) => index),
    ranges.map(({ platform }) => platform),
    ranges.map(({ kind }) => kind),
    ranges.map(({ prefix }) => prefix),
    ranges.map(({ prefix }) => `${prefix}\u{10ffff}`),
    ranges.map(({ limit }) => limit),
  );
  const found: Row[][] = ranges.map(() => []);
  for (const { range, ...row } of rows) found[range]?.push(row as Row);
  return found;
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
