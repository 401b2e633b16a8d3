import { existsSync, readFileSync } from "node:fs";

const TABLES = ["/proc/net/tcp", "/proc/net/tcp6"];

/** Only Linux tells what the system holds of each connection. */
export const CAN_READ_SEND_QUEUE = existsSync("/proc/net/tcp");

/** Bytes that the system holds for clients of a local port, also of connections that no process has any more. */
export function sendQueueBytes(port: number): number {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return TABLES.filter((table) => existsSync(table))
    .flatMap((table) => readFileSync(table, "utf8").trim().split("\n").slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local]) => local?.endsWith(suffix))
    .reduce((sum, [, , , , queues]) => sum + Number.parseInt(queues?.split(":")[0] ?? "0", 16), 0);
}
