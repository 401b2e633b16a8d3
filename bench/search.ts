/**
 * How long a search takes beside bare FTS5 with bm25 over the same words, by how common the words are; what the index
 * costs; and with `--compare=100000,1000000` how the time of a search grows with the store.
 * Further options: `--posts`, `--queries` (of each kind), `--upkeep` (posts to import), `--rebuild=yes`.
 */
import { END } from "./search-corpus.ts";
import { type Cell, cellsFor, MOST_COMMON_PAIR, type Query } from "./search-queries.ts";
import { closeSearched, openSearched, PLATFORM, type Searched } from "./search-stores.ts";
import { indexBytes, measureUpkeep, type Upkeep } from "./search-upkeep.ts";
import { type Contender, type Figures, rounded, takeTurns } from "./taking-turns.ts";

const PAGE = 12;
const MOST_MS = 30;
const TIMES_FASTER = 20;
const MOST_GROWTH = 2;
const LEAST_SPEED_KEPT = 0.5;
/** Without bm25 there is time to ask each query more often, which keeps a passing disturbance out of the p99. */
const GROWTH_ROUNDS = 5;

export async function run(options: Record<string, string>): Promise<object> {
  const queries = Number(options["queries"] ?? 200);
  const rebuild = options["rebuild"] === "yes";
  const sizes = options["compare"]?.split(",").map(Number);
  if (sizes !== undefined) return growth(sizes, queries, rebuild);
  const posts = Number(options["posts"] ?? 1_000_000);
  const searched = await openSearched(posts, rebuild);
  const cells = await besideBm25(searched, queries);
  const { search, file, tables } = indexBytes(searched.folder);
  await closeSearched(searched);
  const index = { bytesAPost: Math.round(search / posts), shareOfFile: rounded(search / file), tables };
  console.log(`search tables: ${index.bytesAPost} bytes a post, ${index.shareOfFile} of the file`);
  console.table(tables);
  const upkeep = await measureUpkeep(Number(options["upkeep"] ?? 100_000));
  console.table(upkeep);
  const peakMemoryMB = Math.round(process.resourceUsage().maxRSS / 1024);
  console.log(`peak memory of this process, with the pages of the files that it mapped: ${peakMemoryMB} MB`);
  return { posts, cells, index, upkeep, peakMemoryMB, judgements: judge(cells, upkeep) };
}

interface CellFigures {
  cell: string;
  distinct: number;
  triptych: Figures;
  bm25: Figures | null;
}

async function besideBm25(searched: Searched, rounds: number): Promise<CellFigures[]> {
  const ask = searched.bm25.asking();
  const bm25: Contender<Query> =
    async ({ match }) =>
    async () =>
      ask(match as string);
  const cells: CellFigures[] = [];
  for (const { name, queries } of cellsFor(searched.bm25.vocabulary(), searched.posts, rounds)) {
    const contenders = queries[0]?.match === null ? [triptych(searched)] : [triptych(searched), bm25];
    const turns = contenders.map((contender) => ({ contender, queries }));
    const [ours, theirs = null] = await takeTurns(turns, rounds);
    cells.push({ cell: name, distinct: queries.length, triptych: ours as Figures, bm25: theirs });
    console.log(`  measured: ${name}`);
  }
  console.table(cells.map(tableRow));
  return cells;
}

function tableRow({ cell, distinct, triptych: ours, bm25 }: CellFigures): object {
  const mine = { cell, queries: distinct, p50: ours.p50, p99: ours.p99, found: ours.found };
  if (bm25 === null) return mine;
  const theirs = { "bm25 p50": bm25.p50, "bm25 p99": bm25.p99, "bm25 found": bm25.found };
  return { ...mine, ...theirs, "p99 ratio": rounded(bm25.p99 / ours.p99) };
}

function triptych({ store }: Searched): Contender<Query> {
  const reader = store.of(PLATFORM);
  return async ({ text, publishedSince, offset = 0 }) => {
    const first = { text, publishedSince, offset: 0, limit: PAGE, now: END };
    const state = offset === 0 ? undefined : (await reader.searchPosts({ ...first, limit: offset })).state;
    return async () => (await reader.searchPosts({ ...first, offset, state })).items;
  };
}

function judge(cells: CellFigures[], upkeep: Upkeep): string[] {
  const pair = cells.find(({ cell }) => cell === MOST_COMMON_PAIR);
  const bound = Math.min(MOST_MS, (pair?.bm25?.p99 ?? 0) / TIMES_FASTER);
  const p99 = pair?.triptych.p99 ?? Infinity;
  const judgements = [
    `p99 of the most common pair, ${p99} ms, is at most ${rounded(bound)} ms (${MOST_MS} ms, and a ${TIMES_FASTER}th of bm25's): ${yesNo(p99 <= bound)}`,
    `an import with the index keeps ${upkeep.speedKept} of the speed without, at least ${LEAST_SPEED_KEPT}: ${yesNo(upkeep.speedKept >= LEAST_SPEED_KEPT)}`,
  ];
  for (const line of judgements) console.log(line);
  return judgements;
}

async function growth(sizes: number[], queries: number, rebuild: boolean): Promise<object> {
  const stores: Searched[] = [];
  for (const size of sizes) stores.push(await openSearched(size, rebuild));
  const cellsBySize = stores.map(({ bm25, posts }) => cellsFor(bm25.vocabulary(), posts, queries));
  const cells: { cell: string; judged: boolean; figures: Figures[]; ratio: number }[] = [];
  for (const { name, judged } of cellsBySize[0] as Cell[]) {
    const turns = stores.flatMap((searched, index) => {
      const cell = cellsBySize[index]?.find((other) => other.name === name);
      return cell === undefined ? [] : [{ contender: triptych(searched), queries: cell.queries }];
    });
    if (turns.length < sizes.length) continue;
    const figures = await takeTurns(turns, queries * GROWTH_ROUNDS);
    const [least, most] = [figures[0] as Figures, figures.at(-1) as Figures];
    cells.push({ cell: name, judged, figures, ratio: rounded(most.p99 / least.p99) });
  }
  for (const searched of stores) await closeSearched(searched);
  console.table(
    cells.map(({ cell, figures, ratio }) => ({
      cell,
      ...Object.fromEntries(figures.map(({ p99 }, index) => [`p99 at ${sizes[index]}`, p99])),
      ratio,
    })),
  );
  const worst = cells.filter(({ judged }) => judged).toSorted((a, b) => b.ratio - a.ratio)[0];
  const judgement = `p99 from ${sizes[0]} to ${sizes.at(-1)} posts grows at most ${worst?.ratio}-fold (${worst?.cell}), at most ${MOST_GROWTH}: ${yesNo((worst?.ratio ?? Infinity) <= MOST_GROWTH)}`;
  console.log(judgement);
  return { sizes, cells, judgements: [judgement] };
}

function yesNo(kept: boolean): string {
  return kept ? "yes" : "no";
}
