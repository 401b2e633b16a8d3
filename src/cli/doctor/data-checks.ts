/** Checks of the data directory, free disk space, store and tokens. Creates nothing. */
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { Services } from "#serve/services.ts";
import { type Config, PROGRAM } from "#config";
import { describeError } from "../command-errors.ts";
import { formatBytes } from "../format/progress.ts";
import { type CheckResult, checkResult } from "./check-result.ts";
import { storeExists } from "#serve/data-dir.ts";
import { withExistingStore } from "../with-services.ts";
import { isUsable } from "#auth/token-state.ts";
import { toIsoTime } from "#domain/time.ts";

const MIB = 1024 ** 2;
const MIN_FREE = 100 * MIB;
const LOW_FREE = 1024 * MIB;

export async function checkData(config: Config): Promise<CheckResult[]> {
  const directory = checkDirectory(config.dataDir);
  const disk = await checkDisk(config.dataDir);
  if (directory.state === "fail") return [directory, disk];
  return [directory, disk, ...(await checkStore(config))];
}

function checkDirectory(dataDir: string): CheckResult {
  const present = nearestExisting(dataDir);
  if (!statSync(present).isDirectory()) {
    return checkResult("data directory", "fail", `${present} is not a directory; set DATA_DIR to a directory`);
  }
  try {
    accessSync(present, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return checkResult(
      "data directory",
      "fail",
      `${present} is not writable by this user; change its owner, or set DATA_DIR to a writable directory`,
    );
  }
  return present === dataDir
    ? checkResult("data directory", "ok", dataDir)
    : checkResult("data directory", "warn", `${dataDir} does not exist yet; the first start creates it`);
}

async function checkDisk(dataDir: string): Promise<CheckResult> {
  const { bavail, bsize } = await statfs(nearestExisting(dataDir));
  const free = bavail * bsize;
  const amount = `${formatBytes(free)} free`;
  if (free < MIN_FREE)
    return checkResult(
      "disk",
      "fail",
      `${amount}; free at least ${formatBytes(MIN_FREE)}, or set DATA_DIR to another disk`,
    );
  if (free < LOW_FREE) return checkResult("disk", "warn", `${amount}; imports may fill the disk`);
  return checkResult("disk", "ok", amount);
}

async function checkStore(config: Config): Promise<CheckResult[]> {
  if (config.store === null && !storeExists(config.dataDir)) {
    return [checkResult("store", "warn", `none yet; the first "${PROGRAM} serve" creates it`)];
  }
  try {
    return await withExistingStore(config, async (services) => [
      ...(await checkRecords(services)),
      await checkDeleted(services),
      await checkTokens(services, config),
      await checkAudit(services),
    ]);
  } catch (error) {
    return [
      checkResult("store", "fail", describeError(error) ?? (error instanceof Error ? error.message : String(error))),
    ];
  }
}

async function checkRecords({ store }: Services): Promise<CheckResult[]> {
  const problems = await store.verify();
  if (problems.length > 0) {
    return [
      checkResult(
        "store",
        "fail",
        `damaged; restore it from a backup (${problems.join("; ").replaceAll(/\s+/g, " ")})`,
      ),
    ];
  }
  const { records, bytes } = await store.summary();
  const results = Object.entries(records).map(([platform, kinds]) => {
    const counts = Object.entries(kinds).map(([kind, count]) => `${kind} ${count}`);
    return checkResult(`${platform} records`, "ok", counts.join(", "));
  });
  return [
    checkResult("store", "ok", `intact, ${formatBytes(bytes)}`),
    ...(results.length > 0
      ? results
      : [checkResult("records", "warn", "the store is empty; import captures, or start with DEMO=on")]),
  ];
}

async function checkDeleted({ store }: Services): Promise<CheckResult> {
  const pendingSince = await store.getPurgePending();
  if (pendingSince === null) return checkResult("deleted records", "ok", "no bytes left on disk");
  return checkResult(
    "deleted records",
    "warn",
    `bytes of what was deleted since ${toIsoTime(pendingSince)} may be on disk; a running service removes them, or run: ${PROGRAM} compact`,
  );
}

async function checkTokens({ tokens }: Services, config: Config): Promise<CheckResult> {
  const now = Date.now();
  const refused = await tokens.listRefused(now);
  const usable = (await tokens.list()).filter((record) => isUsable(record, now)).length - refused.length;
  if (refused.length > 0) {
    const keyIds = refused.map(({ keyId }) => keyId).join(", ");
    return checkResult(
      "tokens",
      "warn",
      `${usable} active; changed in the store, or made with another pepper, and therefore refused: ${keyIds}; revoke them with: ${PROGRAM} token revoke <key id>`,
    );
  }
  const envToken = config.apiToken === null ? "" : ", and API_TOKEN";
  if (usable > 0 || config.apiToken !== null) return checkResult("tokens", "ok", `${usable} active${envToken}`);
  return checkResult(
    "tokens",
    "warn",
    `none active; create one with: ${PROGRAM} token create --label "what it is for"`,
  );
}

async function checkAudit({ audit, store }: Services): Promise<CheckResult> {
  const { entries, problems } = await audit.verify(store.tokens);
  if (problems.length === 0) return checkResult("audit log", "ok", `${entries} entries, all sealed`);
  return checkResult(
    "audit log",
    "warn",
    `${problems[0]?.problem}; if the pepper file was replaced, put the old one back: tokens made with it are invalid`,
  );
}

/** The path itself, or its nearest parent that exists. */
function nearestExisting(path: string): string {
  let candidate = path;
  while (!existsSync(candidate)) candidate = dirname(candidate);
  return candidate;
}
