/** A running service, of one process or several. */
import type { Logger } from "pino";
import type { LogLevel } from "#config";
import type { PlatformName } from "#domain/record.ts";

export interface StartupInfo {
  url: string;
  /** Created by this start and printed once; null if there was a token already. */
  bootstrapToken: string | null;
  demoSeeded: boolean;
  /** One post of each platform if this is the first start and data was imported before it. */
  samplePosts: SamplePost[];
  /** Whether the audit log was sealed with another pepper: then tokens from before are invalid. */
  hasOtherPepper: boolean;
}

/** Called with the number of records of demo data created so far. */
export type OnProgress = (records: number) => void;

export interface SamplePost {
  platform: PlatformName;
  id: string;
}

export interface Service {
  startup: StartupInfo;
  log: Logger;
  /** In all processes. */
  setLogLevel(level: LogLevel): void;
  /** In all processes, after LOG_FILE was renamed. */
  reopenLog(): void;
  stop(): Promise<void>;
}
