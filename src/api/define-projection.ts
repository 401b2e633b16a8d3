/** Projections defined by a schema, and fields added to a projected record. */
import type { Static, TSchema } from "./schema.ts";
import { type Projection, RawJson } from "#domain/projection.ts";
import { compileDefaults, type Nullable } from "./nullable.ts";

export function defineProjection<S extends TSchema, Stored>(
  name: string,
  version: number,
  schema: S,
  project: (record: Stored) => Nullable<Static<S>>,
): Projection<Stored, Nullable<Static<S>>> {
  const fill = compileDefaults(schema);
  return { name, version, project, renderJson: (record) => JSON.stringify(fill(project(record))) };
}

/**
 * Adds a field, itself a projection, to a projected record that does not have it yet. The result is raw JSON if the record
 * is. No part of the record may have a field of that name.
 */
export function withField<Wire extends object | null, Name extends string, Stored, Field>(
  body: Wire | RawJson,
  name: Name,
  projection: Projection<Stored, Field>,
  record: Stored,
): (Wire & Record<Name, Field>) | RawJson {
  if (body instanceof RawJson) {
    // Quotes inside of strings are escaped, so this can only be a member.
    if (body.json.includes(`"${name}":`)) return body;
    const json = projection.renderJson(record);
    return new RawJson(withMember(body.json, `${JSON.stringify(name)}:${json}`), body.digest + json);
  }
  // Last, where raw JSON has it too.
  const field = body !== null && name in body ? {} : { [name]: projection.project(record) };
  return Object.assign({}, body, field as Record<Name, Field>);
}

/** A field that few projected records have: raw JSON with a member of its name is parsed. */
export function getField<Wire extends object, Name extends keyof Wire & string>(
  body: Wire | RawJson | null,
  name: Name,
): Wire[Name] | undefined {
  if (!(body instanceof RawJson)) return body?.[name];
  return body.json.includes(`"${name}":`) ? (JSON.parse(body.json) as Wire)[name] : undefined;
}

/** For `withField` to add another. */
export function withoutField<Wire extends object, Name extends keyof Wire & string>(
  body: Wire | RawJson | null,
  name: Name,
): Omit<Wire, Name> | RawJson | null {
  if (body instanceof RawJson) {
    const { [name]: _, ...rest } = JSON.parse(body.json);
    return new RawJson(JSON.stringify(rest), body.digest);
  }
  if (body === null) return null;
  const { [name]: _, ...rest } = body;
  return rest;
}

/**
 * Fills an empty list of a projected record, at any depth. In raw JSON it is found by its name: quotes in strings are
 * escaped there, so `"name":[]` cannot be a part of one. `fill` does the same to an object.
 */
export function fillList<Wire, Item, Filled>(
  body: Wire | RawJson,
  name: string,
  items: readonly (Item | RawJson)[],
  fill: (body: Wire, items: (Item | RawJson)[]) => Filled,
): Filled | RawJson {
  if (!(body instanceof RawJson)) return fill(body, [...items]);
  const parts = items.map((item) => (item instanceof RawJson ? item.json : JSON.stringify(item)));
  const digests = items.map((item, index) => (item instanceof RawJson ? item.digest : parts[index]));
  const member = JSON.stringify(name);
  return new RawJson(
    body.json.replace(`${member}:[]`, () => `${member}:[${parts.join(",")}]`),
    [body.digest, ...digests].join(""),
  );
}

function withMember(json: string, member: string): string {
  return json === "{}" || json === "null" ? `{${member}}` : `${json.slice(0, -1)},${member}}`;
}
