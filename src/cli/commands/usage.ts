/** `triptych usage`: requests per token and operation. */
import { PROGRAM } from "#config";
import type { Command } from "commander";
import { createCsvWriter } from "#domain/csv.ts";
import { DAY_MS, toIsoDate } from "#domain/time.ts";
import type { UsageRow } from "#domain/usage.ts";
import { UsageError } from "../command-errors.ts";
import { formatTable } from "../format/table.ts";
import { type CommonOptions, configFrom, DATA_DIR_OPTION } from "../settings.ts";
import { printJson, type Terminal } from "../terminal.ts";
import { withExistingStore } from "../with-services.ts";

interface UsageOptions extends CommonOptions {
  since?: string;
  token?: string;
  csv?: true;
}

type LabelledRow = UsageRow & { label: string };

const DEFAULT_DAYS = 30;

export function registerUsage(program: Command, terminal: Terminal): void {
  program
    .command("usage")
    .description("show the requests of each token by operation; a running service writes them every 5 seconds")
    .option("--since <day>", "first UTC day, such as 2026-11-01 (default: 30 days ago)")
    .option("--token <key-id>", "one token only")
    .option("--csv", "print CSV, with a row per day")
    .option("--json", "print JSON, with a row per day")
    .option(...DATA_DIR_OPTION)
    .addHelpText(
      "after",
      `\nExamples:\n  $ ${PROGRAM} usage\n  $ ${PROGRAM} usage --since 2026-11-01 --csv > usage.csv`,
    )
    .action((options: UsageOptions) => printUsage(terminal, options));
}

async function printUsage(terminal: Terminal, options: UsageOptions): Promise<void> {
  const since =
    options.since === undefined ? toIsoDate(Date.now() - (DEFAULT_DAYS - 1) * DAY_MS) : parseDay(options.since);
  const isDaily = options.csv === true || options.json === true;
  const rows = await withExistingStore(configFrom(terminal, options), async ({ store, tokens }) => {
    const query = { since, keyId: options.token ?? null, by: isDaily ? ("both" as const) : ("operation" as const) };
    const labels = await tokens.labels();
    return (await store.usage.listUsage(query)).map((row) => ({ ...row, label: labels.get(row.keyId) ?? "" }));
  });
  if (options.json) printJson(terminal, rows);
  else if (options.csv) terminal.out(toCsv(rows));
  else if (rows.length === 0) terminal.out(`No requests with a token since ${since}.\n`);
  else terminal.out(toTable(rows));
}

const COLUMNS = ["day", "keyId", "label", "operation", "requests", "clientErrors", "serverErrors"] as const;

function toCsv(rows: readonly LabelledRow[]): string {
  const names = ["day", "key_id", "label", "operation", "requests", "client_errors", "server_errors"];
  const { header, line } = createCsvWriter(names);
  return header + rows.map((row) => line(COLUMNS.map((column) => row[column]))).join("");
}

/** The busiest first. */
function toTable(rows: readonly LabelledRow[]): string {
  const busiest = rows.toSorted((a, b) => b.requests - a.requests);
  return formatTable([
    ["KEY ID", "LABEL", "OPERATION", "REQUESTS", "4XX", "5XX"],
    ...busiest.map(({ keyId, label, operation, requests, clientErrors, serverErrors }) =>
      [keyId, label, operation, requests, clientErrors, serverErrors].map(String),
    ),
  ]);
}

function parseDay(text: string): string {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (!Number.isNaN(time) && toIsoDate(time) === text) return text;
  throw new UsageError(`--since must be a day such as 2026-11-01, not ${JSON.stringify(text)}`);
}
