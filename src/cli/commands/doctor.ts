/** `triptych doctor`: checks everything a start depends on and says how to fix what fails. Changes nothing. */
import type { Command } from "commander";
import { type Config, ConfigError, readConfig, SETTINGS, PROGRAM } from "#config";
import { formatTable } from "../format/table.ts";
import { checkData } from "../doctor/data-checks.ts";
import { type CheckResult, checkResult } from "../doctor/check-result.ts";
import { checkTools } from "../doctor/tool-checks.ts";
import { checkPort } from "../doctor/port-check.ts";
import { checkSources } from "../doctor/source-check.ts";
import { type CommonOptions, DATA_DIR_OPTION, type ResolvedSettings, resolveSettings } from "../settings.ts";
import { EXIT, printJson, type Terminal } from "../terminal.ts";

const MIN_NODE = 24;

const COLORS = { ok: "green", warn: "yellow", fail: "red" } as const;

const EXAMPLES = `
Examples:
  $ ${PROGRAM} doctor
  $ ${PROGRAM} doctor --verbose              also the settings that you have not set
  $ ${PROGRAM} doctor --json
  $ DATA_DIR=/srv/triptych ${PROGRAM} doctor

Exits with 1 if a check fails.`;

export function registerDoctor(program: Command, terminal: Terminal): void {
  program
    .command("doctor")
    .description("check Node, settings, data directory, disk, store, tokens, port and capture programs")
    .option(...DATA_DIR_OPTION)
    .option("--json", "print JSON")
    .addHelpText("after", EXAMPLES)
    .action((options: CommonOptions) => doctor(terminal, options));
}

async function doctor(terminal: Terminal, options: CommonOptions): Promise<void> {
  const { resolved, file } = checkConfigFile(terminal, options);
  const settings = checkSettings(resolved);
  const config = usableConfig(resolved.env, settings);
  const atDefault = settings.filter(({ check }) => !resolved.sources.has(check));
  const results = [
    checkNode(process.versions.node),
    file,
    ...settings,
    checkSources(config),
    ...(await checkData(config)),
    await checkPort(config.host, config.port),
    ...(await checkTools(terminal.env)),
  ];
  const hasFailed = results.some(({ state }) => state === "fail");
  if (options.json) printJson(terminal, { ok: !hasFailed, findings: results });
  else {
    const others = checkResult("other settings", "ok", `${atDefault.length} at their defaults; --verbose lists them`);
    const brief = results.map((result) => (result === atDefault.at(-1) ? others : result));
    const shown = {
      quiet: results.filter(({ state }) => state !== "ok"),
      normal: brief.filter((result) => !atDefault.includes(result)),
      verbose: results,
    }[terminal.verbosity];
    terminal.out(
      formatTable(shown.map(({ state, check, detail }) => [terminal.style(COLORS[state], state), check, detail])),
    );
  }
  if (hasFailed) terminal.exitCode = EXIT.failed;
}

function checkNode(version: string): CheckResult {
  return Number.parseInt(version, 10) >= MIN_NODE
    ? checkResult("Node", "ok", version)
    : checkResult(
        "Node",
        "fail",
        `${version}; Node ${MIN_NODE} or newer is required ("npm install" provides it on Linux)`,
      );
}

/** Without a usable file, the remaining checks are of the environment and the defaults. */
function checkConfigFile(
  terminal: Terminal,
  options: CommonOptions,
): { resolved: ResolvedSettings; file: CheckResult } {
  try {
    const resolved = resolveSettings(terminal, options);
    return { resolved, file: checkResult("config file", "ok", resolved.file?.path ?? "none") };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const sources = SETTINGS.filter(({ name }) => terminal.env[name]).map(({ name }) => [name, "environment"] as const);
    return {
      resolved: { env: terminal.env, sources: new Map(sources), file: null },
      file: checkResult("config file", "fail", error.message),
    };
  }
}

function checkSettings({ env, sources }: ResolvedSettings): CheckResult[] {
  return SETTINGS.map((setting) => {
    const { name, fallback, secret = false } = setting;
    const source = sources.get(name);
    const value = env[name] || fallback;
    if (source === undefined) return checkResult(name, "ok", `${value === "" ? "not set" : value} (default)`);
    const problem = setting.check(value);
    return problem === null
      ? checkResult(name, "ok", `${secret ? "set" : value} (${source})`)
      : checkResult(name, "fail", `${problem}${secret ? "" : `, not ${JSON.stringify(value)}`}`);
  });
}

/** Invalid settings are reported already; the remaining checks use their defaults. */
function usableConfig(env: Terminal["env"], settings: readonly CheckResult[]): Config {
  const invalid = settings.filter(({ state }) => state === "fail").map(({ check }) => [check, undefined] as const);
  return readConfig({ ...env, ...Object.fromEntries(invalid) });
}
