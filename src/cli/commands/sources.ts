/** `triptych sources`: the official sources, whether they are on, and what is used of their quota. */
import type { Command } from "commander";
import type { SourceInfo } from "#live/live-port.ts";
import { formatTable } from "../format/table.ts";
import { type CommonOptions, configFrom, DATA_DIR_OPTION } from "../settings.ts";
import { printJson, type Terminal } from "../terminal.ts";
import { withExistingStore } from "../with-services.ts";

export function registerSources(program: Command, terminal: Terminal): void {
  program
    .command("sources")
    .description("list the official sources that can fill what is missing, and what is used of their quota")
    .option("--json", "print JSON, with operations and terms")
    .option(...DATA_DIR_OPTION)
    .action(async (options: CommonOptions) => {
      const config = configFrom(terminal, options);
      await withExistingStore(config, async ({ store }) => {
        const { listSources } = await import("#serve/live/list-sources.ts");
        const sources = await listSources(config, store.sources);
        if (options.json === true) printJson(terminal, sources);
        else {
          terminal.out(
            formatTable([["source", "state", "platform", "quota used", "data kept"], ...sources.map(toRow)]),
          );
          if (sources.every(({ state }) => state !== "on"))
            terminal.out("None is on; LIVE_SOURCES turns them on, see docs/live.md.\n");
        }
      });
    });
}

function toRow({ name, state, missing, platform, budgets, retentionDays }: SourceInfo): string[] {
  const quota = budgets.map(({ title, used, limit }) => `${format(used)} of ${format(limit)} ${title}`);
  return [
    name,
    state === "incomplete" ? `needs ${missing.join(" and ")}` : state,
    platform,
    quota.join(", ") || "no quota",
    retentionDays === null ? "as you set it" : `${retentionDays} days`,
  ];
}

function format(count: number): string {
  return count.toLocaleString("en");
}
