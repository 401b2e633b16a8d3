import type { RowFilter } from "./port.ts";

/** What to select as the column `native` of records and comments. */
export function nativeColumn({ withoutNative = false }: RowFilter): string {
  if (withoutNative !== "ifAuthorHasId") return withoutNative ? "'null'" : "native";
  // Quotes inside of strings are escaped, so this can only be a member.
  return `CASE WHEN header LIKE '%"authorId":null%' THEN native ELSE 'null' END`;
}
