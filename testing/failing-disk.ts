/**
 * A disk that fails on demand, for the process and the threads that load this file first (`node --import`): while the file
 * named in the environment holds a fault, writes fail with the errors that Node and SQLite report for it. Nothing is
 * written then, as on a disk that is full.
 *
 * A real full disk needs root or a file system of its own; this works for everyone, at any moment, and can fail the flush
 * alone. What SQLite itself does about a failing disk is SQLite's to test.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { DatabaseSync, StatementSync } from "node:sqlite";

export const FAULT_FILE_VARIABLE = "TRIPTYCH_TEST_DISK_FAULT";

/** Where it fails: writing a file, flushing one, a statement of SQLite that writes, or its commit. */
export const FAULT_PLACES = ["write", "flush", "statement", "commit"] as const;
export const FAULT_CODES = ["ENOSPC", "EIO"] as const;
export interface DiskFault {
  place: (typeof FAULT_PLACES)[number];
  code: (typeof FAULT_CODES)[number];
}

/** SQLITE_FULL, and SQLITE_IOERR_WRITE. */
const SQLITE_CODES = { ENOSPC: 13, EIO: 10 | (3 << 8) };

const faultFile = process.env[FAULT_FILE_VARIABLE];
if (faultFile !== undefined) injectFaults(faultFile);

function systemError(code: string, syscall: string): Error {
  return Object.assign(new Error(`${code}: injected, ${syscall}`), { code, syscall });
}

function injectFaults(file: string): void {
  const { readFileSync } = fs;

  function faultAt(place: DiskFault["place"]): DiskFault["code"] | null {
    let text: string;
    try {
      text = readFileSync(file, "utf8");
    } catch {
      return null;
    }
    const [faultPlace, code] = text.split(" ");
    return faultPlace === place ? (code as DiskFault["code"]) : null;
  }

  type Callback = (error: Error | null, ...results: unknown[]) => void;
  const failing = (syscall: "write" | "fsync", original: (...args: never[]) => void) =>
    function (this: unknown, ...args: unknown[]): void {
      const code = faultAt(syscall === "write" ? "write" : "flush");
      if (code === null) Reflect.apply(original, this, args);
      else setImmediate(args.at(-1) as Callback, systemError(code, syscall));
    };
  // Streams of files call these of the module.
  Object.assign(fs, {
    write: failing("write", fs.write),
    writev: failing("write", fs.writev),
    fsync: failing("fsync", fs.fsync),
  });
  syncBuiltinESMExports();

  const handle = fs.promises.open(import.meta.filename);
  void handle.then(async (opened) => {
    const prototype = Object.getPrototypeOf(opened) as { sync: () => Promise<void> };
    const { sync } = prototype;
    prototype.sync = async function (this: unknown): Promise<void> {
      const code = faultAt("flush");
      if (code !== null) throw systemError(code, "fsync");
      await Reflect.apply(sync, this, []);
    };
    await opened.close();
  });

  function failIfTold(place: "statement" | "commit"): void {
    const code = faultAt(place);
    if (code === null) return;
    const message = code === "ENOSPC" ? "database or disk is full" : "disk I/O error";
    throw Object.assign(new Error(message), { code: "ERR_SQLITE_ERROR", errcode: SQLITE_CODES[code] });
  }

  wrapMethod(DatabaseSync.prototype, "exec", (_db, sql) => {
    if (sql === "COMMIT") failIfTold("commit");
  });
  // Snapshots of readers begin and end with `run` too.
  wrapMethod(StatementSync.prototype, "run", ({ sourceSQL }) => {
    if (/^\s*(?:INSERT|UPDATE|DELETE)/.test(sourceSQL)) failIfTold("statement");
  });
}

/** Calls `before`, which may throw, with the object and its first argument. */
function wrapMethod<Target extends object>(
  prototype: Target,
  name: keyof Target,
  before: (target: Target, argument: unknown) => void,
): void {
  const original = prototype[name] as (...args: unknown[]) => unknown;
  const wrapped = function (this: Target, ...args: unknown[]): unknown {
    before(this, args[0]);
    return Reflect.apply(original, this, args);
  };
  Object.defineProperty(prototype, name, { value: wrapped });
}
