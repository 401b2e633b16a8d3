/** Statements with their values, as the driver takes them. */
import { hash } from "node:crypto";
import type { QueryConfig } from "pg";
import { toStorable } from "./storable-text.ts";

export type Value = string | number | boolean | null | readonly (string | number | boolean | null)[];

const names = new Map<string, string>();

/** Prepared once per connection, under a name that says its text: also where a pooler shares connections. */
export function statement(text: string, values: Value[]): QueryConfig {
  // Without values there is nothing to prepare for: commands.
  if (values.length === 0) return { text };
  let name = names.get(text);
  if (name === undefined) names.set(text, (name = `triptych ${hash("sha1", text, "base64url")}`));
  return { name, text, values: values.map(bound) };
}

export function bound(value: Value): unknown {
  if (typeof value === "string") return toStorable(value);
  return typeof value === "object" && value !== null ? toStorable(arrayOf(value)) : value;
}

const QUOTED = /["\\]/;

/** An array as PostgreSQL writes it. Rows by the thousand come this way, so it is done in one pass. */
function arrayOf(items: readonly (string | number | boolean | null)[]): string {
  let array = "{";
  for (const item of items) {
    if (array.length > 1) array += ",";
    if (typeof item === "string") array += QUOTED.test(item) ? `"${item.replace(/["\\]/g, "\\$&")}"` : `"${item}"`;
    else array += item === null ? "NULL" : String(item);
  }
  return `${array}}`;
}
