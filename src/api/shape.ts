/** Shapes of schemas and functions that draw records by them, and shapes put together. */
import type { Static, TSchema } from "typebox";
import { type Shape, Written } from "#domain/shown.ts";
import { compileFill, type Draft } from "./unknown.ts";

export function shape<S extends TSchema, Kept>(
  name: string,
  version: number,
  schema: S,
  draw: (record: Kept) => Draft<Static<S>>,
): Shape<Kept, Draft<Static<S>>> {
  const fill = compileFill(schema);
  return { name, version, draw, text: (record) => JSON.stringify(fill(draw(record))) };
}

/** A drawing with another in it, under a name of its own; written out, if the first one is. */
export function withPart<Drawn extends object | null, Name extends string, Kept, Part>(
  drawn: Drawn,
  name: Name,
  part: Shape<Kept, Part>,
  record: Kept,
): NonNullable<Drawn> & Record<Name, Part> {
  if (!(drawn instanceof Written))
    return { ...drawn, [name]: part.draw(record) } as NonNullable<Drawn> & Record<Name, Part>;
  const text = part.text(record);
  const whole = new Written(`${drawn.text.slice(0, -1)},"${name}":${text}}`, drawn.digest + text);
  return whole as unknown as NonNullable<Drawn> & Record<Name, Part>;
}
