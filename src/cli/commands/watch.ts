/** `triptych watch`: what live sources are asked for again and again. A folder of files is watched with `import --watch`. */
import { PROGRAM } from "#config";
import type { Command } from "commander";
import type { Watch } from "#domain/watch.ts";
import { WATCHABLE } from "#platforms/registry.ts";
import { formatInterval } from "#domain/parse-interval.ts";
import { InvalidWatch, watchDetails, WatchList } from "#watches/watch-list.ts";
import { UsageError } from "../command-errors.ts";
import { formatTable } from "../format/table.ts";
import { type CommonOptions, configFrom, DATA_DIR_OPTION } from "../settings.ts";
import { printJson, type Terminal } from "../terminal.ts";
import { withExistingStore } from "../with-services.ts";

interface WatchOptions extends CommonOptions {
  every: string;
}

const DEFAULT_EVERY = "6h";

const KINDS = Object.entries(WATCHABLE)
  .flatMap(([platform, kinds]) =>
    Object.entries(kinds).map(([kind, { target }]) => `  ${platform} ${kind} <${target}>`),
  )
  .join("\n");

const NOTES = `
What can be watched:
${KINDS}

Examples:
  $ ${PROGRAM} watch add longvideo channel @marketlane --every 6h
  $ ${PROGRAM} watch add longvideo search "street food" --every 1d
  $ ${PROGRAM} watch add longvideo chart US/Music --every 1d
  $ ${PROGRAM} watch list
  $ ${PROGRAM} watch pause 3f9c01ab

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
    .option("--every <interval>", `minutes, hours or days, such as 30m, 6h or 1d`, DEFAULT_EVERY)
    .option("--json", "print JSON")
    .option(...DATA_DIR_OPTION)
    .action((platform: string, kind: string, target: string, options: WatchOptions) =>
      withWatches(terminal, options, async (watches, record) => {
        const { selectSources } = await import("#serve/live/select-sources.ts");
        const sources = selectSources(configFrom(terminal, options));
        const added = await watches.add({ platform, kind, target, every: options.every });
        await record(added, "add");
        if (options.json === true) return printJson(terminal, added);
        const { id, everyMs } = added;
        terminal.out(`Watching ${describe(added)} every ${formatInterval(everyMs)}, as ${id}.\n`);
        if (sources.some((source) => source.platform === platform)) return;
        terminal.out(
          `With these settings no live source of ${platform} is on; LIVE_SOURCES turns them on, see docs/live.md.\n`,
        );
      }),
    );
  watch
    .command("list")
    .description("list watches, the next one first")
    .option("--json", "print JSON")
    .option(...DATA_DIR_OPTION)
    .action((options: WatchOptions) =>
      withWatches(terminal, options, async (watches) => {
        const all = await watches.list();
        if (options.json === true) printJson(terminal, all);
        else if (all.length === 0) terminal.out(`No watches; add one with "${PROGRAM} watch add".\n`);
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
        withWatches(terminal, options, async (watches, record) => {
          const changed = await watches.setState(id, state);
          if (changed === null) throw notFound(id);
          await record(changed, name);
          terminal.out(`${state === "paused" ? "Paused" : "Resumed"} ${describe(changed)}.\n`);
        }),
      );
  }
  watch
    .command("remove <id>")
    .description("remove a watch; what it brought stays")
    .option(...DATA_DIR_OPTION)
    .action((id: string, options: WatchOptions) =>
      withWatches(terminal, options, async (watches, record) => {
        if (!(await watches.remove(id))) throw notFound(id);
        await record({ id }, "remove");
        terminal.out(`Removed ${id}; what it brought stays.\n`);
      }),
    );
}

type RecordAudit = (watch: Parameters<typeof watchDetails>[0], change: string) => Promise<void>;

function withWatches(
  terminal: Terminal,
  options: WatchOptions,
  work: (watches: WatchList, record: RecordAudit) => Promise<void>,
): Promise<void> {
  return withExistingStore(configFrom(terminal, options), async ({ store, audit }) => {
    try {
      await work(new WatchList(store.watches, WATCHABLE), async (watch, change) => {
        await audit.record({ actor: "command", action: "watch.set", details: watchDetails(watch, change) });
      });
    } catch (error) {
      throw error instanceof InvalidWatch ? new UsageError(describeField(error)) : error;
    }
  });
}

/** The interval is an option, the others are arguments. */
function describeField({ field, reason }: InvalidWatch): string {
  return `${field === "every" ? "--every" : `the ${field}`} ${reason}`;
}

function notFound(id: string): UsageError {
  return new UsageError(`there is no watch ${id}; "${PROGRAM} watch list" lists them`);
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
