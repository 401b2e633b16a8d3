/** Shapes of schemas and functions that draw records by them, and shapes put together. */
import type { Static, TSchema } from "typebox";
import { type Projection, RawJson } from "#domain/projection.ts";
import { compileDefaults, type Nullable } from "./nullable.ts";

export function defineProjection<S extends TSchema, Kept>(
  name: string,
  version: number,
  schema: S,
  draw: (record: Kept) => Nullable<Static<S>>,
): Projection<Kept, Nullable<Static<S>>> {
  const fill = compileDefaults(schema);
  return { name, version, project: draw, renderJson: (record) => JSON.stringify(fill(draw(record))) };
}

/** A drawing with another in it, under a name of its own; written out, if the first one is. */
export function withField<Drawn extends object | null, Name extends string, Kept, Part>(
  drawn: Drawn,
  name: Name,
  part: Projection<Kept, Part>,
  record: Kept,
): NonNullable<Drawn> & Record<Name, Part> {
  if (!(drawn instanceof RawJson))
    return { ...drawn, [name]: part.project(record) } as NonNullable<Drawn> & Record<Name, Part>;
  const text = part.renderJson(record);
  const whole = new RawJson(`${drawn.text.slice(0, -1)},"${name}":${text}}`, drawn.digest + text);
  return whole as unknown as NonNullable<Drawn> & Record<Name, Part>;
}
