/** `triptych.config.json`: settings under their names in the environment, which overrides them. */
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { errorCode } from "#domain/error-code.ts";
import { ConfigError, SETTINGS } from "#config";
import { oneLine } from "./command-errors.ts";
import { suggest } from "#domain/suggest.ts";

export const CONFIG_FILE = "triptych.config.json";

export interface ConfigFile {
  path: string;
  values: Map<string, string>;
}

/** Reads the first of the folders that has one; null if none has. */
export function readConfigFile(folders: readonly string[]): ConfigFile | null {
  for (const folder of folders) {
    const path = join(folder, CONFIG_FILE);
    const text = readIfExists(path);
    if (text !== null) return { path, values: parseConfigFile(path, text) };
  }
  return null;
}

function readIfExists(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const code = errorCode(error);
    if (code === "ENOENT") return null;
    throw new ConfigError(`cannot read ${path} (${code})`, { cause: error });
  }
}

export function parseConfigFile(path: string, text: string): Map<string, string> {
  const settings = parseJson(path, text);
  return new Map(
    Object.entries(settings).map(([name, value]) => {
      const setting = SETTINGS.find((candidate) => candidate.name === name);
      if (setting === undefined) throw new ConfigError(`${path}: unknown setting ${name}; ${nearest(name)}`);
      if (name.startsWith("TRIPTYCH_"))
        throw new ConfigError(`${path}: ${name} is read before this file; set it in the environment`);
      const plain = toText(value);
      if (plain === null)
        throw new ConfigError(`${path}: ${name} must be a string, number, boolean or list of strings`);
      return [name, setting.isPath === true && plain !== "" ? resolve(dirname(path), plain) : plain];
    }),
  );
}

function parseJson(path: string, text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ConfigError(`${path} is not valid JSON: ${oneLine((cause as Error).message)}`, { cause });
  }
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new ConfigError(`${path} must have an object of settings, such as { "PORT": 9000 }`);
}

function nearest(name: string): string {
  const names = SETTINGS.map((setting) => setting.name);
  const [near] = suggest(name, names, 1);
  return near === undefined ? "docs/configuration.md lists all settings" : `did you mean ${near}?`;
}

/** As the environment would have it; null for a value that no setting has. */
function toText(value: unknown): string | null {
  if (typeof value === "string") return value;
  if (typeof value === "number") return String(value);
  if (typeof value === "boolean") return value ? "on" : "off";
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value.join(",");
  return null;
}
