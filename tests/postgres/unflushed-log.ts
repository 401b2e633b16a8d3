/** A primary whose write-ahead log is always longer than what is on disk: if it dies, no replica has the end of the log. */
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";

/** As on a slow disk, the log is not flushed before a commit needs it. */
export const LATE_FLUSHES = { synchronous_commit: "on", wal_buffers: "64MB", wal_writer_delay: "10s" };

/** A long transaction that changes no table. Resolves once the server is gone. */
export async function writeUntilGone(url: string): Promise<void> {
  const client = new Client(url);
  client.on("error", () => undefined);
  await client.connect();
  await client.query("BEGIN");
  const message = "SELECT pg_logical_emit_message(true, 'unflushed', repeat('x', 20000))";
  while (await client.query(message).catch(() => null)) await sleep(10);
  await client.end().catch(() => undefined);
}
