/** Opens the store for the length of one command. */
import { readdirSync } from "node:fs";
import type { Services } from "#serve/services.ts";
import type { Config } from "#config";
import { CommandError } from "./command-errors.ts";

const STORE_EXTENSION = ".sqlite";

/** For commands that must not create a store. */
export async function withExistingStore<Result>(
  config: Config,
  work: (services: Services) => Promise<Result>,
): Promise<Result> {
  if (config.store === null && !storeExists(config.dataDir)) {
    throw new CommandError(
      `no store in ${config.dataDir}; create one with "npx triptych serve", or set another directory with --data-dir or DATA_DIR`,
    );
  }
  return withServices(config, work);
}

/** Creates the store if there is none. */
export async function withServices<Result>(
  config: Config,
  work: (services: Services) => Promise<Result>,
): Promise<Result> {
  // Loaded here: help and usage errors need no store.
  const { openServices } = await import("#serve/services.ts");
  const services = await openServices(config);
  try {
    return await work(services);
  } finally {
    await services.close();
  }
}

export function storeExists(dataDir: string): boolean {
  try {
    return readdirSync(dataDir).some((name) => name.endsWith(STORE_EXTENSION));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw error;
  }
}
