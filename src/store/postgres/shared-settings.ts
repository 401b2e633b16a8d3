/** What all nodes must have alike: whoever comes first decides. */
import type { Sql } from "./sql.ts";

export async function getOrSetShared(sql: Sql, name: string, value: string): Promise<string> {
  await sql.run("INSERT INTO agreements (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING", name, value);
  const held = await sql.get<{ value: string }>("SELECT value FROM agreements WHERE name = $1", name);
  return held?.value ?? value;
}
