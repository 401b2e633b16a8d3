/** Opens the store for the length of one command. */
import type { Services } from "#serve/services.ts";
import { storeExists } from "#serve/data-dir.ts";
import { type Config, PROGRAM } from "#config";
import { CommandError } from "./command-errors.ts";
import { printNote, type Terminal } from "./terminal.ts";

/** For commands that must not create a store. */
export async function withExistingStore<Result>(
  config: Config,
  work: (services: Services) => Promise<Result>,
): Promise<Result> {
  if (isStoreMissing(config)) {
    throw new CommandError(
      `no store in ${config.dataDir}; create one with "${PROGRAM} serve", or set another directory with --data-dir or DATA_DIR`,
    );
  }
  return withServices(config, work);
}

/** Creates the store if there is none, and says so: the settings may name another directory than the service's. */
export async function withNotedStore<Result>(
  terminal: Terminal,
  config: Config,
  work: (services: Services) => Promise<Result>,
): Promise<Result> {
  const printCreated = noteCreation(terminal, config);
  return withServices(config, (services) => {
    printCreated();
    return work(services);
  });
}

/** Called before the store is opened; the returned function, after it, once or more often. */
export function noteCreation(terminal: Terminal, config: Config): () => void {
  let isNew = isStoreMissing(config);
  return () => {
    if (isNew) printNote(terminal, `created a new store in ${config.dataDir}\n`);
    isNew = false;
  };
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

/** Whether opening the store creates its file. Only a connection tells what a database has. */
export function isStoreMissing({ store, dataDir }: Config): boolean {
  return store === null && !storeExists(dataDir);
}
