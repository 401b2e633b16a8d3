/** Opens the store that a data folder holds, for the length of one command. */
import { readdirSync } from "node:fs";
import type { Services } from "#serve/services.ts";
import type { Config } from "#config";
import { CommandError } from "./command-errors.ts";

/** Whatever the store is called, its file ends like this. */
const STORE_ENDING = ".sqlite";

/** Commands that only read refuse an empty folder: they should not leave a store behind where none was. */
export async function withExistingStore<Result>(
  config: Config,
  work: (house: Services) => Promise<Result>,
): Promise<Result> {
  if (config.store === null && !storeExists(config.dataDir)) {
    throw new CommandError(
      `there is no store in ${config.dataDir}; make one with "npx triptych serve", or name another folder with --data-dir or DATA_DIR`,
    );
  }
  return withServices(config, work);
}

/** Makes the store if there is none. */
export async function withServices<Result>(
  config: Config,
  work: (house: Services) => Promise<Result>,
): Promise<Result> {
  // Loaded only now: help and refusals need no server, no store and no demo world.
  const { openServices: openHouse } = await import("#serve/services.ts");
  const house = await openHouse(config);
  try {
    return await work(house);
  } finally {
    await house.close();
  }
}

export function storeExists(dataDir: string): boolean {
  try {
    return readdirSync(dataDir).some((name) => name.endsWith(STORE_ENDING));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}
