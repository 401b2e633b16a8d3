/** Failures of the disk and of the store itself, told from the errors of Node, SQLite and PostgreSQL. */

/** `full`: no room. `io`: the disk fails. `damaged`: what was stored cannot be read. `locked`: another program writes. */
export type StorageFault = "full" | "io" | "damaged" | "locked";

/** One sentence for the log: what happened, and what to do. */
export const STORAGE_FAULTS: Readonly<Record<StorageFault, string>> = {
  full: "the disk is full: reads go on, and writes resume by themselves when there is room",
  io: "the disk reported an error: check it; reads go on, and writes resume by themselves when it works again",
  damaged: "the store is damaged: stop the service, run `triptych doctor`, and restore a backup (docs/backup.md)",
  locked: "another program has locked the store for too long: find it and stop it",
};

/** Node's error codes and PostgreSQL's SQLSTATE codes. */
const FAULT_BY_CODE: Readonly<Record<string, StorageFault>> = {
  ENOSPC: "full",
  EDQUOT: "full",
  EFBIG: "full",
  "53100": "full",
  EIO: "io",
  EROFS: "io",
  EMFILE: "io",
  ENFILE: "io",
  "58030": "io",
  XX001: "damaged",
  XX002: "damaged",
};

/** SQLite's primary result codes: SQLITE_BUSY, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB. */
const FAULT_BY_SQLITE_CODE: Readonly<Record<number, StorageFault>> = {
  5: "locked",
  8: "io",
  10: "io",
  11: "damaged",
  13: "full",
  14: "io",
  26: "damaged",
};

/** SQLite's and PostgreSQL's codes for values that they do not take: too big, of the wrong type, against a constraint. */
const REJECTED_SQLITE_CODES: ReadonlySet<number> = new Set([18, 19, 20]);
const REJECTED_SQLSTATES = /^(?:22|23|54)[0-9A-Z]{3}$/;

/** Node's codes for values that it does not take and for memory, not those for connections. */
const BUGS = /^ERR_(?!SOCKET_|STREAM_|SSL_|TLS_)/;

/** Node and PostgreSQL have a text as code, a DOMException a number; SQLite's own is beside Node's. */
function codesOf(error: Error): { code: unknown; errcode: number | undefined } {
  return {
    code: "code" in error ? error.code : undefined,
    errcode: "errcode" in error && typeof error.errcode === "number" ? error.errcode : undefined,
  };
}

/** Whether an error comes from what is written, or is a bug: then the disk, the database and the network are not at fault. */
export function isFaultOfInput(error: unknown): boolean {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code, errcode } = codesOf(at);
    if (errcode !== undefined) return REJECTED_SQLITE_CODES.has(errcode & 0xff);
    // Those of a DOMException, such as for a value that cannot be copied, are numbers.
    if (typeof code === "number") return true;
    if (typeof code === "string") return REJECTED_SQLSTATES.test(code) || BUGS.test(code);
    if (at.name === "StoreOpenError") return false;
  }
  return true;
}

/** Null for an error that is not about storage. Looks at its causes too. */
export function storageFaultOf(error: unknown): StorageFault | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    const { code, errcode } = codesOf(at);
    // The low byte of an extended code is the primary one.
    const fault = errcode === undefined ? FAULT_BY_CODE[String(code)] : FAULT_BY_SQLITE_CODE[errcode & 0xff];
    if (fault !== undefined) return fault;
  }
  return null;
}

/** The kind and place of an error. Its message may quote the input. */
export function describeBug(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  const frame = error.stack?.split("\n").find((line) => line.startsWith("    at ") && line.includes("file:")) ?? "";
  const place = frame.slice(frame.lastIndexOf("/") + 1).replace(")", "");
  return place === "" ? error.name : `${error.name} at ${place}`;
}
