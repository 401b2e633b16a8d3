/** Fresh databases on one server per test process. */
import { Client } from "pg";
import { startServer, type Server } from "./server.ts";

let server: Promise<Server> | undefined;
let made = 0;

/** The process's own server, started when it is first asked for. */
export function ownServer(): Promise<Server> {
  return (server ??= startServer());
}

export interface FreshDatabase {
  name: string;
  url: string;
  drop: () => Promise<void>;
}

/** A database that nobody else uses: empty, or a copy of another that nobody is connected to. */
export async function freshDatabase(template = "template1"): Promise<FreshDatabase> {
  const { url } = await ownServer();
  const name = `test_${++made}`;
  await execute(url("postgres"), `CREATE DATABASE ${name} TEMPLATE ${template}`);
  return { name, url: url(name), drop: () => execute(url("postgres"), `DROP DATABASE ${name} WITH (FORCE)`) };
}

/** Runs statements on a connection of their own. */
export async function execute(url: string, ...statements: string[]): Promise<void> {
  const client = new Client(url);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
