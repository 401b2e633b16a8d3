/** What is asked: for each kind of query many different ones, drawn from the words and posts that are really there. */
import { seeded } from "./capture.ts";
import { END, posts, wordsIn } from "./search-corpus.ts";

const DAY = 86_400;

export interface Query {
  /** As a person types it. */
  text: string;
  /** The same for FTS5; null where bare FTS5 has no such question. */
  match: string | null;
  publishedSince?: number;
  /** How many results were given before. */
  offset?: number;
}

export interface Cell {
  name: string;
  /** The cells that a promise is made for; the others are there to know. */
  judged: boolean;
  queries: Query[];
}

export const MOST_COMMON_PAIR = "most common, two words";

export function cellsFor(vocabulary: Map<string, number>, count: number, queries: number): Cell[] {
  const random = seeded(19_450_716);
  const words = shuffled([...vocabulary].filter(([word]) => isWhole(word)).toSorted(byWord), random);
  const within = (least: number, most: number) =>
    words.filter(([, held]) => held >= least && held <= most).map(([word]) => word);
  const top = words
    .toSorted((a, b) => b[1] - a[1] || byWord(a, b))
    .slice(0, 10)
    .map(([word]) => word);
  const bands = {
    rare: within(10, 100),
    middling: within(0.0007 * count, 0.0014 * count),
    common: within(0.014 * count, 0.028 * count),
    "most common": top,
  };
  const frequent = new Set(within(0.014 * count, count));
  const { middling, common } = bands;
  const few = <Item>(items: Item[]) => items.slice(0, queries);

  const judged = Object.entries(bands).flatMap(([name, band]): Cell[] => [
    { name: `${name}, one word`, judged: true, queries: few(band).map(plain) },
    { name: `${name}, two words`, judged: true, queries: pairsOf(band, count, queries, random).map(plain) },
  ]);
  const topPairs = pairsOf(top, count, queries, random);
  const known = (cells: Record<string, Query[]>) =>
    Object.entries(cells).map(([name, asked]): Cell => ({ name, judged: false, queries: asked }));
  return [
    ...judged,
    ...known({
      "most common pair, then a space": topPairs.map((pair) => ({ ...plain(pair), text: `${pair} ` })),
      "phrase of two common": neighbours(frequent, count, queries).map((pair) => ({
        text: `"${pair}"`,
        match: `"${pair}"`,
      })),
      "either of two common": pairsOf(common, count, queries, random).map((pair) => ({
        text: pair.replace(" ", " OR "),
        match: pair.split(" ").map(quoted).join(" OR "),
      })),
      "most common, last day": top.map((text) => ({ text, match: null, publishedSince: END - DAY })),
      "most common, last month": top.map((text) => ({ text, match: null, publishedSince: END - 30 * DAY })),
      "common, last day": few(common).map((text) => ({ text, match: null, publishedSince: END - DAY })),
      "common, last month": few(common).map((text) => ({ text, match: null, publishedSince: END - 30 * DAY })),
      "beginning of a common word": few([...new Set(common.map((word) => word.slice(0, 3)))]).map((text) => ({
        text,
        match: `${quoted(text)}*`,
      })),
      "typing mistake": few(middling.flatMap((word) => mistyped(word, vocabulary))).map((text) => ({
        text,
        match: null,
      })),
      "common, results 241 to 252": few(common).map((text) => ({ text, match: null, offset: 240 })),
      "most common pair, results 241 to 252": topPairs.map((text) => ({ text, match: null, offset: 240 })),
    }),
  ].filter((cell) => cell.queries.length > 0);
}

/** Words that a query reads as the same one word, as it does not some katakana. */
function isWhole(word: string): boolean {
  const read = wordsIn(word);
  return read.length === 1 && read[0] === word;
}

function byWord([a]: [string, number], [b]: [string, number]): number {
  return a < b ? -1 : 1;
}

function shuffled<Item>(items: Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, order: random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item);
}

const quoted = (word: string) => `"${word}"`;

function plain(words: string): Query {
  return { text: words, match: words.split(" ").map(quoted).join(" ") };
}

/** Pairs of words of a band that stand in one post, so that something is found. */
function pairsOf(band: string[], count: number, wanted: number, random: () => number): string[] {
  const among = new Set(band);
  const pairs = new Set<string>();
  const possible = band.length * (band.length - 1);
  for (const { text } of posts(Math.min(count, 50_000))) {
    if (pairs.size >= Math.min(wanted, possible)) break;
    const held = shuffled(
      [...new Set(wordsIn(text))].filter((word) => among.has(word)),
      random,
    );
    if (held.length > 1) pairs.add(`${held[0]} ${held[1]}`);
  }
  return [...pairs];
}

/** Two words that stand side by side in some post. */
function neighbours(band: Set<string>, count: number, wanted: number): string[] {
  const pairs = new Set<string>();
  for (const { text } of posts(Math.min(count, 50_000))) {
    if (pairs.size >= wanted) break;
    const words = wordsIn(text);
    const at = words.findIndex(
      (word, index) => band.has(word) && band.has(words[index + 1] ?? "") && word !== words[index + 1],
    );
    if (at >= 0) pairs.add(`${words[at]} ${words[at + 1]}`);
  }
  return [...pairs];
}

/** Two letters in the middle changed places; nothing where that is a word too. */
function mistyped(word: string, vocabulary: Map<string, number>): string[] {
  if (word.length < 5) return [];
  const wrong = word.slice(0, 2) + word[3] + word[2] + word.slice(4);
  return wrong === word || vocabulary.has(wrong) ? [] : [wrong];
}
