/** The name in a profile's URL, without `@`. */
export function readAccountName(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const name = value.trim().replace(/^@/, "");
  return /^[\p{L}\p{M}\p{N}_.-]{1,64}$/u.test(name) ? name : undefined;
}
