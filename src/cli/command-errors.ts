/** Turns errors into one sentence on standard error and an exit code. Expected errors say what to do about them. */
import { PepperError } from "#auth/secrets.ts";
import { BackupError } from "#export/backup-error.ts";
import { ConfigError } from "#config";
import { type StorageFault, storageFaultOf } from "#domain/storage-fault.ts";
import { ApiError } from "#errors";
import { StoreOpenError } from "#store/sql/store-open-error.ts";
import { EXIT, type Terminal } from "./terminal.ts";

/** The command line is wrong. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** The command failed; the message is printed as it is. */
export class CommandError extends Error {
  override name = "CommandError";
}

const ERRNO_REASONS: Record<string, string> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  ENOENT: "no such file or directory",
  ENOTDIR: "not a directory",
  EEXIST: "a file is in the way",
  EISDIR: "it is a directory",
  EROFS: "read-only file system",
  ENOSPC: "no space left on device",
  EMFILE: "too many open files",
};

interface SystemError extends Error {
  code: string;
  syscall?: string;
  path?: string;
  address?: string;
  hostname?: string;
  port?: number;
}

/** Prints the error and returns the exit code. */
export function reportError(error: unknown, terminal: Terminal): number {
  const sentence = describeError(error);
  const debug = terminal.env["TRIPTYCH_DEBUG"] === "1";
  if (sentence !== null) terminal.err(`triptych: ${sentence}\n`);
  else {
    const hint = debug ? "" : " (unexpected; set TRIPTYCH_DEBUG=1 for a stack trace)";
    terminal.err(`triptych: ${oneLine(error instanceof Error ? error.message : String(error))}${hint}\n`);
  }
  if (debug && error instanceof Error) terminal.err(`${error.stack ?? ""}\n`);
  return error instanceof UsageError ? EXIT.usage : EXIT.failed;
}

/** Null for an unexpected error. */
export function describeError(error: unknown): string | null {
  if (error instanceof ApiError) return oneLine(`${error.message} (${error.code})`);
  if (
    error instanceof UsageError ||
    error instanceof CommandError ||
    error instanceof ConfigError ||
    error instanceof StoreOpenError ||
    error instanceof PepperError ||
    error instanceof BackupError
  ) {
    return oneLine(error.message);
  }
  return (isSystemError(error) ? describeSystemError(error) : null) ?? describeStorageFault(error);
}

const STORAGE_REASONS: Record<StorageFault, string> = {
  full: "the disk is full; free some space, then run the command again",
  io: "the disk reported an error; check it, then run the command again",
  damaged: "the store is damaged; restore a backup (docs/backup.md), or move the data directory away to start empty",
  locked: "the store is locked by another program; stop it, or run the command again later",
};

function describeStorageFault(error: unknown): string | null {
  const fault = storageFaultOf(error);
  return fault === null ? null : `${STORAGE_REASONS[fault]} (${oneLine((error as Error).message)})`;
}

function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && "code" in error && typeof error.code === "string" && "syscall" in error;
}

function describeSystemError(error: SystemError): string | null {
  const { code, syscall, path } = error;
  if (syscall === "listen" || syscall === "bind") return describeListenError(error);
  if (syscall === "getaddrinfo") {
    return `cannot resolve HOST ${error.hostname ?? ""} (${code}); use 127.0.0.1 (local only) or 0.0.0.0 (all interfaces)`;
  }
  const reason = ERRNO_REASONS[code];
  if (reason === undefined || path === undefined) return null;
  return `cannot use ${path}: ${reason} (${code})`;
}

function describeListenError({ code, address, port }: SystemError): string | null {
  if (code === "EADDRINUSE") {
    return `port ${port} of ${address} is in use by another program; stop it, or choose another port with --port or PORT (METRICS for the metrics port)`;
  }
  if (code === "EACCES") {
    return `permission denied to listen on port ${port} of ${address}; choose a port above 1023 with --port or PORT`;
  }
  if (code === "EADDRNOTAVAIL") {
    return `${address} is not an address of this machine; set --host or HOST to 127.0.0.1 (local only) or 0.0.0.0 (all interfaces)`;
  }
  if (code === "ENOTSUP") return "this system cannot share a port among processes; set WORKERS to 1";
  return null;
}

export function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, (blank) => (/[\r\n]/.test(blank) ? " " : blank));
}
