/** Command-line options that override settings; the same checks apply. */
import { type Config, readConfig, SETTINGS } from "#config";
import { UsageError } from "./command-errors.ts";
import type { Terminal } from "./terminal.ts";

export interface SettingOptions {
  host?: string;
  port?: string;
  dataDir?: string;
  /** False for `--no-demo`. */
  demo?: boolean;
}

export const DATA_DIR_OPTION = [
  "--data-dir <directory>",
  "directory of the store and its secrets; overrides DATA_DIR",
] as const;

export function configFrom(terminal: Terminal, options: SettingOptions = {}): Config {
  return readConfig(environmentWith(terminal, options));
}

export function environmentWith(terminal: Terminal, options: SettingOptions): Terminal["env"] {
  const env = { ...terminal.env };
  const set = (name: string, option: string, value: string | undefined): void => {
    if (value === undefined) return;
    const problem = SETTINGS.find((setting) => setting.name === name)?.check(value) ?? null;
    if (problem !== null) throw new UsageError(`${option} ${problem}, not ${JSON.stringify(value)}`);
    env[name] = value;
  };
  set("HOST", "--host", options.host);
  set("PORT", "--port", options.port);
  set("DATA_DIR", "--data-dir", options.dataDir);
  set("DEMO", "--no-demo", options.demo === false ? "off" : undefined);
  return env;
}

/** For `serve --help`. */
export function settingsHelp(): string {
  const lines = SETTINGS.map(
    ({ name, fallback, description }) =>
      `  ${name.padEnd(18)} ${description} [${fallback === "" ? "not set" : fallback}]`,
  );
  return ["Environment variables [default]:", ...lines].join("\n");
}
