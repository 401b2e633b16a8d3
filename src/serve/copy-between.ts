/** Copies between two stores, each named by a data directory or a PostgreSQL URL. */
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { copyStore, type CopyReport, type CopyStage } from "#store/copy/copy-store.ts";
import type { Store } from "#store/store.ts";
import { StoreOpenError } from "#store/store-open-error.ts";
import { type Config, readConfig } from "#config";
import { openStore } from "./open-store.ts";

export interface CopyRequest {
  from: string;
  to: string;
}

export async function copyBetween(request: CopyRequest, progress: (stage: CopyStage) => void): Promise<CopyReport> {
  const from = configFor("--from", request.from);
  // Opening would create an empty store.
  if (from.store === null && !existsSync(join(from.dataDir, "triptych.sqlite"))) {
    throw new StoreOpenError(`--from: no store in ${from.dataDir}`);
  }
  const to = configFor("--to", request.to);
  const source = await openNamed("--from", from);
  try {
    const target = await openNamed("--to", to);
    try {
      const report = await copyStore(source.tableCopy, target.tableCopy, progress);
      await target.writer.refreshTrends();
      return report;
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** Errors name the option of the store. */
async function openNamed(option: string, config: Config): Promise<Store> {
  try {
    return await openStore(config);
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
