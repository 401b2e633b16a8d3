/** A primary with two streaming replicas, all started from copies of one fresh data folder. */
import { rmSync } from "node:fs";
import { Client } from "pg";
import { signal } from "#testing/processes.ts";
import { execute } from "./databases.ts";
import { RUN_SERVER } from "./run-server.ts";
import { createDataFolder, type Server, startServer } from "./server.ts";

export interface Cluster {
  primary: Server;
  replicas: [Server, Server];
  /** Creates a database and waits until the replicas have it. */
  freshDatabase(): Promise<{ url: string; replicaUrls: string[] }>;
  /** Brings all servers up again, whatever a test left behind. */
  repair(): Promise<void>;
  stop(): Promise<void>;
}

export async function startCluster(primarySettings: Record<string, string> = {}): Promise<Cluster> {
  const data = RUN_SERVER?.data ?? (await createDataFolder());
  const primary = await startServer({ data, settings: primarySettings });
  const replicas = await Promise.all([
    startServer({ data, replicaOf: primary }),
    startServer({ data, replicaOf: primary }),
  ]);
  if (RUN_SERVER === null) rmSync(data, { recursive: true });
  const all = [primary, ...replicas];
  let databases = 0;
  return {
    primary,
    replicas,
    async freshDatabase() {
      const name = `cluster_${++databases}`;
      await execute(primary.url("postgres"), `CREATE DATABASE ${name}`);
      for (const { url } of replicas) {
        while (!(await hasRow(url("postgres"), `SELECT 1 FROM pg_database WHERE datname = '${name}'`)));
      }
      return { url: primary.url(name), replicaUrls: replicas.map(({ url }) => url(name)) };
    },
    async repair() {
      for (const server of all) {
        await server.thaw();
        if (!signal(server.pid, 0)) await server.resume();
      }
      for (const { url } of replicas)
        await execute(url("postgres"), "SELECT pg_wal_replay_resume() WHERE pg_is_in_recovery()");
    },
    async stop() {
      for (const server of all.toReversed()) await server.stop();
    },
  };
}

async function hasRow(url: string, query: string): Promise<boolean> {
  const client = new Client(url);
  await client.connect();
  const { rowCount } = await client.query(query);
  await client.end();
  return rowCount !== 0;
}
