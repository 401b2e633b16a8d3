/** Backs up, restores and copies the stores that settings or options name. Only seals and the audit log need the pepper. */
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isUsable } from "#auth/token-state.ts";
import { isUnsealed } from "#auth/token-seal.ts";
import { BackupError } from "#export/backup-error.ts";
import {
  type BackupSeal,
  type CheckedBackup,
  type OnRows,
  readBackup,
  readTables,
  verifyBackup,
  writeBackup,
} from "#export/backup-file.ts";
import { type RestoreReport, restoreTables } from "#export/restore.ts";
import type { TableTotals } from "#export/totals.ts";
import { assertSharedPepper, loadPepper } from "#auth/secrets.ts";
import { AuditLog } from "#privacy/audit-log.ts";
import { readExpiries, restoreImported, withoutExpired } from "#privacy/retention.ts";
import type { Store } from "#store/store.ts";
import { placeRows, type Rows, type TableBatch, type TableReader } from "#store/copy/port.ts";
import { storeExists } from "./data-dir.ts";
import { StoreOpenError } from "#store/sql/store-open-error.ts";
import { type Config, readConfig } from "#config";
import { openStore } from "./open-store.ts";
import { retentionSettings } from "./retention-settings.ts";

export interface BackupOptions {
  /** Replaces the file. */
  force?: boolean;
  actor: "command" | "service";
}

/** The file is read again before it gets its name. */
export function backUp(
  config: Config,
  file: string,
  { actor, force = false }: BackupOptions,
  onRows: OnRows,
): Promise<CheckedBackup> {
  return withStore(openExisting(config), async (store) => {
    const { key, record } = await openPepperIfAny(config, store, actor);
    const checked = await readUnexpired(config, store, (reader) =>
      writeBackup(file, readTables(reader), { createdAt: new Date(), key, force }, onRows),
    );
    await record("backup", checked.tables);
    return checked;
  });
}

export interface RestoreOptions {
  /** Refuses a file that this installation did not seal. */
  requireSeal?: boolean;
  withoutTokens?: boolean;
  /** Accepts tokens of an earlier version, whose scopes nothing confirms. */
  trustTokens?: boolean;
}

export interface RestoredBackup extends RestoreReport {
  seal: BackupSeal;
  /** Neither expired nor revoked. */
  activeTokens: number;
}

/** The file is read to its end before anything is written. */
export async function restore(
  config: Config,
  file: string,
  options: RestoreOptions,
  onRows: OnRows,
): Promise<RestoredBackup> {
  const key = existsSync(config.pepperFile) ? loadPepper(config.pepperFile).backups : null;
  let unsealed = 0;
  const { seal } = await verifyBackup(file, key, (batch) => {
    if (batch.table !== "tokens") return;
    for (const [table, row] of placeRows(batch)) if (table === "tokens" && isUnsealedRow(row)) unsealed++;
  });
  if (options.requireSeal === true && seal !== "here") {
    throw new BackupError(
      seal === "unchecked"
        ? `the seal of ${file} cannot be checked without the pepper; copy its file to ${config.pepperFile}`
        : `${file} is not sealed by this installation; use a backup that is`,
    );
  }
  const hasTokens = options.withoutTokens !== true;
  if (hasTokens && unsealed > 0 && seal !== "here" && options.trustTokens !== true) {
    throw new BackupError(
      `${file} has ${unsealed} tokens of an earlier version, whose scopes nothing confirms; add --without-tokens, or --trust-tokens if nobody can have changed the file`,
    );
  }
  return withStore(openStore(config), async (store) => {
    const { record } = await openPepperIfAny(config, store);
    const source = () => readBackup(file, key, seal);
    const report = await withTrends(
      store,
      restoreTables(hasTokens ? source : () => withoutTokens(source()), store.tables, onRows),
    );
    await record("restore", report.tables);
    const now = Date.now();
    const activeTokens = (await store.tokens.listTokens()).filter((token) => isUsable(token, now)).length;
    return { ...report, seal, activeTokens };
  });
}

