/** Entry point of the command line: runs a command in this process and exits with its code. */
import type { Writable } from "node:stream";
import { styleText } from "node:util";
import { reportError } from "./command-errors.ts";
import { runCommandLine } from "./program.ts";
import { EXIT, type Terminal } from "./terminal.ts";

const terminal: Terminal = {
  env: process.env,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  width: process.stderr.isTTY ? process.stderr.columns : null,
  columns: process.stdout.isTTY ? process.stdout.columns : null,
  // It knows NO_COLOR, FORCE_COLOR and whether the stream is a terminal.
  style: (style, text) => styleText(style, text, { stream: process.stdout }),
  verbosity: "normal",
  exitCode: EXIT.ok,
};

// A reader that closes the pipe early (`triptych get … | head`) is not a failure.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (terminal.checksOutput === true) return;
  process.exit(error.code === "EPIPE" ? EXIT.ok : reportError(error, terminal));
});
process.on("uncaughtException", (error) => process.exit(reportError(error, terminal)));

const exitCode = await runCommandLine(process.argv.slice(2), terminal);
// A slow reader of a pipe has not taken everything yet.
await Promise.all([process.stdout, process.stderr].map(flush));
// A failed start may have left handles open that would keep the process alive.
process.exit(exitCode);

function flush(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    stream.write("", () => resolve());
  });
}
