/** The thread that writes a backup of BACKUP_DIR, with a store of its own. */
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { backUp } from "./backup.ts";
import { checkBackupThreadData } from "./backup-messages.ts";

const { config, file } = checkBackupThreadData(workerData);
const { tables, seal } = await backUp(config, file, { actor: "service" }, () => undefined);
const rows = Object.values(tables).reduce((sum, total) => sum + total.rows, 0);
(parentPort as MessagePort).postMessage({ rows, seal });
