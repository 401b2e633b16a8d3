/** Objects of which nothing is known yet. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether the value is an object, and not a list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
