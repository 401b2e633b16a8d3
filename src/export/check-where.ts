import { findUnreadableFilter } from "#search/query.ts";
import type { ExportKind } from "./kinds.ts";

/** Why the kind cannot be chosen by the query; null if it can. A search box may take a filter for words, a file may not. */
export function whyNotWhere({ name, searchKind }: ExportKind, where: string | null): string | null {
  if (where === null) return null;
  if (searchKind === null) return `must be absent: ${name} are not searched`;
  const unreadable = findUnreadableFilter(where);
  return unreadable === null
    ? null
    : `has ${unreadable}, which cannot be read as a filter (docs/search.md); quote it to search for its words`;
}
