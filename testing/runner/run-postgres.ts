/** One PostgreSQL for the run: its programs where the server's user can reach them, a data folder to copy, a template. */
import { dirname } from "node:path";
import { findBinaries } from "#tests/postgres/binaries.ts";
import { execute, MIGRATED_TEMPLATE, migrateTemplate } from "#tests/postgres/databases.ts";
import type { RunServer } from "#tests/postgres/run-server.ts";
import { createDataFolder, startServer } from "#tests/postgres/server.ts";
import { join } from "node:path";

/** Several files use it concurrently, each with services that have several connections. */
const CONNECTIONS = "300";
const DEMO_TEMPLATE = "demo";

export interface RunPostgres extends RunServer {
  /** A database that the function given fills by its URL; returns its name. */
  createDemoTemplate(fill: (url: string) => Promise<void>): Promise<string>;
  stop(): Promise<void>;
}

export async function startRunPostgres(): Promise<RunPostgres> {
  const data = await createDataFolder();
  const { postgres } = await findBinaries(data);
  const server = await startServer({ data, settings: { max_connections: CONNECTIONS } });
  try {
    await migrateTemplate(server);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return {
    programs: join(dirname(postgres), ".."),
    data,
    port: server.port,
    async createDemoTemplate(fill) {
      await execute(server.url("postgres"), `CREATE DATABASE ${DEMO_TEMPLATE} TEMPLATE ${MIGRATED_TEMPLATE}`);
      await fill(server.url(DEMO_TEMPLATE));
      return DEMO_TEMPLATE;
    },
    stop: () => server.stop(),
  };
}
