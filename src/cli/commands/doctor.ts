/** `triptych doctor`: looks at all that a start depends on and says what to do where it is not well. Changes nothing. */
import type { Command } from "commander";
import { type Config, readConfig, SETTINGS } from "#config";
import { formatTable } from "../format/table.ts";
import { checkData } from "../doctor/data-checks.ts";
import { type CheckResult, checkResult } from "../doctor/check-result.ts";
import { checkPort } from "../doctor/port-check.ts";
import { DATA_DIR_OPTION, environmentWith } from "../settings.ts";
import { EXIT, printJson, type Terminal } from "../terminal.ts";

const NEEDED_NODE = 24;

const EXAMPLES = `
Examples:
  $ npx triptych doctor
  $ npx triptych doctor --json
  $ DATA_DIR=/srv/triptych npx triptych doctor

Exit code 1 if any line says fail.`;

interface DoctorOptions {
  dataDir?: string;
  json?: true;
}

export function registerDoctor(program: Command, terminal: Terminal): void {
  program
    .command("doctor")
    .description("check Node, settings, data folder, disk, store, tokens and port")
    .option(...DATA_DIR_OPTION)
    .option("--json", "print JSON")
    .addHelpText("after", EXAMPLES)
    .action((options: DoctorOptions) => doctor(terminal, options));
}

async function doctor(terminal: Terminal, options: DoctorOptions): Promise<void> {
  const env = environmentWith(terminal, options);
  const settings = checkSettings(env);
  const config = usableConfig(env, settings);
  const findings = [
    checkNode(process.versions.node),
    ...settings,
    ...(await checkData(config)),
    await checkPort(config.host, config.port),
  ];
  const failed = findings.some(({ state }) => state === "fail");
  if (options.json) printJson(terminal, { ok: !failed, findings });
  else terminal.out(formatTable(findings.map(({ state, check, detail }) => [state, check, detail])));
  if (failed) terminal.exitCode = EXIT.failed;
}

function checkNode(version: string): CheckResult {
  return Number.parseInt(version, 10) >= NEEDED_NODE
    ? checkResult("Node", "ok", version)
    : checkResult("Node", "fail", `${version}; ${NEEDED_NODE} or newer is needed, which "npm install" brings on Linux`);
}

function checkSettings(env: Terminal["env"]): CheckResult[] {
  return SETTINGS.map((setting) => {
    const { name, fallback, secret = false } = setting;
    const given = env[name];
    if (given === undefined || given === "")
      return checkResult(name, "ok", `${fallback === "" ? "not set" : fallback} (default)`);
    const shown = secret ? "set" : given;
    const wrong = setting.check(given);
    return wrong === null
      ? checkResult(name, "ok", shown)
      : checkResult(name, "fail", `${wrong}${secret ? "" : `, not ${JSON.stringify(given)}`}`);
  });
}

/** What is wrong is reported already: the checks that follow go by the default in its place. */
function usableConfig(env: Terminal["env"], settings: readonly CheckResult[]): Config {
  const wrong = settings.filter(({ state }) => state === "fail").map(({ check }) => [check, undefined] as const);
  return readConfig({ ...env, ...Object.fromEntries(wrong) });
}
