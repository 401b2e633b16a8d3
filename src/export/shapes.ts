/** The contract's own shapes of a kind, which JSON exports have. */
import type { Platform } from "#api/platform.ts";
import type { ExportRequest } from "./export-rows.ts";
import type { ExportKind } from "./kinds.ts";

export function shapesFor(platforms: readonly Platform[], kind: ExportKind): ExportRequest["shapeOf"] {
  const recordKind = kind.table === "comments" ? "comment" : kind.recordKind;
  return (name) => {
    const platform = platforms.find((candidate) => candidate.name === name);
    return recordKind === undefined ? null : (platform?.exportShapes[recordKind] ?? null);
  };
}
