/** What every way in needs, HTTP or command line: the store with what guards it and what fills it. */
import { readScopesFor } from "#auth/scopes.ts";
import { agreeOnPepper, openPepper, type Secrets } from "#auth/secrets.ts";
import { TokenRegistry } from "#auth/tokens.ts";
import type { Operation } from "#api/platform.ts";
import type { Store } from "#store/store.ts";
import type { Config } from "#config";
import { makeDataDir } from "./data-dir.ts";
import { importWith, type RunImport } from "./import/run-import.ts";
import { type AnsweringStore, openStore } from "./open-store.ts";
import { OPERATIONS, PLATFORMS } from "#platforms/registry.ts";

/** What it takes to answer requests. */
export interface AnsweringHouse {
  store: AnsweringStore;
  secrets: Secrets;
  tokens: TokenRegistry;
  operations: readonly Operation[];
  close(): Promise<void>;
}

export interface House extends AnsweringHouse {
  store: Store;
  importFiles: RunImport;
}

export async function openHouse(config: Config): Promise<House> {
  makeDataDir(config.dataDir);
  // Before the store: a folder whose secrets cannot be used should not be given a store either.
  const secrets = openPepper(config.pepperFile);
  const store = await openStore(config);
  try {
    await agreeOnPepper(store, secrets, config.pepperFile);
  } catch (error) {
    await store.close();
    throw error;
  }
  return { ...houseOn(store, secrets, config), store, importFiles: importWith(config) };
}

/** On a store that another process has opened before: its pepper is agreed on. */
export function openAnsweringHouse(config: Config, store: AnsweringStore): AnsweringHouse {
  return houseOn(store, openPepper(config.pepperFile), config);
}

function houseOn(store: AnsweringStore, secrets: Secrets, config: Config): AnsweringHouse {
  const names = PLATFORMS.map(({ name }) => name);
  const fixed = config.apiToken === null ? null : { token: config.apiToken, scopes: readScopesFor(names) };
  return {
    store,
    secrets,
    tokens: new TokenRegistry(store.tokens, secrets.tokens, fixed),
    operations: OPERATIONS,
    close: () => store.close(),
  };
}
