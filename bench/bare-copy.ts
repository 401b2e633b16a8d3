/** Bare COPY of the rows of an imported store into fresh tables with the same indexes, on the same PostgreSQL server. */
import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import { openPostgresStore } from "#store/postgres/store.ts";
import { execute } from "#tests/postgres/databases.ts";
import { type Server, startServer } from "#tests/postgres/server.ts";

const TABLES = "SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1";

/** As an operator would have it: what is acknowledged is on the disk. */
export function startDurableServer(): Promise<Server> {
  const durable = { fsync: "on", full_page_writes: "on", synchronous_commit: "on", autovacuum: "on" };
  return startServer({ settings: { ...durable, shared_buffers: "512MB", max_wal_size: "4GB" } });
}

/** Empty; what earlier writes left to do is done. Returns its URL. */
export async function createDatabase(server: Server, name: string): Promise<string> {
  const [drop, create] = [`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`, `CREATE DATABASE ${name}`];
  await execute(server.url("postgres"), drop, create, "CHECKPOINT");
  return server.url(name);
}

/** Seconds that COPY takes to fill the tables; exporting and creating them is not timed. */
export async function copyBare(server: Server, from: string, to: string): Promise<number> {
  const folder = join(server.folder, "copied");
  mkdirSync(folder, { recursive: true });
  // The server may run as another user.
  chmodSync(folder, 0o777);
  const client = new Client(server.url(from));
  await client.connect();
  const { rows } = await client.query(TABLES).finally(() => client.end());
  const tables = (rows as { name: string }[]).map(({ name }) => name);
  const copy = (direction: string) => tables.map((name) => `COPY "${name}" ${direction} '${join(folder, name)}'`);
  await execute(server.url(from), ...copy("TO"));
  const url = await createDatabase(server, to);
  await (await openPostgresStore({ url })).close();
  await execute(url, ...tables.map((name) => `TRUNCATE "${name}"`), "CHECKPOINT");
  const startedAt = performance.now();
  await execute(url, ...copy("FROM"));
  const seconds = (performance.now() - startedAt) / 1_000;
  rmSync(folder, { recursive: true });
  return seconds;
}
