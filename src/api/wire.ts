/**
 * Words for wire schemas. Objects are closed: an answer with a field too many is as wrong as one that lacks a field.
 * `default` is what stands for an unknown value; see unknown.ts. `x-volatile` marks what changes with every call and is
 * left out of the ETag.
 */
import { type TProperties, Type } from "typebox";

export function wireObject<P extends TProperties>(properties: P, options: { description?: string } = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options });
}

export const Text = Type.String();
export const Url = Type.String({ description: "Address, or empty when not known." });
export const Integer = Type.Integer();
export const Flag = Type.Boolean();

/** A whole number written as text. */
export const DigitText = Type.String({ pattern: "^-?\\d+$", default: "0" });

/** Unix seconds. */
export const Timestamp = Type.Integer({ description: "Unix seconds." });

export function nullable<S extends Parameters<typeof Type.Union>[0][number]>(schema: S) {
  return Type.Union([schema, Type.Null()]);
}

/** Nothing is known of its inside: any JSON object, or null. */
export const NullableObject = nullable(Type.Object({}, { additionalProperties: true }));
export const NullableText = nullable(Type.String());
export const NullableInteger = nullable(Type.Integer());

/** A list whose items SPEC.md does not describe. */
export const AnyList = Type.Array(Type.Unknown());

/** Changes with every call, so it does not count for the ETag. */
export const VolatileText = Type.String({ "x-volatile": true });
export const VolatileInteger = Type.Integer({ "x-volatile": true });

/** Number to digit text; unknown stays unknown. */
export function digits(value: number | null | undefined): string | null {
  return value == null ? null : String(Math.trunc(value));
}
