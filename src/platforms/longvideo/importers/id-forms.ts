/** The forms of this platform's ids. */

/** Ids of channels, comments and categories: letters, digits and a few signs. */
export function readPlainId(value: unknown): string | undefined {
  const text = typeof value === "number" && Number.isSafeInteger(value) ? String(value) : value;
  return typeof text === "string" && /^[\w.@:=-]{1,200}$/.test(text) ? text : undefined;
}

export function readVideoId(value: unknown): string | undefined {
  return typeof value === "string" && /^[\w-]{5,64}$/.test(value) ? value : undefined;
}

/** `@name`, or a channel's URL that ends in it: the name without the sign. */
export function readHandle(value: unknown): string | undefined {
  return typeof value === "string" ? /^(?:.*\/)?@([^\s/?#@]{1,100})$/.exec(value.toWellFormed())?.[1] : undefined;
}
