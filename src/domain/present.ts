/** The value, which the code around it has put there; an error where it has not. */
export function present<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Error("a value is missing that must be there");
  return value;
}
