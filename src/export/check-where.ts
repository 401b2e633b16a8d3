import { parseConditions } from "#search/query.ts";
import type { ExportKind } from "./kinds.ts";

/** Why the kind cannot be chosen by the query; null if it can. A search may ignore a part of a query, a file may not. */
export function whyNotWhere({ name, searchKind }: ExportKind, where: string | null): string | null {
  if (where === null) return null;
  if (searchKind === null) return `must be absent: ${name} are not searched`;
  const [ignored] = parseConditions(where).ignored;
  return ignored === undefined ? null : `has ${ignored.term}, which ${ignored.reason} (docs/search.md)`;
}
