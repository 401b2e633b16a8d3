/** `triptych token create|list|revoke|rotate`. Only the token itself goes to standard output, for use in scripts. */
import { PROGRAM } from "#config";
import type { Command } from "commander";
import { parseScopes, readScopesFor, scopesFor } from "#auth/scopes.ts";
import { type IssuedToken, TokenError } from "#auth/tokens.ts";
import type { TokenLimits } from "#domain/token.ts";
import { PLATFORMS } from "#platforms/registry.ts";
import { tokenEvent } from "#privacy/audit-log.ts";
import { CommandError, UsageError } from "../command-errors.ts";
import { withExistingStore, withNotedStore } from "../with-services.ts";
import { type CommonOptions, configFrom, DATA_DIR_OPTION } from "../settings.ts";
import { printJson, printNote, type Terminal } from "../terminal.ts";
import { tokenDetails, tokenSummary, tokenTable } from "../format/token.ts";

interface CreateOptions extends CommonOptions {
  label: string;
  scopes?: string;
  expires?: string;
  burst?: string;
  daily?: string;
  concurrency?: string;
}

const JSON_OPTION = ["--json", "print JSON"] as const;
const PLATFORM_NAMES = PLATFORMS.map(({ name }) => name);

export function registerToken(program: Command, terminal: Terminal): void {
  const token = program
    .command("token")
    .description("create, list, revoke and rotate access tokens")
    .addHelpText("after", `\nExamples:\n  $ ${PROGRAM} token create --label "my notebook"\n  $ ${PROGRAM} token list`);

  token
    .command("create")
    .description("create a token and print it once")
    .requiredOption("--label <text>", "what the token is for")
    .option("--scopes <list>", "comma-separated scopes (default: all read scopes)")
    .option("--expires <days>", "days until it expires, or never (default: 90)")
    .option("--burst <units>", "cost units per 10 seconds, instead of RATE_BURST")
    .option("--daily <units>", "cost units per day, instead of RATE_DAILY")
    .option("--concurrency <requests>", "concurrent requests, instead of RATE_CONCURRENCY")
    .option(...DATA_DIR_OPTION)
    .option(...JSON_OPTION)
    .addHelpText("after", () => `\n${scopesHelp()}${CREATE_EXAMPLES}`)
    .action((options: CreateOptions) => create(terminal, options));

  token
    .command("list")
    .description("list all tokens, without their secrets")
    .option(...DATA_DIR_OPTION)
    .option(...JSON_OPTION)
    .addHelpText("after", `\nExamples:\n  $ ${PROGRAM} token list\n  $ ${PROGRAM} token list --json`)
    .action((options: CommonOptions) => list(terminal, options));

  token
    .command("revoke <key-id>")
    .description("revoke a token; a running service rejects it within a second")
    .option(...DATA_DIR_OPTION)
    .option(...JSON_OPTION)
    .addHelpText("after", `\nExample:\n  $ ${PROGRAM} token revoke 4kQz81LmXa`)
    .action((keyId: string, options: CommonOptions) => revoke(terminal, keyId, options));

  token
    .command("rotate <key-id>")
    .description("replace a token; the old one stays valid for an overlap")
    .option("--overlap <seconds>", "seconds that the old token stays valid (default: 86400)")
    .option(...DATA_DIR_OPTION)
    .option(...JSON_OPTION)
    .addHelpText("after", `\nExample:\n  $ ${PROGRAM} token rotate 4kQz81LmXa --overlap 3600`)
    .action((keyId: string, options: CommonOptions & { overlap?: string }) => rotate(terminal, keyId, options));
}

const CREATE_EXAMPLES = `
Examples:
  $ ${PROGRAM} token create --label "my notebook"
  $ ${PROGRAM} token create --label dashboard --scopes read:longvideo --expires never --daily 5000
  $ TOKEN=$(${PROGRAM} token create --label script)`;

function scopesHelp(): string {
  const lines = scopesFor(PLATFORM_NAMES).map(({ name, sentence }) => `  ${name.padEnd(18)} ${sentence}\n`);
  return `Scopes:\n${lines.join("")}`;
}

