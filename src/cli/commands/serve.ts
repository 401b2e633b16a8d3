/** `triptych serve`: runs the service until a signal stops it. */
import { closeSync, mkdirSync, openSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { dirname } from "node:path";
import type { Command } from "commander";
import { type Config, PROGRAM } from "#config";
import { OPERATIONS } from "#platforms/registry.ts";
import type { Service } from "#serve/service.ts";
import { CommandError, describeError } from "../command-errors.ts";
import { configFrom, DATA_DIR_OPTION, type SettingOptions, settingsHelp } from "../settings.ts";
import { firstShutdownSignal } from "../shutdown-signals.ts";
import { notifySystemd } from "../notify-systemd.ts";
import { ProgressLine } from "../progress-line.ts";
import { printJson, printNote, type Terminal } from "../terminal.ts";
import { startupMessage } from "../startup-message.ts";

/** Requests in progress get this long to finish. */
const SHUTDOWN_TIMEOUT_MS = 10_000;

const EXAMPLES = `
Examples:
  $ ${PROGRAM} serve
  $ ${PROGRAM} serve --port 9000 --data-dir ./my-data
  $ ${PROGRAM} serve --no-demo --json
  $ HOST=0.0.0.0 LOG_LEVEL=warn ${PROGRAM} serve
  $ WORKERS=auto ${PROGRAM} serve

`;

interface ServeOptions extends SettingOptions {
  json?: true;
}

export function registerServe(program: Command, terminal: Terminal): void {
  program
    .command("serve")
    .description("start the service; the first start creates demo data and a token")
    .option("--host <address>", "address to listen on; overrides HOST")
    .option("--port <number>", "port to listen on, 0 for any free port; overrides PORT")
    .option(...DATA_DIR_OPTION)
    .option("--no-demo", "do not create demo data; overrides DEMO")
    .option("--json", "print address, token and demoFilled as one line of JSON instead of the startup message")
    .addHelpText("after", () => EXAMPLES + settingsHelp())
    .action((options: ServeOptions) => serve(terminal, configFrom(terminal, options), options));
}

async function serve(terminal: Terminal, config: Config, { json, dataDir }: ServeOptions): Promise<void> {
  const started = Promise.withResolvers<Service>();
  // Before the start, which may take minutes: without a listener, the signal would end it.
  if (config.logFile !== null) process.on("SIGHUP", () => void started.promise.then((service) => service.reopenLog()));
  checkLogFile(config.logFile);
  const { startService } = await import("#serve/start.ts");
  const build = config.console ? await startConsoleBuild() : null;
  // Standard output begins with the startup message: log lines follow it.
  const progress = new ProgressLine(terminal);
  const service = await startService({ ...config, logLevel: "silent" }, (records) =>
    progress.show(() => `Creating demo data: ${records.toLocaleString("en")} records`),
  );
  started.resolve(service);
  progress.clear();
  // Before the startup message: its reader may stop the service right away.
  const stopSignal = firstShutdownSignal(SHUTDOWN_TIMEOUT_MS, config.logFile !== null);
  const { url, bootstrapToken, demoSeeded, hasOtherPepper } = service.startup;
  if (json === true) printJson(terminal, { address: url, token: bootstrapToken, demoFilled: demoSeeded });
  else terminal.out(startupMessage(service.startup, config, OPERATIONS, dataDir));
  // Now, because the process may end by SIGKILL.
  flushCompileCache();
  service.setLogLevel(config.logLevel);
  service.log.info({ address: url }, "listening");
  notifySystemd(config.systemd, service.log);
  if (hasOtherPepper)
    service.log.warn(
      { file: config.pepperFile },
      "the pepper file is not the one of this store: tokens that were made with another are invalid",
    );
  build?.result.then(
    (ms) => ms === null || printNote(terminal, `Built the console in ${(ms / 1000).toFixed(1)} s: ${url}/\n`),
    (error: Error) => terminal.err(`The console could not be built (${error.message}); the API is not affected.\n`),
  );

  await stopSignal;
  service.log.info("stopping");
  build?.stop();
  await service.stop();
}

async function startConsoleBuild() {
  const { buildConsoleIfStale } = await import("#serve/console-build.ts");
  return buildConsoleIfStale();
}

/** The logger opens its file late: errors are reported here, before the start. */
function checkLogFile(file: string | null): void {
  if (file === null) return;
  try {
    mkdirSync(dirname(file), { recursive: true });
    closeSync(openSync(file, "a", 0o600));
  } catch (error) {
    throw new CommandError(`LOG_FILE: ${describeError(error) ?? String(error)}`, { cause: error });
  }
}
