/** `triptych get <operation> key=value …`: runs an operation on the store, without a server or a token. */
import { PROGRAM } from "#config";
import { withRankings } from "#api/rankings.ts";
import { randomUUID } from "node:crypto";
import type { Command } from "commander";
import { pageTokensFor } from "#auth/page-tokens.ts";
import type { RawInput } from "#api/input.ts";
import { compileOperation, parameterNames, type Result } from "#api/compile-operation.ts";
import { itemsOf, nextPage, pagingFields } from "#api/paging.ts";
import { type Operation, permittedReaders } from "#api/platform.ts";
import { suggest } from "#domain/suggest.ts";
import { ApiError, problem } from "#errors";
import { OPERATIONS } from "#platforms/registry.ts";
import { operationHelp } from "../format/operation-help.ts";
import { formatCsv, formatRecords, recordsOf } from "../format/records.ts";
import { formatTable } from "../format/table.ts";
import { UsageError } from "../command-errors.ts";
import { withExistingStore } from "../with-services.ts";
import { type CommonOptions, configFrom, DATA_DIR_OPTION } from "../settings.ts";
import { EXIT, printJson, printNote, type Terminal } from "../terminal.ts";

interface GetOptions extends CommonOptions {
  help?: true;
  list?: true;
  table?: true;
  csv?: true;
  paginate?: true;
  fields?: string;
  compact?: true;
  unknownNull?: true;
}

type Format = "json" | "table" | "csv";

/** For a table that is not printed on a terminal. */
const PLAIN_COLUMNS = 120;

const EXAMPLES = `
Examples:
  $ ${PROGRAM} get --list
  $ ${PROGRAM} get longvideo/video/comments --help
  $ ${PROGRAM} get shortvideo/search/general keyword="street food"
  $ ${PROGRAM} get photoshare/get-posts username_or_url=luna.marchetti --paginate --csv > posts.csv
  $ ${PROGRAM} get search q="street food" kind=subtitle --json
  $ ${PROGRAM} get longvideo/trending country=US --fields "videos(video_id,title)" --compact

A terminal gets a table, a pipe or a file JSON. Unknown values are empty in tables and CSV.`;

export function registerGet(program: Command, terminal: Terminal): void {
  const command = program
    .command("get [operation] [parameters...]")
    .description("run an operation on the store, without a server; parameters are key=value")
    .helpOption(false)
    .option("--list", "list all operations")
    .option("--table", "print a table (the default on a terminal)")
    .option("--csv", "print CSV with all columns")
    .option("--json", "print JSON (the default in a pipe), and errors as problem JSON")
    .option("--paginate", "follow the pages and print all items; JSON has one item per line")
    .option("--fields <selection>", "parts of the response to print, such as videos(video_id,title)")
    .option("--compact", "print JSON on one line")
    .option("--unknown-null", "print unknown values as null")
    .option(...DATA_DIR_OPTION)
    .option("-h, --help", "print this help, or that of the operation")
    .addHelpText("after", EXAMPLES)
    .action((name: string | undefined, parameters: string[], options: GetOptions) => {
      if (options.help === true) return printHelp(terminal, command, name);
      if (options.list === true) return list(terminal, OPERATIONS, options.json === true);
      const operation = findOperation(name, OPERATIONS);
      const raw = parseParameters(operation, parameters);
      return get(terminal, operation, { ...raw, ...selectedFields(operation, raw, options) }, options);
    });
}

function printHelp(terminal: Terminal, command: Command, name: string | undefined): void {
  if (name === undefined) command.outputHelp();
  else terminal.out(operationHelp(findOperation(name, OPERATIONS), (text) => terminal.style("bold", text)));
}

function list(terminal: Terminal, operations: readonly Operation[], json: boolean): void {
  if (json) {
    printJson(
      terminal,
      operations.map(({ name, endpoint }) => ({
        name,
        method: endpoint.method,
        summary: endpoint.summary,
        parameters: Object.keys(endpoint.input.properties),
      })),
    );
  } else terminal.out(formatTable(operations.map(({ name, endpoint }) => [name, endpoint.summary])));
}

async function get(terminal: Terminal, operation: Operation, raw: RawInput, options: GetOptions): Promise<void> {
  const config = configFrom(terminal, options);
  const format = formatFor(terminal, options);
  const requestId = randomUUID();
  const now = Date.now();
  try {
    await withExistingStore(config, async ({ store, secrets, refreshTrends }) => {
      if (operation.endpoint.readsTrends) await refreshTrends();
      const run = compileOperation(operation);
      const request = (input: RawInput) => withRankings(() => execute(input), refreshTrends);
      const execute = (input: RawInput) =>
        run(
          {
            // Access to the store is access to everything in it.
            permitted: permittedReaders(operation, store, "object")(() => true),
            now,
            requestId,
            defaults: config.defaults,
            cursors: pageTokensFor(secrets.cursors, operation.name, now),
            personal: true,
            // Cells are for people and spreadsheets: unknown must not look like 0.
            unknownAsNull: options.unknownNull === true || format !== "json",
          },
          input,
        );
      if (options.paginate === true) await printPages(terminal, operation, request, raw, format);
      else printPage(terminal, operation, raw, await request(raw), format, options.compact === true ? 0 : 2);
    });
  } catch (error) {
    if (!(error instanceof ApiError) || options.json !== true) throw error;
    terminal.err(`${JSON.stringify(problem(error, requestId))}\n`);
    terminal.exitCode = EXIT.failed;
  }
}

