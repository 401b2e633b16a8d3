/**
 * The index that src/search queries. Depending on how common the words are, PostgreSQL walks documents in the order of
 * their sort key or starts from the token index, so these statements are planned for each query.
 */
import { TAGS_GAP, TITLE_SEPARATOR } from "#search/documents.ts";
import {
  type FoundDocument,
  type KnownWord,
  type Lookup,
  type LongerWords,
  MAX_LONGER_CANDIDATES,
  type SearchEngine,
  type SearchPartition,
} from "#search/engine.ts";
import type { Bounds, Match } from "#search/match.ts";
import { MIN_COMPOUND, minLengthWith, reverse } from "#search/word-endings.ts";
import { hasPhrase, possible, queryOf } from "./lexemes.postgres.ts";
import { partitionKey, PartitionNumbers } from "./partitions.postgres.ts";
import type { Sql } from "#store/postgres/sql.ts";
import type { Value } from "#store/sql/sql.ts";
import type { Scalar } from "#store/sql/table.ts";

const COLUMNS = "doc, id, at, engagement, views, author, language, country, title, tags";

const CONDITIONS: readonly [keyof Bounds, string][] = [
  ["since", "at >="],
  ["until", "at <"],
  ["minViews", "views >="],
  ["minLikes", "likes >="],
];

/** The token index finds and sorts this many within milliseconds. */
const FEW_MATCHES = 5_000;

export function createSearchEngine(db: Sql): SearchEngine {
  const partitions = new PartitionNumbers(db);

  return {
    async getNewestDoc() {
      // Of running transactions too: what they commit may join later pages, and nothing visible now is left out.
      const row = await db.get<{ newest: number; partitions: number }>(
        `SELECT last_value - (NOT is_called)::int AS newest, (SELECT count(*) FROM search_partitions) AS partitions
         FROM search_doc_numbers`,
      );
      partitions.noteCount(row?.partitions ?? 0);
      return row?.newest ?? 0;
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

    async listWordsByPrefix(ranges) {
      const rows = await db.all<KnownWord & { range: number }>(
        `SELECT wanted.range, known.word, known.docs
         FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::bigint[])
           AS wanted (range, platform, kind, prefix, until, max)
         CROSS JOIN LATERAL (
           SELECT word, docs FROM search_words
           WHERE platform = wanted.platform AND kind = wanted.kind AND word >= wanted.prefix AND word < wanted.until
           ORDER BY word LIMIT wanted.max) AS known`,
        ranges.map((_, index) => index),
        ranges.map(({ platform }) => platform),
        ranges.map(({ kind }) => kind),
        ranges.map(({ prefix }) => prefix),
        ranges.map(({ prefix }) => `${prefix}\u{10ffff}`),
        ranges.map(({ limit }) => limit),
      );
      const found: KnownWord[][] = ranges.map(() => []);
      for (const { range, word, docs } of rows) found[range]?.push({ word, docs });
      return found;
    },

    async listLongerWords(wanted) {
      const rows = await db.all<KnownWord & { wanted: number }>(
        `${selectLonger("word", 1)} UNION ALL ${selectLonger("reverse(word)", 8)}`,
        ...longerValues(wanted, "start", (part) => part),
        ...longerValues(wanted, "end", reverse),
      );
      const found: KnownWord[][] = wanted.map(() => []);
      for (const { wanted: index, word, docs } of rows) found[index]?.push({ word, docs });
      return found;
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
  { platform, kind, match, bounds, newest, limit, texts, expected = Infinity }: Lookup,
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
  // PostgreSQL takes each word that its sample lacks for a thousandth of all documents. Where a query has many of them, it
  // would walk the whole partition by rank for matches that are not there. By an expression it cannot.
  const order = expected <= FEW_MATCHES ? "sort_key + 0" : "sort_key";
  return `(SELECT ${index} AS lookup, sort_key, ${COLUMNS}, ${texts ? "text" : "''::text AS text"} FROM search_docs
    WHERE ${conditions.join(" AND ")} ORDER BY ${order} LIMIT ${addValue(limit)})`;
}

/** The most used longer words for each of the wanted parts, which are parameters from `$first` on. */
function selectLonger(key: "word" | "reverse(word)", first: number): string {
  const types = ["bigint", "text", "text", "text", "text", "bigint", "bigint"];
  const isEnding = key === "word" ? "" : `AND length(word) >= ${MIN_COMPOUND} AND left(word, 1) NOT IN ('#', '@')`;
  return `SELECT wanted.number AS wanted, longer.word, longer.docs
    FROM unnest(${types.map((type, index) => `$${first + index}::${type}[]`).join(", ")})
      AS wanted (number, platform, kind, part, until, size, max)
    CROSS JOIN LATERAL (
      SELECT word, docs FROM (
        SELECT word, docs FROM search_words
        WHERE platform = wanted.platform AND kind = wanted.kind AND ${key} > wanted.part AND ${key} < wanted.until
          AND length(word) >= wanted.size ${isEnding}
        ORDER BY ${key} LIMIT ${MAX_LONGER_CANDIDATES}) AS candidates
      ORDER BY docs DESC, word LIMIT wanted.max) AS longer`;
}

function longerValues(wanted: readonly LongerWords[], at: LongerWords["at"], keyOf: (part: string) => string): Value[] {
  const numbered = [...wanted.entries()].filter(([, one]) => one.at === at);
  const column = <Item extends Scalar>(valueOf: (one: LongerWords) => Item) => numbered.map(([, one]) => valueOf(one));
  return [
    numbered.map(([number]) => number),
    column(({ platform }) => platform),
    column(({ kind }) => kind),
    column(({ part }) => keyOf(part)),
    column(({ part }) => `${keyOf(part)}\u{10ffff}`),
    column(({ part }) => (at === "start" ? 0 : minLengthWith(part))),
    column(({ limit }) => limit),
  ];
}

/** The index finds the words of a phrase; the fields tell whether they are adjacent. */
function toCondition(match: Match, partition: number, addValue: (value: Value) => string): string {
  if (!hasPhrase(match)) return `tokens @@ ${addValue(queryOf(match, partition))}::tsquery`;
  const nested = (part: Match) => toCondition(part, partition, addValue);
  if (typeof match === "string") return nested(match);
  if ("phrase" in match) {
    const words = addValue(` ${match.phrase.join(" ")} `);
    const fields = [`replace(title, '${TITLE_SEPARATOR}', ' ')`, `replace(tags, '${TAGS_GAP}', '')`, "text"].map(
      (field) => `position(${words} in ' ' || ${field} || ' ') > 0`,
    );
    return `(tokens @@ ${addValue(queryOf(match, partition))}::tsquery AND (${fields.join(" OR ")}))`;
  }
  if ("all" in match) return `(${match.all.map(nested).join(" AND ")})`;
  if ("any" in match) return `(${possible(match.any).map(nested).join(" OR ")})`;
  return `(${nested(match.match)} AND NOT ${nested(match.not)})`;
}
