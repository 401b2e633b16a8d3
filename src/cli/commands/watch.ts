/** `triptych watch`: what live sources are asked for again and again. A folder of files is watched with `import --watch`. */
import { randomBytes } from "node:crypto";
import { type Command, InvalidArgumentError } from "commander";
import type { WatchableKind } from "#api/watchable.ts";
import type { Watch } from "#domain/watch.ts";
import { PLATFORMS } from "#platforms/registry.ts";
import type { Watches } from "#store/watches.ts";
import { formatInterval, parseInterval } from "#watches/parse-interval.ts";
import { UsageError } from "../command-errors.ts";
import { formatTable } from "../format/table.ts";
import { configFrom, DATA_DIR_OPTION } from "../settings.ts";
import { printJson, type Terminal } from "../terminal.ts";
import { withExistingStore } from "../with-services.ts";

interface WatchOptions {
  every: number;
  json?: true;
  dataDir?: string;
}

const DEFAULT_EVERY = "6h";

const KINDS = PLATFORMS.flatMap(({ name, watchable }) =>
  Object.entries(watchable).map(([kind, { target }]) => `  ${name} ${kind} <${target}>`),
).join("\n");

const NOTES = `
What can be watched:
${KINDS}

Examples:
  $ npx triptych watch add longvideo channel @marketlane --every 6h
  $ npx triptych watch add longvideo search "street food" --every 1d
  $ npx triptych watch add longvideo chart US/Music --every 1d
  $ npx triptych watch list
  $ npx triptych watch pause 3f9c01ab

A running service asks its live sources for each watch when it is due, within their quotas; docs/watches.md says how.
To import files as they arrive in a folder, use "triptych import --watch <folder>".`;

export function registerWatch(program: Command, terminal: Terminal): void {
  const watch = program
    .command("watch")
    .description("watch channels, hashtags, searches and charts with live sources")
    .addHelpText("after", NOTES);
  watch
    .command("add <platform> <kind> <target>")
    .description("watch something, or change how often")
    .option(
      "--every <interval>",
      `minutes, hours or days, such as 30m, 6h or 1d`,
      parseEvery,
      parseEvery(DEFAULT_EVERY),
    )
    .option("--json", "print JSON")
    .option(...DATA_DIR_OPTION)
    .action((platform: string, kind: string, target: string, options: WatchOptions) =>
      withWatches(terminal, options, async (watches) => {
        const added = await watches.addWatch(createWatch(platform, kind, target, options.every));
        if (options.json === true) return printJson(terminal, added);
        const { id, everyMs } = added;
        terminal.out(`Watching ${describe(added)} every ${formatInterval(everyMs)}, as ${id}.\n`);
      }),
    );
  watch
    .command("list")
    .description("list watches, the next one first")
    .option("--json", "print JSON")
    .option(...DATA_DIR_OPTION)
    .action((options: WatchOptions) =>
      withWatches(terminal, options, async (watches) => {
        const all = await watches.listWatches();
        if (options.json === true) printJson(terminal, all);
        else if (all.length === 0) terminal.out('No watches; add one with "npx triptych watch add".\n');
        else terminal.out(formatTable([HEADER, ...all.map(toRow)]));
      }),
    );
  for (const [name, state, description] of [
    ["pause", "paused", "stop requesting a watch until it is resumed"],
    ["resume", "active", "request a paused watch again"],
  ] as const) {
    watch
      .command(`${name} <id>`)
      .description(description)
      .option(...DATA_DIR_OPTION)
      .action((id: string, options: WatchOptions) =>
        withWatches(terminal, options, async (watches) => {
          const changed = await watches.setWatchState(id, state, Date.now());
          if (changed === null) throw notFound(id);
          terminal.out(`${state === "paused" ? "Paused" : "Resumed"} ${describe(changed)}.\n`);
        }),
      );
  }
  watch
    .command("remove <id>")
    .description("remove a watch; what it brought stays")
    .option(...DATA_DIR_OPTION)
    .action((id: string, options: WatchOptions) =>
      withWatches(terminal, options, async (watches) => {
        if (!(await watches.deleteWatch(id))) throw notFound(id);
        terminal.out(`Removed ${id}; what it brought stays.\n`);
      }),
    );
}

function withWatches(
  terminal: Terminal,
  options: WatchOptions,
  work: (watches: Watches) => Promise<void>,
): Promise<void> {
  return withExistingStore(configFrom(terminal, options), ({ store }) => work(store.watches));
}

function parseEvery(text: string): number {
  const ms = parseInterval(text);
  if (ms === null) throw new InvalidArgumentError("It must be minutes, hours or days from 5m to 365d, such as 6h.");
  return ms;
}

function createWatch(platform: string, kind: string, text: string, everyMs: number): Watch {
  const target = findKind(platform, kind).parseTarget(text);
  if (target === null) throw new UsageError(`${JSON.stringify(text)} is not a ${findKind(platform, kind).target}`);
  const now = Date.now();
  return {
    id: randomBytes(4).toString("hex"),
    platform,
    kind,
    target,
    everyMs,
    state: "active",
    createdAt: now,
    nextAt: now,
    lastAt: null,
    lastOutcome: null,
    runs: 0,
  };
}

function findKind(platform: string, kind: string): WatchableKind {
  const found = PLATFORMS.find(({ name }) => name === platform);
  if (found === undefined) {
    throw new UsageError(`the platform must be one of ${PLATFORMS.map(({ name }) => name).join(", ")}`);
  }
  const watchable = Object.hasOwn(found.watchable, kind) ? found.watchable[kind] : undefined;
  if (watchable === undefined) {
    throw new UsageError(`on ${platform} the kind must be one of ${Object.keys(found.watchable).join(", ")}`);
  }
  return watchable;
}

function notFound(id: string): UsageError {
  return new UsageError(`there is no watch ${id}; "triptych watch list" lists them`);
}

function describe({ platform, kind, target }: Watch): string {
  return `${platform} ${kind} ${target}`;
}

const HEADER = ["id", "what", "every", "state", "next (UTC)", "last (UTC)", "", "requests"];

function toRow(watch: Watch): string[] {
  const { id, everyMs, state, nextAt, lastAt, lastOutcome, runs } = watch;
  const time = (at: number | null) =>
    at === null ? "never" : new Date(at).toISOString().slice(0, 16).replace("T", " ");
  const next = state === "paused" ? "-" : time(nextAt);
  return [id, describe(watch), formatInterval(everyMs), state, next, time(lastAt), lastOutcome ?? "", String(runs)];
}