function formatFor(terminal: Terminal, { table, csv, json, compact }: GetOptions): Format {
  const chosen = [
    ...(table === true ? ["table" as const] : []),
    ...(csv === true ? ["csv" as const] : []),
    ...(json === true || compact === true ? ["json" as const] : []),
  ];
  if (chosen.length > 1) throw new UsageError("choose one of --table, --csv and --json");
  return chosen[0] ?? (terminal.columns === null ? "json" : "table");
}

function printPage(
  terminal: Terminal,
  operation: Operation,
  raw: RawInput,
  result: Result,
  format: Format,
  indent: number,
): void {
  const { body } = result;
  printHeaders(terminal, result);
  if (format === "json") printJson(terminal, body, indent);
  else printRecords(terminal, operation, raw, body, format, true);
  if (format === "table" && operation.endpoint.pages !== undefined && nextPage(body, operation.endpoint.pages) !== null)
    printNote(terminal, terminal.style("dim", "There are more pages; --paginate prints all of them.\n"));
}

function printHeaders(terminal: Terminal, { headers, lastModified }: Result): void {
  for (const [header, value] of Object.entries(headers)) printNote(terminal, `${header}: ${value}\n`);
  if (terminal.verbosity === "verbose" && lastModified !== null && lastModified > 0)
    printNote(terminal, `last-modified: ${new Date(lastModified).toISOString()}\n`);
}

function printRecords(
  terminal: Terminal,
  operation: Operation,
  raw: RawInput,
  body: unknown,
  format: "table" | "csv",
  isFirst: boolean,
): void {
  const records = recordsOf(operation, body, raw["fields"]);
  if (format === "csv") {
    terminal.out(formatCsv(records, isFirst));
    return;
  }
  if (records.items.length === 0) {
    if (isFirst) printNote(terminal, "No results.\n");
    return;
  }
  const bold = (text: string) => terminal.style("bold", text);
  const { text, hidden } = formatRecords(records, terminal.columns ?? PLAIN_COLUMNS, bold);
  terminal.out(text);
  if (hidden > 0 && isFirst)
    printNote(terminal, terminal.style("dim", `Columns without room: ${hidden}; --csv or --json prints them too.\n`));
}

/** Page by page, so that a long list takes no more memory than a short one. */
async function printPages(
  terminal: Terminal,
  operation: Operation,
  request: (input: RawInput) => Promise<Result>,
  raw: RawInput,
  format: Format,
): Promise<void> {
  const { pages } = operation.endpoint;
  if (pages === undefined) throw new UsageError(`${operation.name} has no pages; leave out --paginate`);
  let isFirst = true;
  for (let input: RawInput | null = raw; input !== null; isFirst = false) {
    const result = await request(input);
    const { body } = result;
    if (isFirst) printHeaders(terminal, result);
    if (format === "json") for (const item of itemsOf(body, pages)) printJson(terminal, item);
    else printRecords(terminal, operation, raw, body, format, isFirst);
    const next = nextPage(body, pages);
    input = next === null ? null : { ...raw, ...next };
  }
}

/** With `--paginate`, a selection also keeps what requests the next page. */
function selectedFields({ endpoint: { pages } }: Operation, raw: RawInput, options: GetOptions): RawInput {
  if (options.fields !== undefined && raw["fields"] !== undefined)
    throw new UsageError("choose one of --fields and fields=");
  const fields = options.fields ?? raw["fields"];
  // Validation rejects a repeated one. An empty one is none.
  if (typeof fields !== "string" || fields === "") return {};
  return {
    fields: options.paginate === true && pages !== undefined ? [fields, ...pagingFields(pages)].join(",") : fields,
  };
}

export function findOperation(name: string | undefined, operations: readonly Operation[]): Operation {
  if (name === undefined)
    throw new UsageError(`operation missing, such as longvideo/trending; "${PROGRAM} get --list" lists all`);
  const requested = name.replace(/^\/?(api\/)?/, "");
  const operation = operations.find((candidate) => candidate.name === requested);
  if (operation !== undefined) return operation;
  const near = suggest(
    requested,
    operations.map((candidate) => candidate.name),
  );
  const suggestion = near.length === 0 ? `"${PROGRAM} get --list" lists all` : `did you mean ${near.join(" or ")}?`;
  throw new UsageError(`unknown operation ${requested}; ${suggestion}`);
}

/** A repeated key becomes a list, which validation rejects as over HTTP. An unknown key is a mistake. */
function parseParameters(operation: Operation, parameters: readonly string[]): RawInput {
  const known = parameterNames(operation);
  const raw: Record<string, string | string[]> = Object.create(null);
  for (const parameter of parameters) {
    const equals = parameter.indexOf("=");
    if (equals < 1) throw new UsageError(`parameters must be key=value, not ${JSON.stringify(parameter)}`);
    const key = parameter.slice(0, equals);
    if (!known.includes(key)) throw unknownParameter(operation, key, known);
    const value = parameter.slice(equals + 1);
    const earlier = raw[key];
    raw[key] = earlier === undefined ? value : [earlier, value].flat();
  }
  return raw;
}

function unknownParameter({ name }: Operation, key: string, known: readonly string[]): UsageError {
  const [near] = suggest(key, known);
  const hint = near === undefined ? `it takes ${known.join(", ")}` : `did you mean ${near}?`;
  return new UsageError(`${name} has no parameter ${key}; ${hint}`);
}