function isUnsealedRow(row: Rows["tokens"]): boolean {
  const [, digest, , , , , revokedAt] = row;
  return isUnsealed({ digest, revokedAt });
}

async function* withoutTokens(batches: AsyncIterable<TableBatch>): AsyncGenerator<TableBatch> {
  for await (const batch of batches) if (batch.table !== "tokens") yield batch;
}

/** The state of one moment, without what is due to be deleted, and with what was imported before a live source changed it. */
async function readUnexpired<Result>(
  config: Config,
  store: Store,
  work: (reader: TableReader) => Promise<Result>,
): Promise<Result> {
  const expiries = await readExpiries(store.retention, retentionSettings(config), Date.now());
  await restoreImported(store.writer, expiries, false);
  return store.tables.snapshot(async (reader) => work(await withoutExpired(reader, expiries)));
}

type RecordAction = (action: "backup" | "restore", totals: TableTotals) => Promise<void>;

/**
 * Called before anything is written, so that a pepper that cannot be used fails the command first. Seals and the audit log
 * need the pepper, which need not be where backups are made; a new one would seal wrongly.
 */
async function openPepperIfAny(
  config: Config,
  store: Store,
  actor: BackupOptions["actor"] = "command",
): Promise<{ key: Buffer | null; record: RecordAction }> {
  if (!existsSync(config.pepperFile)) return { key: null, record: async () => undefined };
  const secrets = loadPepper(config.pepperFile);
  await assertSharedPepper(store, secrets, config.pepperFile);
  return {
    key: secrets.backups,
    async record(action, totals) {
      const rows = Object.values(totals).reduce((sum, total) => sum + total.rows, 0);
      await new AuditLog(store.audit, secrets.audit).record({ actor, action, details: { rows } });
    },
  };
}

type Settings = Partial<Record<"DATA_DIR" | "PEPPER_FILE" | "RETENTION_DAYS", string | undefined>>;

export interface CopyRequest {
  from: string;
  to: string;
  /** Where the pepper of the source and the default of its retention may be set. */
  env: Settings;
}

/** Each store is named by a data directory or a PostgreSQL URL. Written to both logs: a backup of the one, restored into the other. */
export function copyBetween({ from, to, env }: CopyRequest, onRows: OnRows): Promise<RestoreReport> {
  const [config, target] = [configFor("--from", from, env), configFor("--to", to, env)];
  return withStore(named("--from", openExisting(config)), async (source) => {
    const { record } = await openPepperIfAny(config, source);
    const report = await withStore(named("--to", openStore(target)), async (store) => {
      // The pepper of the source, which the copied tokens need, unless the target has one already.
      const { record: recordRestore } = await openPepperIfAny(existsSync(target.pepperFile) ? target : config, store);
      const restored = await readUnexpired(config, source, (reader) =>
        withTrends(
          store,
          restoreTables(() => readTables(reader), store.tables, onRows),
        ),
      );
      await recordRestore("restore", restored.tables);
      return restored;
    });
    await record("backup", report.tables);
    return report;
  });
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
  if (config.store === null && !storeExists(config.dataDir)) {
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
function configFor(option: string, location: string, { DATA_DIR, PEPPER_FILE, RETENTION_DAYS }: Settings): Config {
  if (/^postgres(?:ql)?:/i.test(location)) {
    const store = { url: location, replicaUrls: [], maxLagS: 0 };
    // The data directory is only where the pepper may be; one that exists is not created.
    return { ...readConfig({ DATA_DIR, PEPPER_FILE, RETENTION_DAYS }), dataDir: tmpdir(), store };
  }
  return readConfig({ PEPPER_FILE, RETENTION_DAYS, DATA_DIR: parseDirectory(option, location) });
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
