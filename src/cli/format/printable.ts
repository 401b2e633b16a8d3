/** Captured text may have line breaks and control characters, which a terminal would obey. */
export function printable(value: string | number | boolean | null): string {
  return String(value ?? "")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")
    .trim();
}
