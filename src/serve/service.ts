/** A running service, of one process or several. */
import type { Logger } from "pino";
import type { LogLevel } from "#config";

export interface StartupInfo {
  url: string;
  /** Created by this start and printed once; null if there was a token already. */
  bootstrapToken: string | null;
  demoSeeded: boolean;
}

export interface Service {
  startup: StartupInfo;
  log: Logger;
  /** In all processes. */
  setLogLevel(level: LogLevel): void;
  stop(): Promise<void>;
}
