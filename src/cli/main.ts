/** Entry of the command line: ties the commands to this process and ends it with their exit code. */
import { runCommandLine } from "./program.ts";
import { report } from "./command-errors.ts";
import { EXIT, type Terminal } from "./terminal.ts";

const terminal: Terminal = {
  env: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  width: process.stderr.isTTY ? process.stderr.columns : null,
  exitCode: EXIT.ok,
};

// A reader that has seen enough (`triptych get … | head`) is no failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  process.exit(error.code === "EPIPE" ? EXIT.ok : EXIT.failed);
});
process.on("uncaughtException", (error) => process.exit(report(error, terminal)));

// Ended by hand: what a failed start has left open must not keep the process alive.
process.exit(await runCommandLine(process.argv.slice(2), terminal));
