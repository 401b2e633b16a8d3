/**
 * Building blocks of response schemas. Objects are closed: an extra field is as wrong as a missing one. `default` replaces
 * an unknown value, see nullable.ts. `x-volatile` marks what changes with every request; the ETag leaves it out.
 */
import { Approximate } from "#domain/approximate.ts";
import { type TProperties, Type } from "./schema.ts";

export function wireObject<P extends TProperties>(properties: P, options: { description?: string } = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

export const Text = Type.String();
export const Url = Type.String({ description: "URL, or empty if unknown." });
export const Integer = Type.Integer();
export const Flag = Type.Boolean();

/** An integer as a string. */
export const DigitText = Type.String({ pattern: "^-?\\d+$", default: "0" });

export const Timestamp = Type.Integer({ description: "Unix seconds." });

export function nullable<S extends Parameters<typeof Type.Union>[0][number]>(schema: S) {
  return Type.Union([schema, Type.Null()]);
}

/** Any JSON object, or null. */
export const NullableObject = nullable(Type.Object({}, { additionalProperties: true }));
export const NullableText = nullable(Type.String());
export const NullableInteger = nullable(Type.Integer());

/** A list whose items SPEC.md does not describe. */
export const AnyList = Type.Array(Type.Unknown());

export const VolatileText = Type.String({ "x-volatile": true });
export const VolatileInteger = Type.Integer({ "x-volatile": true });

/** Formats an integer as a string; null if unknown. */
export function digits(value: number | null | undefined): string | null;
export function digits(value: number | Approximate | null): string | Approximate<string> | null;
export function digits(value: number | Approximate | null | undefined): string | Approximate<string> | null {
  if (value instanceof Approximate) return new Approximate(String(Math.trunc(value.value)));
  return value == null ? null : String(Math.trunc(value));
}
