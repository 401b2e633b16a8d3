/** Names in GraphQL responses of the app: `1$name(arguments)` for fields with arguments, `1lname` and `1fname` for numbers. */
import { type Fields, isFields } from "#import/capture/field-readers.ts";

export function toPlainName(key: string): string {
  if (!/^\d/.test(key)) return key;
  return key.replace(/^\d+[$lf]/, "").split("(", 1)[0] ?? key;
}

/** Whether numbers of the object have such names. */
export function hasTypedNames(object: Fields): boolean {
  return Object.keys(object).some((key) => /^\d+[lf][a-z]/.test(key));
}

/** Renames the members of an object, at any depth. */
export function withPlainNames(object: Fields): Fields {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [toPlainName(key), renameWithin(value)]));
}

function renameWithin(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renameWithin);
  return isFields(value) ? withPlainNames(value) : value;
}
