/** A primary with streaming replicas. They begin with one folder that none of them has started on yet. */
import { rmSync } from "node:fs";
import { Client } from "pg";
import { execute } from "./databases.ts";
import { RUN_SERVER } from "./run-server.ts";
import { createDataFolder, type Server, startServer } from "./server.ts";

export interface Cluster {
  primary: Server;
  replicas: [Server, Server];
  /** A new database on all of them; those of the replicas are read-only. */
  freshDatabase(): Promise<{ url: string; replicaUrls: string[] }>;
  /** So that a test that failed leaves the next one what it expects. */
  mend(): Promise<void>;
  stop(): Promise<void>;
}

export async function startCluster(): Promise<Cluster> {
  const data = RUN_SERVER?.data ?? (await createDataFolder());
  const primary = await startServer({ data });
  const replicas = await Promise.all([
    startServer({ data, replicaOf: primary }),
    startServer({ data, replicaOf: primary }),
  ]);
  if (RUN_SERVER === null) rmSync(data, { recursive: true });
  const all = [primary, ...replicas];
  let made = 0;
  return {
    primary,
    replicas,
    async freshDatabase() {
      const name = `cluster_${++made}`;
      await execute(primary.url("postgres"), `CREATE DATABASE ${name}`);
      for (const { url } of replicas) {
        while (!(await answers(url("postgres"), `SELECT 1 FROM pg_database WHERE datname = '${name}'`)));
      }
      return { url: primary.url(name), replicaUrls: replicas.map(({ url }) => url(name)) };
    },
    async mend() {
      for (const server of all) {
        await server.thaw();
        if (!isAlive(server.pid)) await server.resume();
      }
      for (const { url } of replicas)
        await execute(url("postgres"), "SELECT pg_wal_replay_resume() WHERE pg_is_in_recovery()");
    },
    async stop() {
      for (const server of all.toReversed()) await server.stop();
    },
  };
}

/** Whether there is such a row. */
async function answers(url: string, question: string): Promise<boolean> {
  const client = new Client(url);
  await client.connect();
  const { rowCount } = await client.query(question);
  await client.end();
  return rowCount !== 0;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
