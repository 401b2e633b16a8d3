/** What a start gives, whether one process or several serve. */
import type { Logger } from "pino";
import type { LogLevel } from "#config";

export interface Welcome {
  address: string;
  /** Made by this start and shown once; null when there was one already. */
  newToken: string | null;
  demoFilled: boolean;
}

export interface Service {
  welcome: Welcome;
  log: Logger;
  /** Of all its processes. */
  setLogLevel(level: LogLevel): void;
  stop(): Promise<void>;
}
