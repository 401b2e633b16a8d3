/** The name in a profile's URL, without `@`. 4CAT writes REDACTED for all names that were taken out; names are in lower case. */
export function readAccountName(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const name = value.trim().replace(/^@/, "");
  return name !== "REDACTED" && /^[\p{L}\p{M}\p{N}_.-]{1,64}$/u.test(name) ? name : undefined;
}
