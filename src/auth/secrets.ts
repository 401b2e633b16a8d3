/**
 * The pepper: one file of random bytes that signs tokens and page tokens. It stays out of the database, so that a copy
 * of the database alone lets nobody in. Refuses to start with a pepper that others on the machine can read.
 */
import { createHmac, randomBytes } from "node:crypto";
import { closeSync, fstatSync, linkSync, openSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Store } from "#store/store.ts";

const PEPPER_BYTES = 32;
const HEX = new RegExp(`^(?:[0-9a-f]{2}){${PEPPER_BYTES},}$`, "i");
const OTHERS_MAY_READ_OR_WRITE = 0o066;

/** The pepper file cannot be used; the message tells the operator what to do. */
export class PepperError extends Error {
  override name = "PepperError";
}

/** One key per purpose, so that what is signed for one can never pass for the other. */
export interface Secrets {
  tokens: Buffer;
  cursors: Buffer;
  /** Tells one pepper from another and nothing else. */
  fingerprint: string;
}

/** Reads the pepper of a data directory, making it at the first start. */
export function openSecrets(dataDir: string): Secrets {
  return loadPepper(join(dataDir, "pepper"));
}

export function loadPepper(path: string): Secrets {
  const pepper = readPepper(path) ?? createPepper(path);
  return {
    tokens: deriveKey(pepper, "tokens"),
    cursors: deriveKey(pepper, "cursors"),
    fingerprint: deriveKey(pepper, "fingerprint").toString("hex"),
  };
}

/** Nodes that share a store sign alike: one with another pepper would refuse the tokens that the others make. */
export async function assertSharedPepper(
  store: Pick<Store, "getOrSet">,
  { fingerprint }: Secrets,
  path: string,
): Promise<void> {
  if ((await store.getOrSet("pepper", fingerprint)) === fingerprint) return;
  throw new PepperError(
    `The pepper file ${path} is not the one that this store's tokens are signed with; copy that of a node that runs, or name it with PEPPER_FILE.`,
  );
}

function deriveKey(pepper: Buffer, purpose: keyof Secrets): Buffer {
  return createHmac("sha256", pepper).update(purpose).digest();
}

/** Null when there is no such file. */
function readPepper(path: string): Buffer | null {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return null;
    throw unreadable(path, cause);
  }
  try {
    // Asked of the open file, not of the path, so that what is checked is what is read.
    const stat = fstatSync(file);
    if (!stat.isFile()) throw unreadable(path, "not a file");
    if (process.platform !== "win32" && (stat.mode & OTHERS_MAY_READ_OR_WRITE) !== 0) {
      throw new PepperError(
        `The pepper file ${path} is open to other users of this machine; close it with: chmod 600 '${path}'`,
      );
    }
    return decode(readContent(file, path), path);
  } finally {
    closeSync(file);
  }
}

function readContent(file: number, path: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (cause) {
    throw unreadable(path, cause);
  }
}

function decode(text: string, path: string): Buffer {
  if (HEX.test(text)) return Buffer.from(text, "hex");
  throw new PepperError(
    `The pepper file ${path} must hold at least ${PEPPER_BYTES * 2} hexadecimal digits; restore it from a backup, or remove it, which makes all tokens invalid.`,
  );
}

/**
 * The file is written in full under a name of its own and then linked into place. Linking fails if the name is taken,
 * so of several processes that start at once one wins, and none ever reads a half-written pepper.
 */
function createPepper(path: string): Buffer {
  const draft = `${path}.${randomBytes(8).toString("hex")}`;
  try {
    writeFileSync(draft, `${randomBytes(PEPPER_BYTES).toString("hex")}\n`, {
      flag: "wx",
      mode: 0o600,
      flush: true,
    });
    try {
      linkSync(draft, path);
    } catch (cause) {
      if (codeOf(cause) !== "EEXIST") throw cause;
    } finally {
      unlinkSync(draft);
    }
  } catch (cause) {
    throw new PepperError(
      `The pepper file ${path} cannot be made (${codeOf(cause)}); make it with: (umask 077; openssl rand -hex ${PEPPER_BYTES} > '${path}')`,
      { cause },
    );
  }
  const pepper = readPepper(path);
  if (pepper === null) throw new PepperError(`The pepper file ${path} was removed while it was made.`);
  return pepper;
}

function unreadable(path: string, cause: unknown): Error {
  return new PepperError(
    `The pepper file ${path} cannot be read (${codeOf(cause)}); it must be a file that this process may read.`,
    { cause },
  );
}

function codeOf(cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  return typeof code === "string" ? code : String(cause);
}
