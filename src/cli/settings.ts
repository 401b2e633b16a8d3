/** The settings of a command: its options, then the environment, then the config file, then the defaults. */
import { join } from "node:path";
import { type Config, readConfig, SETTINGS } from "#config";
import { UsageError } from "./command-errors.ts";
import { CONFIG_FILE, type ConfigFile, readConfigFile } from "./config-file.ts";
import { findHome } from "./home.ts";
import type { Terminal } from "./terminal.ts";

export interface SettingOptions {
  host?: string;
  port?: string;
  dataDir?: string;
  /** False for `--no-demo`. */
  demo?: boolean;
}

/** What commands on a store have in common. */
export interface CommonOptions {
  json?: true;
  dataDir?: string;
}

export interface ResolvedSettings {
  env: Terminal["env"];
  /** Where each setting that is not a default comes from. */
  sources: ReadonlyMap<string, string>;
  file: ConfigFile | null;
}

export const DATA_DIR_OPTION = [
  "--data-dir <directory>",
  "directory of the store and its secrets; overrides DATA_DIR",
] as const;

export function configFrom(terminal: Terminal, options: SettingOptions = {}): Config {
  const config = readConfig(resolveSettings(terminal, options).env);
  terminal.adjust?.(config);
  return config;
}

export function resolveSettings(terminal: Terminal, options: SettingOptions): ResolvedSettings {
  const cwd = process.cwd();
  const home = findHome({
    env: terminal.env,
    cwd,
    platform: process.platform,
    isClone: import.meta.filename.endsWith(".ts"),
  });
  const env = { ...terminal.env };
  const sources = new Map<string, string>();
  for (const { name } of SETTINGS) if (isSet(env[name])) sources.set(name, "environment");
  const file = readConfigFile([cwd, home]);
  for (const [name, value] of file?.values ?? []) {
    if (isSet(env[name]) || value === "") continue;
    env[name] = value;
    sources.set(name, CONFIG_FILE);
  }
  const override = (name: string, option: string, value: string | undefined): void => {
    if (value === undefined) return;
    const problem = SETTINGS.find((setting) => setting.name === name)?.check(value) ?? null;
    if (problem !== null) throw new UsageError(`${option} ${problem}, not ${JSON.stringify(value)}`);
    env[name] = value;
    sources.set(name, option);
  };
  override("HOST", "--host", options.host);
  override("PORT", "--port", options.port);
  override("DATA_DIR", "--data-dir", options.dataDir);
  override("DEMO", "--no-demo", options.demo === false ? "off" : undefined);
  if (!sources.has("DATA_DIR")) env["DATA_DIR"] = join(home, "data");
  return { env, sources, file };
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "";
}

/** For `serve --help`. */
export function settingsHelp(): string {
  const lines = SETTINGS.map(
    ({ name, fallback, description }) =>
      `  ${name.padEnd(18)} ${description} [${fallback === "" ? "not set" : fallback}]`,
  );
  return [`Settings, in the environment or in ${CONFIG_FILE} [default]:`, ...lines].join("\n");
}
