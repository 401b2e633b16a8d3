/** `triptych capture <url> --with <tool>`: runs a capture program that the operator has installed, and imports what it wrote. */
import { PROGRAM } from "#config";
import { type Command, InvalidArgumentError, Option } from "commander";
import { exitCodeFor } from "#import/import-files.ts";
import { countRecords, type ImportReport } from "#import/report.ts";
import { PLATFORMS } from "#platforms/registry.ts";
import { runTool, type ToolOutcome } from "../capture/run-tool.ts";
import { CAPTURE_TOOLS, type CaptureTarget, type CaptureTool, parseCaptureTarget } from "../capture/tools.ts";
import { CommandError, UsageError } from "../command-errors.ts";
import { formatProblems, formatTotal } from "../format/import-report.ts";
import { type CommonOptions, configFrom, DATA_DIR_OPTION } from "../settings.ts";
import { withTemporaryFolder } from "../temporary-folder.ts";
import { EXIT, printJson, type Terminal } from "../terminal.ts";
import { noteCreation } from "../with-services.ts";

interface CaptureOptions extends CommonOptions {
  with: string;
  max: number;
  comments?: true;
  timeout: number;
  maxMb: number;
}

const NAMES = CAPTURE_TOOLS.map(({ name }) => name);

const NOTES = `
Examples:
  $ ${PROGRAM} capture "https://www.youtube.com/watch?v=dQw4w9WgXcQ" --with yt-dlp --comments
  $ ${PROGRAM} capture "https://www.youtube.com/@marketlane" --with yt-dlp --max 20
  $ ${PROGRAM} capture "https://www.instagram.com/luna.marchetti/" --with instaloader
  $ ${PROGRAM} capture "https://www.tiktok.com/@luna" --with gallery-dl

The program must be installed and on PATH; "triptych doctor" says which are. It runs without a shell, with arguments that
are fixed here and none from its own configuration, in a temporary folder that is deleted afterwards. It is you who fetches
from the platform: its terms apply to you. See docs/capture.md.

Exit codes: 0 all was captured and imported, 1 something failed or was refused, 2 usage error or nothing imported.`;

export function registerCapture(program: Command, terminal: Terminal): void {
  program
    .command("capture <url>")
    .description("run a capture program that you have installed, and import what it wrote")
    .addOption(new Option("--with <tool>", "the program").choices(NAMES).makeOptionMandatory())
    .option("--max <posts>", "at most this many posts of an account or a hashtag", integerUpTo(10_000), 50)
    .option("--comments", "also capture comments, where the program can")
    .option("--timeout <seconds>", "stop the program after this time", integerUpTo(86_400), 600)
    .option("--max-mb <megabytes>", "stop the program when it has written this much", integerUpTo(100_000), 500)
    .option("--json", "print the report as JSON")
    .option(...DATA_DIR_OPTION)
    .addHelpText("after", NOTES)
    .action((url: string, options: CaptureOptions) => capture(terminal, url, options));
}

function integerUpTo(maximum: number) {
  return (text: string): number => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : 0;
    if (value < 1 || value > maximum) throw new InvalidArgumentError(`It must be a whole number from 1 to ${maximum}.`);
    return value;
  };
}

async function capture(terminal: Terminal, text: string, options: CaptureOptions): Promise<void> {
  const { tool, target, args } = planCapture(text, options);
  const config = configFrom(terminal, options);
  await withTemporaryFolder("capture", async (folder, signal) => {
    const outcome = await runTool({
      program: tool.name,
      args,
      folder,
      env: terminal.env,
      timeoutMs: options.timeout * 1_000,
      maxBytes: options.maxMb * 1024 * 1024,
      maxPosts: options.max,
      isPost: tool.isPost,
      signal,
    });
    checkOutcome(tool, outcome, options);
    const { StoreThread } = await import("#serve/store-thread.ts");
    const thread = new StoreThread(config);
    const printCreated = noteCreation(terminal, config);
    const label = `${tool.name} ${target.url}`;
    const report = await thread
      .importFiles({ paths: [folder], origin: "command", label })
      .finally(() => thread.close());
    printCreated();
    printReport(terminal, tool, outcome, report, options);
  });
}

interface CapturePlan {
  tool: CaptureTool;
  target: CaptureTarget;
  args: string[];
}

function planCapture(text: string, { with: name, max, comments }: CaptureOptions): CapturePlan {
  const target = parseCaptureTarget(text, PLATFORMS);
  if (target === null) {
    throw new UsageError(
      `${JSON.stringify(text)} is not the URL of a post, an account or a hashtag on YouTube, TikTok or Instagram`,
    );
  }
  const tool = CAPTURE_TOOLS.find((candidate) => candidate.name === name);
  const able = CAPTURE_TOOLS.filter(({ platforms }) => platforms.includes(target.platform));
  if (tool === undefined || !able.includes(tool)) {
    throw new UsageError(
      `${name} is not used for this platform; use --with ${able.map((one) => one.name).join(" or ")}`,
    );
  }
  const args = tool.argumentsFor(target, { maxPosts: max, comments: comments === true });
  if (args === null)
    throw new UsageError(`${name} cannot capture ${text}; give the URL of a post, an account or a hashtag`);
  return { tool, target, args };
}

/** What a failed or stopped program has written is imported all the same, unless it is too much. */
function checkOutcome({ name }: CaptureTool, { state }: ToolOutcome, { maxMb }: CaptureOptions): void {
  if (state === "not found") {
    throw new CommandError(`${name} is not installed, or not on PATH; docs/capture.md says where to get it`);
  }
  if (state === "too large") {
    throw new CommandError(
      `${name} wrote more than ${maxMb} MB and was stopped; nothing was imported (see --max, --max-mb)`,
    );
  }
}

function printReport(
  terminal: Terminal,
  { name }: CaptureTool,
  outcome: ToolOutcome,
  report: ImportReport,
  { json, timeout }: CaptureOptions,
): void {
  if (json === true) printJson(terminal, { tool: name, outcome, ...report });
  else if (terminal.verbosity === "quiet") terminal.err(formatProblems(report));
  else terminal.out(formatTotal(report, false));
  if (outcome.state === "timed out") {
    terminal.err(`${name} was stopped after ${timeout} s; what it had written was imported (see --timeout)\n`);
  }
  if (outcome.state === "failed") terminal.err(`${name} failed: ${outcome.message}\n`);
  const ended = outcome.state === "done" ? EXIT.ok : EXIT.failed;
  const imported = countRecords(report.total) === 0 ? EXIT.usage : exitCodeFor(report);
  terminal.exitCode = Math.max(terminal.exitCode, ended, imported);
}
