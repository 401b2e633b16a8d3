/** What `serve` prints once it listens. */
import type { Operation } from "#api/platform.ts";
import { type Config, PROGRAM } from "#config";
import type { StartupInfo } from "#serve/service.ts";
import { bearerHeader, bearerVariable, curlLine, pickExamples, shellQuote } from "./format/curl.ts";

/** `dataDir` is the option as it was typed: the commands that the message names need it too. */
export function startupMessage(
  startup: StartupInfo,
  config: Config,
  operations: readonly Operation[],
  dataDir?: string,
): string {
  const ofStore = dataDir === undefined ? "" : ` --data-dir ${shellQuote(dataDir)}`;
  const { url, bootstrapToken, demoSeeded } = startup;
  const workers = config.workers === 1 ? "" : ` with ${config.workers} workers`;
  const paragraphs = [`Triptych is listening on ${url}${workers}`, tokenParagraph(bootstrapToken, config, ofStore)];
  const isFirstStart = bootstrapToken !== null || demoSeeded;
  if (isFirstStart) paragraphs.push(demoParagraph(startup, ofStore), examplesParagraph(startup, config, operations));
  const console = config.console ? `Console: ${url}/    ` : "";
  paragraphs.push(`${console}API reference: ${url}/docs    Guide: README.md    Stop: Ctrl-C`);
  return `\n${paragraphs.join("\n\n")}\n\n`;
}

function tokenParagraph(bootstrapToken: string | null, config: Config, ofStore: string): string {
  if (bootstrapToken !== null) {
    return `Your access token, for the API and the console (shown only once; store it like a password):\n\n  ${bootstrapToken}`;
  }
  if (config.apiToken !== null) return "Authenticate with the token in API_TOKEN.";
  return `Authenticate with one of your tokens, or create one: ${PROGRAM} token create --label "what it is for"${ofStore}`;
}

function demoParagraph({ demoSeeded, samplePosts }: StartupInfo, ofStore: string): string {
  if (demoSeeded)
    return `The store was empty and now contains demo data (remove it with: ${PROGRAM} demo remove${ofStore}).`;
  if (samplePosts.length > 0) return "The store has data that was imported before; no demo data was added.";
  return `There is no demo data in the store, so these requests return 404. Add it to an empty store with: ${PROGRAM} demo add${ofStore}`;
}

function examplesParagraph(startup: StartupInfo, config: Config, operations: readonly Operation[]): string {
  const { url, bootstrapToken, samplePosts } = startup;
  const variable = config.apiToken === null ? "TOKEN" : "API_TOKEN";
  const authorization = bootstrapToken === null ? bearerVariable(variable) : bearerHeader(bootstrapToken);
  const ofPosts = operations.find(({ name }) => name === "post");
  const lines =
    samplePosts.length > 0 && ofPosts !== undefined
      ? samplePosts.map(({ platform, id }) => curlLine(ofPosts, url, authorization, { platform, id }))
      : pickExamples(operations).map((operation) => curlLine(operation, url, authorization));
  return ["Try it:", "", ...lines.map((line) => `  ${line}`)].join("\n");
}
