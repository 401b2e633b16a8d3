/** Options that stand for settings: they win over the environment and are checked by the same rules. */
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
  "--data-dir <folder>",
  "folder of the store and its secrets; wins over DATA_DIR",
] as const;

export function configFrom(terminal: Terminal, options: SettingOptions = {}): Config {
  return readConfig(environmentWith(terminal, options));
}

export function environmentWith(terminal: Terminal, options: SettingOptions): Terminal["env"] {
  const env = { ...terminal.env };
  const set = (name: string, option: string, value: string | undefined): void => {
    if (value === undefined) return;
    const wrong = SETTINGS.find((setting) => setting.name === name)?.check(value) ?? null;
    if (wrong !== null) throw new UsageError(`${option} ${wrong}, not ${JSON.stringify(value)}`);
    env[name] = value;
  };
  set("HOST", "--host", options.host);
  set("PORT", "--port", options.port);
  set("DATA_DIR", "--data-dir", options.dataDir);
  set("DEMO", "--no-demo", options.demo === false ? "off" : undefined);
  return env;
}

/** For the help of `serve`: every setting with its default and its sentence. */
export function settingsHelp(): string {
  const lines = SETTINGS.map(({ name, fallback, sentence }) => {
    const standing = fallback === "" ? "not set" : fallback;
    return `  ${name.padEnd(16)} ${sentence} [${standing}]`;
  });
  return ["Settings, read from the environment [default]:", ...lines].join("\n");
}
