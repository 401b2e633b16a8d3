/** Fresh databases on the server of the test run, or on an own server if a test file runs by itself. */
import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { Database } from "#store/postgres/database.ts";
import { migrate } from "#store/postgres/migrate.ts";
import { DEMO_DATABASE_VARIABLE } from "#testing/demo-store.ts";
import { RUN_SERVER } from "./run-server.ts";
import { startServer, urlOf, type Server } from "./server.ts";

export type DatabaseServer = Pick<Server, "port" | "url">;

let server: Promise<DatabaseServer> | undefined;

/** Started on first use. */
export function databaseServer(): Promise<DatabaseServer> {
  return (server ??= RUN_SERVER === null ? startServer() : Promise.resolve(serverAt(RUN_SERVER.port)));
}

function serverAt(port: number): DatabaseServer {
  return { port, url: (database) => urlOf(port, database) };
}

export interface FreshDatabase {
  name: string;
  url: string;
  drop: () => Promise<void>;
}

/** Creates a database, empty or from a template that nobody is connected to. */
export async function freshDatabase(template = "template1"): Promise<FreshDatabase> {
  const { url } = await databaseServer();
  const name = `test_${randomBytes(8).toString("hex")}`;
  // Block by block through the log, as is the default, takes twice as long.
  await execute(url("postgres"), `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
  return { name, url: url(name), drop: () => execute(url("postgres"), `DROP DATABASE ${name} WITH (FORCE)`) };
}

/** Created once by testing/runner/run-tests.ts. */
export const MIGRATED_TEMPLATE = "migrated";

let migrated: Promise<string> | undefined;

/** A database with the tables of an empty store: copying a template is faster than migrating. */
export async function freshStoreDatabase(): Promise<FreshDatabase> {
  migrated ??= RUN_SERVER === null ? migrateTemplate(await databaseServer()) : Promise.resolve(MIGRATED_TEMPLATE);
  return freshDatabase(await migrated);
}

/** One with the demo world, if the run has made it; otherwise the service fills an empty one. */
export function freshDemoDatabase(): Promise<FreshDatabase> {
  const template = process.env[DEMO_DATABASE_VARIABLE];
  return template === undefined ? freshStoreDatabase() : freshDatabase(template);
}

/** Only migrates: opening a store would write more. */
export async function migrateTemplate({ url }: DatabaseServer): Promise<string> {
  await execute(url("postgres"), `CREATE DATABASE ${MIGRATED_TEMPLATE}`);
  const database = new Database({
    url: url(MIGRATED_TEMPLATE),
    applicationName: "template",
    connections: 1,
    connectTimeoutMs: 60_000,
    statementTimeoutMs: 60_000,
  });
  await migrate(database, MIGRATED_TEMPLATE);
  await database.close();
  return MIGRATED_TEMPLATE;
}

/** Runs statements on a separate connection. */
export async function execute(url: string, ...statements: string[]): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
