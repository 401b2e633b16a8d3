/** `triptych serve`: starts the service and stays until it is told to stop. */
import { closeSync, mkdirSync, openSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { dirname } from "node:path";
import type { Command } from "commander";
import type { Config } from "#config";
import { OPERATIONS } from "#platforms/registry.ts";
import { CommandError, describeError } from "../command-errors.ts";
import { configFrom, DATA_DIR_OPTION, type SettingOptions, settingsHelp } from "../settings.ts";
import { firstShutdownSignal } from "../shutdown-signals.ts";
import { printJson, type Terminal } from "../terminal.ts";
import { startupMessage } from "../startup-message.ts";

/** Running requests get this long to end. */
const STOP_WITHIN_MS = 10_000;

const EXAMPLES = `
Examples:
  $ npx triptych serve
  $ npx triptych serve --port 9000 --data-dir ./my-data
  $ npx triptych serve --no-demo --json
  $ HOST=0.0.0.0 LOG_LEVEL=warn npx triptych serve
  $ WORKERS=auto npx triptych serve

`;

export function registerServe(program: Command, terminal: Terminal): void {
  program
    .command("serve")
    .description("start the service; the first start fills an invented demo world and makes a token")
    .option("--host <address>", "address to listen on; wins over HOST")
    .option("--port <number>", "port to listen on, 0 for a free one; wins over PORT")
    .option(...DATA_DIR_OPTION)
    .option("--no-demo", "leave an empty store empty; wins over DEMO")
    .option("--json", "print address, token and demoFilled as one line of JSON in place of the welcome")
    .addHelpText("after", () => EXAMPLES + settingsHelp())
    .action((options: SettingOptions & { json?: true }) =>
      serve(terminal, configFrom(terminal, options), options.json === true),
    );
}

async function serve(terminal: Terminal, config: Config, json: boolean): Promise<void> {
  checkLogFile(config.logFile);
  const { startService } = await import("#serve/start.ts");
  // Log lines share standard output with the welcome: they wait until it is said.
  const service = await startService({ ...config, logLevel: "silent" });
  // Whoever reads the welcome may stop the service at once, and calmly.
  const stopSignal = firstShutdownSignal(STOP_WITHIN_MS);
  const { url: address, bootstrapToken: newToken, demoSeeded: demoFilled } = service.startup;
  if (json) printJson(terminal, { address, token: newToken, demoFilled });
  else terminal.out(startupMessage(service.startup, config, OPERATIONS));
  // Kept now and not at the end, which may be a kill.
  flushCompileCache();
  service.setLogLevel(config.logLevel);
  service.log.info({ address }, "listening");

  await stopSignal;
  service.log.info("stopping");
  await service.stop();
}

/** The logger opens its file later and out of reach: what is wrong with it is better said before the start. */
function checkLogFile(file: string | null): void {
  if (file === null) return;
  try {
    mkdirSync(dirname(file), { recursive: true });
    closeSync(openSync(file, "a"));
  } catch (error) {
    throw new CommandError(`LOG_FILE: ${describeError(error) ?? String(error)}`, { cause: error });
  }
}
