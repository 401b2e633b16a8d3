/** Opens the store that a data folder holds, for the length of one command. */
import { readdirSync } from "node:fs";
import type { House } from "#serve/services.ts";
import type { Config } from "#config";
import { Failure } from "./failures.ts";

/** Whatever the store is called, its file ends like this. */
const STORE_ENDING = ".sqlite";

/** Commands that only read refuse an empty folder: they should not leave a store behind where none was. */
export async function withHeldHouse<Result>(config: Config, work: (house: House) => Promise<Result>): Promise<Result> {
  if (config.store === null && !holdsStore(config.dataDir)) {
    throw new Failure(
      `there is no store in ${config.dataDir}; make one with "npx triptych serve", or name another folder with --data-dir or DATA_DIR`,
    );
  }
  return withHouse(config, work);
}

/** Makes the store if there is none. */
export async function withHouse<Result>(config: Config, work: (house: House) => Promise<Result>): Promise<Result> {
  // Loaded only now: help and refusals need no server, no store and no demo world.
  const { openHouse } = await import("#serve/services.ts");
  const house = await openHouse(config);
  try {
    return await work(house);
  } finally {
    await house.close();
  }
}

export function holdsStore(dataDir: string): boolean {
  try {
    return readdirSync(dataDir).some((name) => name.endsWith(STORE_ENDING));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}
