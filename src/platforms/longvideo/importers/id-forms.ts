/** YouTube's id formats. */

/** Ids of channels, comments and categories: letters, digits and a few symbols. */
export function readPlainId(value: unknown): string | undefined {
  const text = typeof value === "number" && Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === "string" && /^[\w.@:=-]{1,200}$/.test(text) ? text : undefined;
}

export function readVideoId(value: unknown): string | undefined {
  return typeof value === "string" && /^[\w-]{5,64}$/.test(value) ? value : undefined;
}

/** The name without `@`, from `@name` or from a channel URL that ends in it. */
export function readHandle(value: unknown): string | undefined {
  return typeof value === "string" ? /^(?:.*\/)?@([^\s/?#@]{1,100})$/.exec(value.toWellFormed())?.[1] : undefined;
}
