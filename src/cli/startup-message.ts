/** What `serve` says once it listens. */
import type { StartupInfo } from "#serve/service.ts";
import type { Config } from "#config";
import type { Operation } from "#api/platform.ts";
import { bearerHeader, bearerVariable, curlLine, showcase } from "./format/curl.ts";

export function startupMessage(welcome: StartupInfo, config: Config, operations: readonly Operation[]): string {
  const { url: address, bootstrapToken: newToken, demoSeeded: demoFilled } = welcome;
  const firstStart = newToken !== null || demoFilled;
  const crew = config.workers === 1 ? "" : ` with ${config.workers} workers`;
  const paragraphs = [`Triptych listens on ${address}${crew}`, tokenParagraph(newToken, config)];
  if (firstStart) paragraphs.push(demoParagraph(demoFilled), tryParagraph(welcome, config, operations));
  paragraphs.push(`Reference: ${address}/docs    Guide: README.md    Stop: Ctrl-C`);
  return `\n${paragraphs.join("\n\n")}\n\n`;
}

function tokenParagraph(newToken: string | null, config: Config): string {
  if (newToken !== null) return `Your token, shown this once; keep it like a password:\n\n  ${newToken}`;
  if (config.apiToken !== null) return "Requests carry the token that API_TOKEN holds.";
  return 'Requests carry one of your tokens; make another with: npx triptych token create --label "what it is for"';
}

function demoParagraph(demoFilled: boolean): string {
  return demoFilled
    ? "The store was empty, so it now holds a small invented world to try things on (npx triptych demo remove takes it out)."
    : "No demo world was put into this store, so these answer 404 unless it holds what they ask for.";
}

function tryParagraph(
  { url: address, bootstrapToken: newToken }: StartupInfo,
  config: Config,
  operations: readonly Operation[],
): string {
  const known = newToken === null ? null : bearerHeader(newToken);
  const authorization = known ?? bearerVariable(config.apiToken === null ? "TOKEN" : "API_TOKEN");
  const lines = showcase(operations).map((operation) => `  ${curlLine(operation, address, authorization)}`);
  return ["Try it:", "", ...lines].join("\n");
}
