/** What every way in needs, HTTP or command line: the store with what guards it and what fills it. */
import { readScopesFor } from "#auth/scopes.ts";
import { assertSharedPepper, loadPepper, type Secrets } from "#auth/secrets.ts";
import { TokenRegistry } from "#auth/tokens.ts";
import type { Operation } from "#api/platform.ts";
import type { Store } from "#store/store.ts";
import type { Config } from "#config";
import { ensureDataDir } from "./data-dir.ts";
import { createImportRunner, type RunImport } from "./import/run-import.ts";
import { type ReadOnlyStore, openStore } from "./open-store.ts";
import { OPERATIONS, PLATFORMS } from "#platforms/registry.ts";

/** What it takes to answer requests. */
export interface ReadOnlyServices {
  store: ReadOnlyStore;
  secrets: Secrets;
  tokens: TokenRegistry;
  operations: readonly Operation[];
  close(): Promise<void>;
}

export interface Services extends ReadOnlyServices {
  store: Store;
  importFiles: RunImport;
}

export async function openServices(config: Config): Promise<Services> {
  ensureDataDir(config.dataDir);
  // Before the store: a folder whose secrets cannot be used should not be given a store either.
  const secrets = loadPepper(config.pepperFile);
  const store = await openStore(config);
  try {
    await assertSharedPepper(store, secrets, config.pepperFile);
  } catch (error) {
    await store.close();
    throw error;
  }
  return { ...servicesOn(store, secrets, config), store, importFiles: createImportRunner(config) };
}

/** On a store that another process has opened before: its pepper is agreed on. */
export function openReadOnlyServices(config: Config, store: ReadOnlyStore): ReadOnlyServices {
  return servicesOn(store, loadPepper(config.pepperFile), config);
}

function servicesOn(store: ReadOnlyStore, secrets: Secrets, config: Config): ReadOnlyServices {
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
