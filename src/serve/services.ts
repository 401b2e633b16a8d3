/** Services shared by the HTTP server and the CLI: store, secrets, token registry, importer. */
import { existsSync } from "node:fs";
import { LIVE_SCOPE, readScopesFor } from "#auth/scopes.ts";
import { loadOrCreatePepper, loadPepper, openPepper, type Secrets } from "#auth/secrets.ts";
import { TokenRegistry } from "#auth/tokens.ts";
import type { Operation } from "#api/platform.ts";
import { type Audit, AuditLog } from "#privacy/audit-log.ts";
import type { RetentionSettings } from "#privacy/retention.ts";
import type { Store } from "#store/store.ts";
import type { Config } from "#config";
import { ensureDataDir, storeExists, tightenDataDir } from "./data-dir.ts";
import { EventHub } from "#store/write/event-hub.ts";
import { type ReadOnlyStore, openStore } from "./open-store.ts";
import { retentionSettings } from "./retention-settings.ts";
import type { End } from "./rpc/supervisor.ts";
import { type RunImport, StoreThread, writeInThread } from "./store-thread.ts";
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
  /** As `audit.record`, without making a request wait for the lock of a file. */
  recordAudit: Audit["record"];
  retention: RetentionSettings;
  importFiles: RunImport;
  /** Computes the rankings of today now if they are stale, or those as of an earlier day. */
  refreshTrends: (asOf?: number) => Promise<void>;
}

/** The services of a command, which may wait for its writes. */
export async function openServices(config: Config): Promise<Services> {
  ensureDataDir(config.dataDir);
  tightenDataDir(config.dataDir);
  // Before the store: where the pepper cannot be used, no store is created.
  const isNew = config.store === null && !storeExists(config.dataDir);
  if (isNew || existsSync(config.pepperFile)) loadOrCreatePepper(config.pepperFile);
  const store = await openStore(config);
  let secrets: Secrets;
  try {
    secrets = await openPepper(store, config.pepperFile);
    const audit = new AuditLog(store.audit, secrets.audit);
    await new TokenRegistry(store.tokens, secrets.tokens).sealEarlier(() => audit.isSealedHere());
  } catch (error) {
    await store.close();
    throw error;
  }
  const thread = new StoreThread(config);
  const audit = new AuditLog(store.audit, secrets.audit);
  return {
    ...createServices(store, secrets, config),
    store,
    audit,
    recordAudit: (event) => audit.record(event),
    retention: retentionSettings(config),
    importFiles: thread.importFiles,
    refreshTrends: (asOf) => store.writer.refreshTrends(asOf),
    async close() {
      await thread.close();
      await store.close();
    },
  };
}

/** The same for a process that serves requests: its event loop never waits for a write. PostgreSQL never makes it wait. */
export function withoutBlockingWrites(services: Services, config: Config, onEnd: (end: End) => void): Services {
  if (config.store !== null) return services;
  const events = new EventHub();
  const thread = new StoreThread(config, { onEvent: (event) => events.emit(event), onEnd });
  const store = writeInThread(services.store, thread, events);
  return {
    ...services,
    ...createServices(store, services.secrets, config),
    store,
    recordAudit: (event) => thread.recordAudit(event),
    importFiles: thread.importFiles,
    refreshTrends: (asOf) => store.writer.refreshTrends(asOf),
    async close() {
      await thread.close();
      await services.close();
    },
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
