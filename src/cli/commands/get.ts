/** `triptych get <operation> key=value …`: runs an operation on the store, without a server or a token. */
import { randomUUID } from "node:crypto";
import type { Command } from "commander";
import { pageTokensFor } from "#auth/page-tokens.ts";
import type { RawInput } from "#api/input.ts";
import { compileOperation, parameterNames } from "#api/compile-operation.ts";
import { type Operation, permittedReaders } from "#api/platform.ts";
import { suggest } from "#domain/suggest.ts";
import { ApiError, problem } from "#errors";
import { OPERATIONS } from "#platforms/registry.ts";
import { formatTable } from "../format/table.ts";
import { UsageError } from "../command-errors.ts";
import { withExistingStore } from "../with-services.ts";
import { configFrom, DATA_DIR_OPTION } from "../settings.ts";
import { EXIT, printJson, type Terminal } from "../terminal.ts";

interface GetOptions {
  list?: true;
  compact?: true;
  unknownNull?: true;
  json?: true;
  dataDir?: string;
}

const EXAMPLES = `
Examples:
  $ npx triptych get --list
  $ npx triptych get shortvideo/search/general keyword="street food"
  $ npx triptych get photoshare/get-profile username_or_url=luna.marchetti --unknown-null
  $ npx triptych get search q="street food" kind=subtitle
  $ npx triptych get longvideo/trending country=US "fields=videos(video_id,title)" --compact`;

export function registerGet(program: Command, terminal: Terminal): void {
  program
    .command("get [operation] [parameters...]")
    .description("run an operation on the store, without a server; parameters are key=value")
    .option("--list", "list all operations")
    .option("--compact", "print JSON on one line")
    .option("--unknown-null", "print unknown values as null")
    .option("--json", "print errors as problem JSON; with --list, print the list as JSON")
    .option(...DATA_DIR_OPTION)
    .addHelpText("after", EXAMPLES)
    .action((name: string | undefined, parameters: string[], options: GetOptions) => {
      if (options.list === true) return list(terminal, OPERATIONS, options.json === true);
      const operation = findOperation(name, OPERATIONS);
      return get(terminal, operation, parseParameters(operation, parameters), options);
    });
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
  const requestId = randomUUID();
  const now = Date.now();
  try {
    const { body, headers } = await withExistingStore(config, async ({ store, secrets, refreshTrends }) => {
      if (operation.endpoint.readsTrends) await refreshTrends();
      return compileOperation(operation)(
        {
          // Access to the store is access to everything in it.
          permitted: permittedReaders(operation, store, "object")(() => true),
          now,
          requestId,
          defaults: config.defaults,
          cursors: pageTokensFor(secrets.cursors, operation.name, now),
          personal: true,
          unknownAsNull: options.unknownNull === true,
        },
        raw,
      );
    });
    for (const [header, value] of Object.entries(headers)) terminal.err(`${header}: ${value}\n`);
    printJson(terminal, body, options.compact === true ? 0 : 2);
  } catch (error) {
    if (!(error instanceof ApiError) || options.json !== true) throw error;
    terminal.err(`${JSON.stringify(problem(error, requestId))}\n`);
    terminal.exitCode = EXIT.failed;
  }
}

function findOperation(name: string | undefined, operations: readonly Operation[]): Operation {
  if (name === undefined)
    throw new UsageError('operation missing, such as longvideo/trending; "npx triptych get --list" lists all');
  const requested = name.replace(/^\/?(api\/)?/, "");
  const operation = operations.find((candidate) => candidate.name === requested);
  if (operation !== undefined) return operation;
  const near = suggest(
    requested,
    operations.map((candidate) => candidate.name),
  );
  const suggestion = near.length === 0 ? '"npx triptych get --list" lists all' : `did you mean ${near.join(" or ")}?`;
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
