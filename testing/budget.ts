/**
 * How much the tests with a random or repeated part do. `npm test` takes the first number, `npm run test:full`, before a
 * release, the second: the property is the same, the sample is larger. `npm run test:hard` does as the full run, or less
 * where all claims together would take longer than 25 minutes.
 */
export const FULL_VARIABLE = "TRIPTYCH_TEST_FULL";
export type FullRun = "full" | "hard";

interface Amount {
  what: string;
  usual: number;
  full: number;
  hard?: number;
}

const AMOUNTS = {
  importKills: { what: "kills of one import", usual: 20, full: 200 },
  importersKills: { what: "kills, in turn, of two importers side by side", usual: 2, full: 50 },
  connectionsEnded: { what: "connections of an import to its database that are ended", usual: 2, full: 12 },
  endlessInputs: { what: "imports of standard input that never ends", usual: 1, full: 2 },
  serviceKills: { what: "kills of a service that receives uploads", usual: 2, full: 50 },
  erasedPeople: { what: "people erased from a store of twice as many", usual: 20, full: 100 },
  powerCuts: { what: "power cuts of imports, an undo and an erasure", usual: 12, full: 100 },
  logCuts: { what: "cuts of a write-ahead log", usual: 12, full: 200 },
  processPauses: { what: "pauses of a service, its workers and an importer", usual: 8, full: 100 },
  diskFaults: { what: "faults of a disk under a service that receives uploads", usual: 8, full: 100 },
  steadySeconds: { what: "seconds of a service at half load", usual: 3, full: 720, hard: 180 },
  archiveEntries: { what: "empty entries of an archive", usual: 400, full: 60_000 },
  importLines: { what: "lines of the import that is killed", usual: 30_000, full: 300_000, hard: 120_000 },
  copyKills: { what: "kills of a copy in each direction", usual: 1, full: 6 },
  backupRequests: { what: "random requests to a store and to its backups", usual: 50, full: 5_000 },
  demoPlatforms: { what: "platforms of the demo world that are filled and removed", usual: 1, full: 3 },
  cacheRequests: { what: "random requests to a service with and without a response cache", usual: 24, full: 1_200 },
  pipelinedRequests: { what: "requests sent in one go on one connection", usual: 400, full: 3_000 },
  storeRequests: { what: "random requests to a file and to PostgreSQL", usual: 50, full: 5_000 },
  writesBetween: { what: "writes to a file and to PostgreSQL between the random requests", usual: 10, full: 50 },
  storeWrites: { what: "random series of writes to a file and to PostgreSQL", usual: 3, full: 300 },
  concurrentRequests: { what: "concurrent requests whose bodies are compared", usual: 150, full: 100_000 },
  malformedMessages: { what: "malformed messages to MCP over each transport", usual: 100, full: 10_000 },
  malformedRequests: { what: "malformed requests", usual: 250, full: 100_000 },
  injectionStrings: { what: "strings that would be code elsewhere", usual: 40, full: 2_000 },
  changedCursors: { what: "changed page tokens", usual: 400, full: 100_000 },
  limitedRequests: { what: "requests that several processes allow a token together", usual: 200, full: 1_000 },
  nodeStops: { what: "nodes stopped under load", usual: 2, full: 50 },
  slowConnections: { what: "slow connections at a time", usual: 60, full: 2_000 },
  slowReaders: { what: "readers of each kind that read nothing", usual: 5, full: 100 },
  randomConversations: { what: "conversations that break off in random ways", usual: 100, full: 10_000 },
  screens: { what: "sizes and colours of each page of the console that axe looks at", usual: 1, full: 2 },
  loadedPages: {
    what: "pages of the console that axe and hostile texts see loaded, not opened by a link",
    usual: 1,
    full: 16,
  },
  hostileLists: { what: "further lists of the console with all hostile texts", usual: 0, full: 3 },
  harmfulExpressions: { what: "harmful expressions that the analyser must find", usual: 2, full: 4 },
  assetRequests: { what: "requests for one asset at once", usual: 30, full: 200 },
  brokenConnections: { what: "connections for each kind of broken pipeline", usual: 50, full: 1_000 },
  liveRequests: { what: "different requests to a live source", usual: 30, full: 10_000 },
  commentPercent: {
    what: "percent of the demo comments where the demo data are written to several stores or removed",
    usual: 10,
    full: 100,
  },
  multilingualPosts: { what: "posts in many scripts where stores are compared", usual: 100, full: 600 },
  demoPostPercent: { what: "percent of the demo posts and follows where stores are compared", usual: 5, full: 100 },
  alikePercent: { what: "percent of unassigned, private and ideographic characters", usual: 2, full: 100 },
  propertyPercent: {
    what: "percent of the runs of properties that write to stores or ask services",
    usual: 5,
    full: 100,
  },
  wholeSearches: { what: "searches whose best thousand are read page by page", usual: 1, full: 2 },
  itemsOneByOne: { what: "items of a list of which MCP answers one per call", usual: 65, full: 200 },
  selectedListPercent: {
    what: "percent of the lists that the clients walk a second time, with `fields`",
    usual: 25,
    full: 100,
  },
  otherSiteRuns: { what: "files of other sites' records in each form", usual: 6, full: 400 },
  junkRuns: { what: "runs with junk in each fixture of the short-video importers", usual: 8, full: 150 },
} satisfies Record<string, Amount>;

const run = process.env[FULL_VARIABLE];
export const IS_FULL = run === "full" || run === "hard";

export function budget(name: keyof typeof AMOUNTS): number {
  const { usual, full, hard = full }: Amount = AMOUNTS[name];
  return run === "hard" ? hard : IS_FULL ? full : usual;
}

/** Most of the demo data are comments: keeps the share of them that the budget allows. */
export function* sampleComments<Part extends { batch: { comments?: readonly object[] } }>(
  world: Iterable<Part>,
): Generator<Part> {
  const every = Math.round(100 / budget("commentPercent"));
  for (const part of world) {
    const comments = (part.batch.comments ?? []).filter((_, index) => index % every === 0);
    yield { ...part, batch: { ...part.batch, comments } };
  }
}

/** Within the runner's limit for a test: a counterexample that takes long to shrink is told as far as it was shrunk. */
const PROPERTY_LIMIT_MS = IS_FULL ? 800_000 : 180_000;

/** Settings of a property that writes to a store or asks a service, given its runs in the full run. */
export function propertyBudget(fullRuns: number) {
  return limitRuns(Math.ceil((fullRuns * budget("propertyPercent")) / 100));
}

export function limitRuns(numRuns: number) {
  return {
    numRuns,
    interruptAfterTimeLimit: PROPERTY_LIMIT_MS,
    markInterruptAsFailure: true,
  };
}

/** One line for each thing of which the full run does more. */
export function describeFullRun(): string[] {
  return Object.values(AMOUNTS).map(
    ({ what, usual, full }) => `${full.toLocaleString("en")} instead of ${usual.toLocaleString("en")} ${what}`,
  );
}

/** For stores of tests that are not about servers which do not answer: the machine may be busy with other things. */
export const TEST_TIMEOUT_FACTOR = 20;
