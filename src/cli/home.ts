/** The folder of the config file and, unless DATA_DIR says otherwise, of the data directory. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";

export interface Surroundings {
  env: Record<string, string | undefined>;
  cwd: string;
  platform: NodeJS.Platform;
  /** A clone keeps its data beside its code; an installed package must not. */
  isClone: boolean;
}

/** Either of them shows that a directory is ours; other projects have a directory called data too. */
const OWN_FILES = ["triptych.sqlite", "pepper"];

export function findHome({ env, cwd, platform, isClone }: Surroundings): string {
  const named = env["TRIPTYCH_HOME"];
  if (named !== undefined && named !== "") return resolve(cwd, named);
  if (isClone || OWN_FILES.some((name) => existsSync(join(cwd, "data", name)))) return cwd;
  return userFolder(env, platform);
}

/** Where programs of this system keep data of a user. */
function userFolder(env: Surroundings["env"], platform: NodeJS.Platform): string {
  if (platform === "win32") return join(env["LOCALAPPDATA"] || join(homedir(), "AppData", "Local"), "triptych");
  if (platform === "darwin") return join(homedir(), "Library", "Application Support", "triptych");
  const xdg = env["XDG_DATA_HOME"] ?? "";
  // The XDG specification says to ignore a relative path.
  return join(isAbsolute(xdg) ? xdg : join(homedir(), ".local", "share"), "triptych");
}
