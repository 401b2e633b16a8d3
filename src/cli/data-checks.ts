/** What `triptych doctor` looks at on disk: the folder, the room left, the store and its tokens. Makes nothing. */
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { House } from "#serve/services.ts";
import type { Config } from "#config";
import { sentenceFor } from "./failures.ts";
import { type Finding, finding } from "./finding.ts";
import { holdsStore, withHeldHouse } from "./held-house.ts";
import { isUsable } from "./token-lines.ts";

const MIB = 1024 ** 2;
const TOO_LITTLE = 100 * MIB;
const LITTLE = 1024 * MIB;

export async function checkData(config: Config): Promise<Finding[]> {
  const folder = checkFolder(config.dataDir);
  const disk = await checkDisk(config.dataDir);
  if (folder.state === "fail") return [folder, disk];
  return [folder, disk, ...(await checkStore(config))];
}

function checkFolder(dataDir: string): Finding {
  const present = existing(dataDir);
  if (!statSync(present).isDirectory()) {
    return finding("data folder", "fail", `${present} is not a folder; set DATA_DIR to one`);
  }
  try {
    accessSync(present, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return finding(
      "data folder",
      "fail",
      `${present} cannot be written by this user; change its owner, or set DATA_DIR to another`,
    );
  }
  return present === dataDir
    ? finding("data folder", "ok", dataDir)
    : finding("data folder", "warn", `${dataDir} does not exist yet; the first start makes it`);
}

async function checkDisk(dataDir: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(existing(dataDir));
  const left = bavail * bsize;
  const amount = `${sizeOf(left)} left`;
  if (left < TOO_LITTLE)
    return finding("disk", "fail", `${amount}; free at least ${sizeOf(TOO_LITTLE)}, or set DATA_DIR to a larger disk`);
  if (left < LITTLE) return finding("disk", "warn", `${amount}; imports may soon fill it`);
  return finding("disk", "ok", amount);
}

async function checkStore(config: Config): Promise<Finding[]> {
  if (config.store === null && !holdsStore(config.dataDir)) {
    return [finding("store", "warn", 'there is none yet; the first "npx triptych serve" makes it')];
  }
  if (!existsSync(config.pepperFile)) {
    return [
      finding(
        "store",
        "fail",
        `the pepper file ${config.pepperFile} is missing; restore it from a backup, since a start would make a new one that knows none of the tokens`,
      ),
    ];
  }
  try {
    return await withHeldHouse(config, async (house) => [
      ...(await checkRecords(house)),
      await checkTokens(house, config),
    ]);
  } catch (error) {
    return [finding("store", "fail", sentenceFor(error) ?? (error instanceof Error ? error.message : String(error)))];
  }
}

async function checkRecords({ store }: House): Promise<Finding[]> {
  const problems = await store.verify();
  if (problems.length > 0) {
    return [finding("store", "fail", `it is damaged; restore a copy (${problems.join("; ").replaceAll(/\s+/g, " ")})`)];
  }
  const { records, bytes } = await store.summary();
  const counted = Object.entries(records).map(([platform, kinds]) => {
    const counts = Object.entries(kinds).map(([kind, count]) => `${kind} ${count}`);
    return finding(`records of ${platform}`, "ok", counts.join(", "));
  });
  return [
    finding("store", "ok", `sound, ${sizeOf(bytes)}`),
    ...(counted.length > 0
      ? counted
      : [finding("records", "warn", "the store is empty; start with DEMO=on, or import something")]),
  ];
}

async function checkTokens({ tokens }: House, config: Config): Promise<Finding> {
  const now = Date.now();
  const usable = (await tokens.list()).filter((record) => isUsable(record, now)).length;
  const fixed = config.apiToken === null ? "" : ", and the one of API_TOKEN";
  if (usable > 0 || config.apiToken !== null) return finding("tokens", "ok", `${usable} in use${fixed}`);
  return finding("tokens", "warn", 'none is in use; make one with: npx triptych token create --label "what it is for"');
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
