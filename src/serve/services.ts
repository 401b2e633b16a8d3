/** Services shared by the HTTP server and the CLI: store, secrets, token registry, importer. */
import { LIVE_SCOPE, readScopesFor } from "#auth/scopes.ts";
import { assertSharedPepper, loadPepper, type Secrets } from "#auth/secrets.ts";
import { TokenRegistry } from "#auth/tokens.ts";
import type { Operation } from "#api/platform.ts";
import { AuditLog } from "#privacy/audit-log.ts";
import type { RetentionSettings } from "#privacy/retention.ts";
import type { Store } from "#store/store.ts";
import type { Config } from "#config";
import { ensureDataDir } from "./data-dir.ts";
import { createImportRunner, type RunImport } from "./import/run-import.ts";
import { type ReadOnlyStore, openStore } from "./open-store.ts";
import { retentionSettings } from "./retention-settings.ts";
import { OPERATIONS, PLATFORMS } from "#platforms/registry.ts";

/** What serving requests needs. */
export interface ReadOnlyServices {
  store: ReadOnlyStore;
  secrets: Secrets;
  tokens: TokenRegistry;
  operations: readonly Operation[];
  close(): Promise<void>;
}

export interface Services extends ReadOnlyServices {
  store: Store;
  audit: AuditLog;
  retention: RetentionSettings;
  importFiles: RunImport;
  /** Computes trends now if they are stale. */
  refreshTrends: () => Promise<void>;
}

export async function openServices(config: Config): Promise<Services> {
  ensureDataDir(config.dataDir);
  // Before the store: where the pepper cannot be used, no store is created.
  const secrets = loadPepper(config.pepperFile);
  const store = await openStore(config);
  try {
    await assertSharedPepper(store, secrets, config.pepperFile);
  } catch (error) {
    await store.close();
    throw error;
  }
  return {
    ...createServices(store, secrets, config),
    store,
    audit: new AuditLog(store.audit, secrets.audit),
    retention: retentionSettings(config),
    importFiles: createImportRunner(config),
    refreshTrends: () => store.writer.refreshTrends(),
  };
}

/** For a worker: its primary has checked the pepper. */
export function openReadOnlyServices(config: Config, store: ReadOnlyStore): ReadOnlyServices {
  return createServices(store, loadPepper(config.pepperFile), config);
}

function createServices(store: ReadOnlyStore, secrets: Secrets, config: Config): ReadOnlyServices {
  const names = PLATFORMS.map(({ name }) => name);
  const envToken =
    config.apiToken === null ? null : { token: config.apiToken, scopes: [...readScopesFor(names), LIVE_SCOPE] };
  return {
    store,
    secrets,
    tokens: new TokenRegistry(store.tokens, secrets.tokens, envToken),
    operations: OPERATIONS,
    close: () => store.close(),
  };
}
