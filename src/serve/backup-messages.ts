/** Input and result of the thread of a backup. Both ends are started from the same code. */
import type { Config } from "#config";
import { createMessageCheck, isObject } from "#domain/message-check.ts";
import type { BackupSeal } from "#export/backup-file.ts";

export interface WrittenBackup {
  rows: number;
  seal: BackupSeal;
}

export interface BackupThreadData {
  kind: "back up";
  config: Config;
  file: string;
}

export const checkBackupThreadData = createMessageCheck<BackupThreadData>("thread of a backup", {
  "back up": { config: isObject, file: (value) => typeof value === "string" },
});
