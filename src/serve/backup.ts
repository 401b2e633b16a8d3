/** Backs up, restores and copies the stores that settings or options name. None of it needs the pepper. */
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type OnRows, readBackup, readTables, verifyBackup, writeBackup } from "#export/backup-file.ts";
import { copyTables, type RestoreReport, restoreTables } from "#export/restore.ts";
import type { TableTotals } from "#export/totals.ts";
import { assertSharedPepper, loadPepper } from "#auth/secrets.ts";
import { AuditLog } from "#privacy/audit-log.ts";
import { readExpiries, withoutExpired } from "#privacy/retention.ts";
import type { Store } from "#store/store.ts";
import { StoreOpenError } from "#store/store-open-error.ts";
import { type Config, readConfig } from "#config";
import { openStore } from "./open-store.ts";
import { retentionSettings } from "./retention-settings.ts";

/** The file is read again when it is written. */
export function backUp(config: Config, file: string, onRows: OnRows): Promise<TableTotals> {
  return withStore(openExisting(config), async (store) => {
    const record = await openRecord(config, store);
    const expiries = await readExpiries(store.retention, retentionSettings(config), Date.now());
    await store.tables.snapshot(async (reader) =>
      writeBackup(file, readTables(await withoutExpired(reader, expiries)), new Date(), onRows),
    );
    const totals = await verifyBackup(file, () => undefined);
    await record("backup", totals);
    return totals;
  });
}

/** The file is read to its end before anything is written. */
export async function restore(config: Config, file: string, onRows: OnRows): Promise<RestoreReport> {
  await verifyBackup(file, () => undefined);
  return withStore(openStore(config), async (store) => {
    const record = await openRecord(config, store);
    const report = await withTrends(
      store,
      restoreTables(() => readBackup(file), store.tables, onRows),
    );
    await record("restore", report.tables);
    return report;
  });
}

type RecordAction = (action: "backup" | "restore", totals: TableTotals) => Promise<void>;

/**
 * Called before anything is written, so that a pepper that cannot be used fails the command first. The audit log needs the
 * pepper, which need not be where backups are made; a new one would seal entries wrongly.
 */
async function openRecord(config: Config, store: Store): Promise<RecordAction> {
  if (!existsSync(config.pepperFile)) return async () => undefined;
  const secrets = loadPepper(config.pepperFile);
  await assertSharedPepper(store, secrets, config.pepperFile);
  return async (action, totals) => {
    const rows = Object.values(totals).reduce((sum, total) => sum + total.rows, 0);
    await new AuditLog(store.audit, secrets.audit).record({ actor: "command", action, details: { rows } });
  };
}

export interface CopyRequest {
  from: string;
  to: string;
}

/** Each store is named by a data directory or a PostgreSQL URL. */
export function copyBetween({ from, to }: CopyRequest, onRows: OnRows): Promise<RestoreReport> {
  const target = configFor("--to", to);
  return withStore(named("--from", openExisting(configFor("--from", from))), (source) =>
    withStore(named("--to", openStore(target)), (store) =>
      withTrends(store, copyTables(source.tables, store.tables, onRows)),
    ),
  );
}

async function withStore<Result>(opening: Promise<Store>, work: (store: Store) => Promise<Result>): Promise<Result> {
  const store = await opening;
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function withTrends(store: Store, restored: Promise<RestoreReport>): Promise<RestoreReport> {
  const report = await restored;
  await store.writer.refreshTrends();
  return report;
}

/** Opening would create an empty store. */
async function openExisting(config: Config): Promise<Store> {
  if (config.store === null && !existsSync(join(config.dataDir, "triptych.sqlite"))) {
    throw new StoreOpenError(`no store in ${config.dataDir}`);
  }
  return openStore(config);
}

/** Errors name the option of the store. */
async function named(option: string, opening: Promise<Store>): Promise<Store> {
  try {
    return await opening;
  } catch (error) {
    if (error instanceof StoreOpenError) throw new StoreOpenError(`${option}: ${error.message}`, { cause: error });
    throw error;
  }
}

/** The settings of a service on that store. */
function configFor(option: string, location: string): Config {
  if (/^postgres(?:ql)?:/i.test(location)) {
    // The data directory is not used; one that exists is not created.
    return { ...readConfig({}), dataDir: tmpdir(), store: { url: location, replicaUrls: [], maxLagS: 0 } };
  }
  return { ...readConfig({}), dataDir: parseDirectory(option, location), store: null };
}

function parseDirectory(option: string, location: string): string {
  if (/^file:\/\//i.test(location)) return fileURLToPath(location);
  if (/^file:/i.test(location)) return resolve(location.slice("file:".length));
  if (/^[a-z][a-z0-9+.-]+:/i.test(location)) {
    // The value is not repeated: a mistyped URL may contain a password.
    throw new StoreOpenError(`${option} must be a directory, file:/path or postgres://user@host:5432/database`);
  }
  return resolve(location);
}
