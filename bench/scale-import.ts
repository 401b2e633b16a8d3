/**
 * The import on PostgreSQL beside bare COPY of the very same rows: they are taken out of the imported store and put into
 * fresh tables with the same indexes, on the same server, with nothing else to do.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { Client } from "pg";
import { openPostgresStore } from "#store/postgres/store.ts";
import type { Server } from "#tests/postgres/server.ts";

const MAIN = resolve(import.meta.dirname, "../src/surfaces/cli/main.ts");

/** Seconds, from the start of the process to its end. */
export async function importInto(capture: string, env: Record<string, string>): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, [MAIN, "import", capture, "--json"], {
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (said = (said + text).slice(-1_000)));
  const [code] = (await once(child, "exit")) as [number];
  if (code !== 0) throw new Error(`the import ended with ${code}: ${said}`);
  return (performance.now() - began) / 1_000;
}

export async function makeDatabase(server: Server, name: string): Promise<string> {
  await onServer(server, "postgres", async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await client.query(`CREATE DATABASE ${name}`);
    await client.query("CHECKPOINT");
  });
  return server.url(name);
}

export interface Copied {
  seconds: number;
  rows: number;
}

/** Rows of one database into the tables of another; only what COPY does to fill them is timed. */
export async function copyBare(server: Server, from: string, to: string): Promise<Copied> {
  const folder = join(server.folder, "copied");
  mkdirSync(folder, { recursive: true });
  // The server runs as a user of its own.
  chmodSync(folder, 0o777);
  const tables = await onServer(server, from, (client) => exportTables(client, folder));
  await (await openPostgresStore({ url: server.url(to) })).close();
  const copied = await onServer(server, to, async (client) => {
    for (const table of tables) await client.query(`TRUNCATE "${table}"`);
    await client.query("CHECKPOINT");
    const began = performance.now();
    let rows = 0;
    for (const table of tables)
      rows += (await client.query(`COPY "${table}" FROM '${join(folder, table)}'`)).rowCount ?? 0;
    return { seconds: (performance.now() - began) / 1_000, rows };
  });
  rmSync(folder, { recursive: true });
  return copied;
}

async function exportTables(client: Client, folder: string): Promise<string[]> {
  const { rows } = await client.query(
    "SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
  );
  const tables = (rows as { name: string }[]).map(({ name }) => name);
  for (const table of tables) await client.query(`COPY "${table}" TO '${join(folder, table)}'`);
  return tables;
}

async function onServer<Result>(
  server: Server,
  database: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client(server.url(database));
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
