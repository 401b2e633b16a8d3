/** What `triptych doctor` looks at on disk: the folder, the room left, the store and its tokens. Makes nothing. */
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { Services } from "#serve/services.ts";
import type { Config } from "#config";
import { describeError } from "../command-errors.ts";
import { type CheckResult, checkResult } from "./check-result.ts";
import { storeExists, withExistingStore } from "../with-services.ts";
import { isUsable } from "../format/token.ts";

const MIB = 1024 ** 2;
const TOO_LITTLE = 100 * MIB;
const LITTLE = 1024 * MIB;

export async function checkData(config: Config): Promise<CheckResult[]> {
  const folder = checkFolder(config.dataDir);
  const disk = await checkDisk(config.dataDir);
  if (folder.state === "fail") return [folder, disk];
  return [folder, disk, ...(await checkStore(config))];
}

function checkFolder(dataDir: string): CheckResult {
  const present = existing(dataDir);
  if (!statSync(present).isDirectory()) {
    return checkResult("data folder", "fail", `${present} is not a folder; set DATA_DIR to one`);
  }
  try {
    accessSync(present, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return checkResult(
      "data folder",
      "fail",
      `${present} cannot be written by this user; change its owner, or set DATA_DIR to another`,
    );
  }
  return present === dataDir
    ? checkResult("data folder", "ok", dataDir)
    : checkResult("data folder", "warn", `${dataDir} does not exist yet; the first start makes it`);
}

async function checkDisk(dataDir: string): Promise<CheckResult> {
  const { bavail, bsize } = await statfs(existing(dataDir));
  const left = bavail * bsize;
  const amount = `${sizeOf(left)} left`;
  if (left < TOO_LITTLE)
    return checkResult(
      "disk",
      "fail",
      `${amount}; free at least ${sizeOf(TOO_LITTLE)}, or set DATA_DIR to a larger disk`,
    );
  if (left < LITTLE) return checkResult("disk", "warn", `${amount}; imports may soon fill it`);
  return checkResult("disk", "ok", amount);
}

async function checkStore(config: Config): Promise<CheckResult[]> {
  if (config.store === null && !storeExists(config.dataDir)) {
    return [checkResult("store", "warn", 'there is none yet; the first "npx triptych serve" makes it')];
  }
  if (!existsSync(config.pepperFile)) {
    return [
      checkResult(
        "store",
        "fail",
        `the pepper file ${config.pepperFile} is missing; restore it from a backup, since a start would make a new one that knows none of the tokens`,
      ),
    ];
  }
  try {
    return await withExistingStore(config, async (house) => [
      ...(await checkRecords(house)),
      await checkTokens(house, config),
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
      checkResult("store", "fail", `it is damaged; restore a copy (${problems.join("; ").replaceAll(/\s+/g, " ")})`),
    ];
  }
  const { records, bytes } = await store.summary();
  const counted = Object.entries(records).map(([platform, kinds]) => {
    const counts = Object.entries(kinds).map(([kind, count]) => `${kind} ${count}`);
    return checkResult(`records of ${platform}`, "ok", counts.join(", "));
  });
  return [
    checkResult("store", "ok", `sound, ${sizeOf(bytes)}`),
    ...(counted.length > 0
      ? counted
      : [checkResult("records", "warn", "the store is empty; start with DEMO=on, or import something")]),
  ];
}

async function checkTokens({ tokens }: Services, config: Config): Promise<CheckResult> {
  const now = Date.now();
  const usable = (await tokens.list()).filter((record) => isUsable(record, now)).length;
  const fixed = config.apiToken === null ? "" : ", and the one of API_TOKEN";
  if (usable > 0 || config.apiToken !== null) return checkResult("tokens", "ok", `${usable} in use${fixed}`);
  return checkResult(
    "tokens",
    "warn",
    'none is in use; make one with: npx triptych token create --label "what it is for"',
  );
}

/** The folder itself, or the nearest one above it that exists. */
function existing(path: string): string {
  let candidate = path;
  while (!existsSync(candidate)) candidate = dirname(candidate);
  return candidate;
}

function sizeOf(bytes: number): string {
  return bytes < 1024 * MIB ? `${(bytes / MIB).toFixed(1)} MiB` : `${(bytes / (1024 * MIB)).toFixed(1)} GiB`;
}
