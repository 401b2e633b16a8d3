/** What a start gives, whether one process or several serve. */
import type { Logger } from "pino";
import type { LogLevel } from "#config";

export interface StartupInfo {
  url: string;
  /** Made by this start and shown once; null when there was one already. */
  bootstrapToken: string | null;
  demoSeeded: boolean;
}

export interface Service {
  startup: StartupInfo;
  log: Logger;
  /** Of all its processes. */
  setLogLevel(level: LogLevel): void;
  stop(): Promise<void>;
}
