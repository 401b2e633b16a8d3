/** JSON text of a value whose type the compiler knows: stored as a column or sent between threads, and parsed again. */

declare const VALUE: unique symbol;

export type JsonText<Value> = string & { readonly [VALUE]?: Value };

export function toJsonText<Value>(value: Value): JsonText<Value> {
  return JSON.stringify(value);
}

/** The value of a text without such a type is unknown. */
export function parseJsonText<Value>(text: JsonText<Value>): NoInfer<Value> {
  const value: NoInfer<Value> = JSON.parse(text);
  return value;
}
