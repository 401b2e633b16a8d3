/**
 * The pepper: a file of random bytes, from which the keys of tokens and page tokens derive. It is not in the database, so
 * a copy of the database alone lets nobody in. Refuses a pepper that other users of the machine can read.
 */
import { createHmac, randomBytes } from "node:crypto";
import { closeSync, fstatSync, linkSync, openSync, readFileSync, unlinkSync, writeFileSync } from "node:fs";
import type { Store } from "#store/store.ts";

const PEPPER_BYTES = 32;
const HEX = new RegExp(`^(?:[0-9a-f]{2}){${PEPPER_BYTES},}$`, "i");
const OTHERS_MAY_READ_OR_WRITE = 0o066;
const IF_LOST = "(if it is lost: docs/backup.md)";

/** The pepper file cannot be used; the message tells the operator what to do. */
export class PepperError extends Error {
  override name = "PepperError";
}

/** One key per purpose, so that a signature for one is not valid for another. */
export interface Secrets {
  tokens: Buffer;
  cursors: Buffer;
  pseudonyms: Buffer;
  audit: Buffer;
  backups: Buffer;
  /** Identifies the pepper without revealing it. */
  fingerprint: string;
}

/** The first start creates the file; a store that has tokens or an audit log needs the one that they were made with. */
export async function openPepper(store: Pick<Store, "tokens" | "audit" | "getOrSet">, path: string): Promise<Secrets> {
  // Before the file is read: a process that starts at the same time creates the file before it writes either.
  const needsOwn = (await store.tokens.listTokens()).length > 0 || (await store.audit.getHead()) !== null;
  const secrets = needsOwn ? loadPepper(path) : loadOrCreatePepper(path);
  await assertSharedPepper(store, secrets, path);
  return secrets;
}

export function loadPepper(path: string): Secrets {
  const pepper = readPepper(path);
  if (pepper === null) {
    throw new PepperError(
      `the pepper file ${path} is missing, but the tokens and the audit log of this store need it; put it back from where you keep it, as no backup has it ${IF_LOST}`,
    );
  }
  return deriveSecrets(pepper);
}

export function loadOrCreatePepper(path: string): Secrets {
  if (readPepper(path) === null) createPepper(path);
  return loadPepper(path);
}

function deriveSecrets(pepper: Buffer): Secrets {
  return {
    tokens: deriveKey(pepper, "tokens"),
    cursors: deriveKey(pepper, "cursors"),
    pseudonyms: deriveKey(pepper, "pseudonyms"),
    audit: deriveKey(pepper, "audit"),
    backups: deriveKey(pepper, "backups"),
    fingerprint: deriveKey(pepper, "fingerprint").toString("hex"),
  };
}

/** Nodes that share a store need the same pepper, or they would reject each other's tokens. */
export async function assertSharedPepper(
  store: Pick<Store, "getOrSet">,
  { fingerprint }: Secrets,
  path: string,
): Promise<void> {
  if ((await store.getOrSet("pepper", fingerprint)) === fingerprint) return;
  throw new PepperError(
    `the pepper file ${path} does not match the tokens of this store; copy the file of a running node, or set PEPPER_FILE to it ${IF_LOST}`,
  );
}

function deriveKey(pepper: Buffer, purpose: keyof Secrets): Buffer {
  return createHmac("sha256", pepper).update(purpose).digest();
}

/** Null if there is no such file. */
function readPepper(path: string): Buffer | null {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return null;
    throw unreadable(path, cause);
  }
  try {
    // fstat of the open file, so that the file checked is the file read.
    const stat = fstatSync(file);
    if (!stat.isFile()) throw unreadable(path, "not a file");
    if (process.platform !== "win32" && (stat.mode & OTHERS_MAY_READ_OR_WRITE) !== 0) {
      throw new PepperError(
        `the pepper file ${path} is accessible to other users of this machine; run: chmod 600 '${path}'`,
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
    `the pepper file ${path} must contain at least ${PEPPER_BYTES * 2} hexadecimal digits; put back the right one ${IF_LOST}`,
  );
}

/**
 * Writes a temporary file and links it to its name. Linking fails if the name is taken, so one of several starting
 * processes wins, and none reads a half-written pepper.
 */
function createPepper(path: string): void {
  const temporary = `${path}.${randomBytes(8).toString("hex")}`;
  try {
    writeFileSync(temporary, `${randomBytes(PEPPER_BYTES).toString("hex")}\n`, {
      flag: "wx",
      mode: 0o600,
      flush: true,
    });
    try {
      linkSync(temporary, path);
    } catch (cause) {
      if (codeOf(cause) !== "EEXIST") throw cause;
    } finally {
      unlinkSync(temporary);
    }
  } catch (cause) {
    throw new PepperError(
      `cannot create the pepper file ${path} (${codeOf(cause)}); create it with: (umask 077; openssl rand -hex ${PEPPER_BYTES} > '${path}')`,
      { cause },
    );
  }
}

function unreadable(path: string, cause: unknown): Error {
  return new PepperError(
    `cannot read the pepper file ${path} (${codeOf(cause)}); it must be a file that this process may read`,
    { cause },
  );
}

function codeOf(cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  return typeof code === "string" ? code : String(cause);
}
