/** The log: pino for what happens now and then, and lines of requests gathered beside it, all in one order. */
import { type Logger, pino } from "pino";
import { LogBuffer } from "#surfaces/http/log-buffer.ts";
import { RequestLog } from "#surfaces/http/request-log.ts";
import type { Config } from "./config.ts";

export interface Log {
  logger: Logger;
  requestLog: RequestLog;
  /** What waits is written; later lines are written at once. */
  close(): void;
}

/** As much as a pipe takes in one piece: lines of several processes do not mix. */
const PIPE_PIECE = 4_096;
const FILE_PIECE = 65_536;

export function openLog(config: Config): Log {
  const piece = config.workers > 1 && config.logFile === null ? PIPE_PIECE : FILE_PIECE;
  const buffer = new LogBuffer(
    pino.destination({
      dest: config.logFile ?? 1,
      sync: false,
      mkdir: true,
      minLength: piece - 1,
      maxWrite: piece,
    }),
    piece,
  );
  const logger = pino({ level: config.logLevel, base: null }, buffer);
  return { logger, requestLog: new RequestLog(buffer, logger), close: () => buffer.close() };
}