async function create(terminal: Terminal, options: CreateOptions): Promise<void> {
  const { label } = options;
  const scopes =
    options.scopes === undefined
      ? { scopes: readScopesFor(PLATFORM_NAMES) }
      : parseScopes(options.scopes, scopesFor(PLATFORM_NAMES));
  if ("reason" in scopes) throw new UsageError(`--scopes: ${scopes.reason}`);
  const limits: TokenLimits = {};
  for (const name of ["burst", "daily", "concurrency"] as const) {
    const value = options[name];
    if (value !== undefined) limits[name] = parseInteger(`--${name}`, value);
  }
  const request = { label, scopes: scopes.scopes, limits, ...parseLifetime(options.expires) };
  const issued = await withNotedStore(terminal, configFrom(terminal, options), async ({ tokens, audit }) => {
    const created = await tokens.create(request).catch((error: unknown) => {
      // Everything it checks comes from the command line.
      throw error instanceof TokenError ? new UsageError(error.message) : error;
    });
    await audit.record(tokenEvent("command", "token.create", created.record));
    return created;
  });
  printIssued(terminal, issued, options);
}

async function list(terminal: Terminal, options: CommonOptions): Promise<void> {
  const records = await withExistingStore(configFrom(terminal, options), ({ tokens }) => tokens.list());
  const now = Date.now();
  if (options.json)
    printJson(
      terminal,
      records.map((record) => tokenSummary(record, now)),
    );
  else if (records.length === 0)
    terminal.out(`No tokens; create one with: ${PROGRAM} token create --label "what it is for"\n`);
  else terminal.out(tokenTable(records, now));
}

async function revoke(terminal: Terminal, keyId: string, options: CommonOptions): Promise<void> {
  const record = await withExistingStore(configFrom(terminal, options), async ({ tokens, audit }) => {
    const revoked = await tokens.revoke(keyId);
    if (revoked !== null) await audit.record(tokenEvent("command", "token.revoke", revoked));
    return revoked;
  });
  if (record === null) throw tokenNotFound(keyId);
  if (options.json) printJson(terminal, tokenSummary(record, Date.now()));
  else terminal.out(`Revoked token ${keyId} (${record.label}).\n`);
}

async function rotate(terminal: Terminal, keyId: string, options: CommonOptions & { overlap?: string }): Promise<void> {
  const overlap = options.overlap === undefined ? {} : { overlapSeconds: parseInteger("--overlap", options.overlap) };
  const issued = await withExistingStore(configFrom(terminal, options), async ({ tokens, audit }) => {
    if (!(await tokens.list()).some((record) => record.keyId === keyId)) throw tokenNotFound(keyId);
    const rotated = await tokens.rotate(keyId, overlap).catch((error: unknown) => {
      throw error instanceof TokenError ? new CommandError(error.message) : error;
    });
    await audit.record(tokenEvent("command", "token.rotate", rotated.record, { replaces: keyId }));
    return rotated;
  });
  printIssued(terminal, issued, options);
}

function tokenNotFound(keyId: string): CommandError {
  return new CommandError(`token ${keyId} not found; "${PROGRAM} token list" lists the key ids`);
}

function printIssued(terminal: Terminal, { token, record }: IssuedToken, options: CommonOptions): void {
  if (options.json) {
    printJson(terminal, { token, ...tokenSummary(record, Date.now()) });
    return;
  }
  terminal.out(`${token}\n`);
  printNote(terminal, `\n${tokenDetails(record)}\nThis token is shown only once; store it like a password.\n`);
}

function parseLifetime(text: string | undefined): { expiresInDays?: number | null } {
  if (text === undefined) return {};
  return { expiresInDays: text === "never" ? null : parseInteger("--expires", text, " or never") };
}

function parseInteger(option: string, text: string, alternative = ""): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new UsageError(`${option} must be a whole number${alternative}, not ${JSON.stringify(text)}`);
}
