/** The log: pino, to standard output or a file, one JSON object per line. */
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { type Logger, pino } from "pino";
import { redactTokens } from "#auth/token-format.ts";
import type { Config } from "#config";

export interface Log {
  logger: Logger;
  /** Opens LOG_FILE again, which may have been renamed; without one, does nothing. */
  reopen(): void;
  /** Flushes the buffer. */
  close(): void;
}

const BUFFER_BYTES = 4_096;
const FLUSH_EVERY_MS = 250;
/** Of lines that cannot be written, as on a full disk. Later ones are dropped. */
const MAX_UNWRITTEN_BYTES = 16 * 1024 * 1024;

export function openLog(config: Config): Log {
  // Workers share the file: lines stay whole if each is one synchronous write.
  const isShared = config.workers > 1;
  const destination = pino.destination({
    dest: config.logFile === null ? 1 : openForAppending(config.logFile),
    sync: isShared,
    minLength: isShared ? 0 : BUFFER_BYTES,
    maxLength: MAX_UNWRITTEN_BYTES,
  });
  // For `reopen`. A destination that is given the name instead opens the file too late for the first lines.
  Object.assign(destination, { file: config.logFile });
  // A log that cannot be written stops no service: lines are written when there is room again.
  let isFailing = false;
  destination.on("error", () => (isFailing = true));
  destination.on("write", () => (isFailing = false));
  // It is called when the process exits too, and would try until there is room.
  const flushSync = destination.flushSync.bind(destination);
  destination.flushSync = () => {
    if (!isFailing) flushSync();
  };
  const serializers = { err: serializeError };
  const options = { level: config.logLevel, base: null, serializers, hooks: { streamWrite: redactTokens } };
  const logger = pino(options, destination);
  const timer = setInterval(() => destination.flush(), FLUSH_EVERY_MS);
  timer.unref();
  return {
    logger,
    reopen() {
      if (config.logFile === null) return;
      try {
        // First: if it fails in pino, the old file is closed twice later.
        closeSync(openForAppending(config.logFile));
        destination.reopen();
      } catch (error) {
        logger.error({ err: error }, "cannot open LOG_FILE again; lines are still written to the old file");
      }
    },
    close() {
      clearInterval(timer);
      destination.flushSync();
    },
  };
}

/** A server that is down is expected, and one sentence says it all; other failures have their stack. */
function serializeError(error: Error): object {
  const serialized = pino.stdSerializers.err(error);
  return isServerDown(error) ? { type: serialized.type, message: serialized.message } : serialized;
}

function isServerDown(error: unknown): boolean {
  return error instanceof Error && (error.name === "ConnectionError" || isServerDown(error.cause));
}

function openForAppending(file: string): number {
  mkdirSync(dirname(file), { recursive: true });
  return openSync(file, "a", 0o600);
}
