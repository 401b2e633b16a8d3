/** Settings that all nodes share: the first value written wins. */
import type { Sql } from "./sql.ts";

export async function getOrSetShared(sql: Sql, name: string, value: string): Promise<string> {
  await sql.run("INSERT INTO shared_settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING", name, value);
  const stored = await sql.get<{ value: string }>("SELECT value FROM shared_settings WHERE name = $1", name);
  return stored?.value ?? value;
}
