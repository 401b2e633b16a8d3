/** Copies between stores that are named by address: a folder that holds a file, or a PostgreSQL database. */
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
  const from = configOf("--from", request.from);
  // Opening would make an empty store where there is none.
  if (from.store === null && !existsSync(join(from.dataDir, "triptych.sqlite"))) {
    throw new StoreOpenError(`--from: there is no store in ${from.dataDir}`);
  }
  const to = configOf("--to", request.to);
  const source = await opened("--from", from);
  try {
    const target = await opened("--to", to);
    try {
      return await copyStore(source.tableCopy, target.tableCopy, progress);
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** Says which of the two it was. */
async function opened(option: string, config: Config): Promise<Store> {
  try {
    return await openStore(config);
  } catch (error) {
    if (error instanceof StoreOpenError) throw new StoreOpenError(`${option}: ${error.message}`, { cause: error });
    throw error;
  }
}

/** What would have to be set to serve that store. */
function configOf(option: string, address: string): Config {
  if (/^postgres(?:ql)?:/i.test(address)) {
    // A database needs no folder: one that exists keeps any from being made.
    return { ...readConfig({}), dataDir: tmpdir(), store: { url: address, replicaUrls: [], maxLagS: 0 } };
  }
  return { ...readConfig({}), dataDir: folderOf(option, address), store: null };
}

function folderOf(option: string, address: string): string {
  if (/^file:\/\//i.test(address)) return fileURLToPath(address);
  if (/^file:/i.test(address)) return resolve(address.slice("file:".length));
  // Never repeated: what was meant to be an address may hold a password.
  if (/^[a-z][a-z0-9+.-]+:/i.test(address)) {
    throw new StoreOpenError(`${option} must be a folder, file:/path or postgres://user@host:5432/database`);
  }
  return resolve(address);
}
