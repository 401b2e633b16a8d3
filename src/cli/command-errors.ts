/**
 * From anything thrown to one sentence on standard error and an exit code. What can be expected to go wrong is explained
 * with what to do about it; what cannot is shown as it is, with the way to learn more.
 */
import { PepperError } from "#auth/secrets.ts";
import { ConfigError } from "#config";
import { ApiError } from "#errors";
import { StoreOpenError } from "#store/store-open-error.ts";
import { EXIT, type Terminal } from "./terminal.ts";

/** The command line itself was wrong. */
export class UsageError extends Error {
  override name = "UsageError";
}

/** The command was understood and could not be done; the message is the sentence to show. */
export class CommandError extends Error {
  override name = "CommandError";
}

const REASONS: Record<string, string> = {
  EACCES: "this user has no permission",
  EPERM: "this user has no permission",
  ENOENT: "it does not exist",
  ENOTDIR: "it is not a folder",
  EEXIST: "a file stands where a folder should",
  EISDIR: "it is a folder",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EMFILE: "too many files are open",
};

interface SystemError extends Error {
  code: string;
  syscall?: string;
  path?: string;
  address?: string;
  hostname?: string;
  port?: number;
}

/** Prints the sentence and returns the exit code. */
export function report(error: unknown, terminal: Terminal): number {
  const sentence = describeError(error);
  const debug = terminal.env["TRIPTYCH_DEBUG"] === "1";
  if (sentence !== null) terminal.err(`triptych: ${sentence}\n`);
  else {
    const hint = debug ? "" : " (unexpected; set TRIPTYCH_DEBUG=1 to see where)";
    terminal.err(`triptych: ${oneLine(error instanceof Error ? error.message : String(error))}${hint}\n`);
  }
  if (debug && error instanceof Error) terminal.err(`${error.stack ?? ""}\n`);
  return error instanceof UsageError ? EXIT.usage : EXIT.failed;
}

/** Null for what nobody expected. */
export function describeError(error: unknown): string | null {
  if (error instanceof ApiError) return oneLine(`${error.message} (${error.code})`);
  if (
    error instanceof UsageError ||
    error instanceof CommandError ||
    error instanceof ConfigError ||
    error instanceof StoreOpenError ||
    error instanceof PepperError
  ) {
    return oneLine(error.message);
  }
  return isSystemError(error) ? systemSentence(error) : null;
}

function isSystemError(error: unknown): error is SystemError {
  return error instanceof Error && "code" in error && typeof error.code === "string" && "syscall" in error;
}

function systemSentence(error: SystemError): string | null {
  const { code, syscall, path } = error;
  if (syscall === "listen" || syscall === "bind") return listenSentence(error);
  if (syscall === "getaddrinfo") {
    return `HOST ${error.hostname ?? ""} is not known as an address of this machine (${code}); 127.0.0.1 serves this machine, 0.0.0.0 all others too`;
  }
  const reason = REASONS[code];
  if (reason === undefined || path === undefined) return null;
  return `${path} cannot be used: ${reason} (${code})`;
}

function listenSentence({ code, address, port }: SystemError): string | null {
  if (code === "EADDRINUSE") {
    return `port ${port} of ${address} is in use by another program; stop it, or choose another port with --port or PORT (METRICS for that of the metrics)`;
  }
  if (code === "EACCES") {
    return `this user may not listen on port ${port} of ${address}; choose a port from 1024 on with --port or PORT`;
  }
  if (code === "EADDRNOTAVAIL") {
    return `${address} is not an address of this machine; choose another with --host or HOST, such as 127.0.0.1 or 0.0.0.0`;
  }
  return null;
}

export function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, (blank) => (/[\r\n]/.test(blank) ? " " : blank));
}
