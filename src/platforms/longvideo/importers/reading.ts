/** How the ingest reads a document, for tests of this slice alone: a named format, else the recogniser at any depth. */
import type { Collector, SourceDocument, SourceFile } from "#contract/importer.ts";
import { IMPORTERS } from "../importers.ts";
import { recognise } from "../recognise.ts";

/** The name of the format; null where only the recogniser was asked. */
export function readInto(collect: Collector, document: SourceDocument, file: SourceFile): string | null {
  const importer = IMPORTERS.find((candidate) => candidate.detects(document, file));
  if (importer !== undefined) {
    importer.read(document, file, collect);
    return importer.name;
  }
  const scene = { url: document.origin.url ?? null, file };
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(walk);
    else if (typeof value === "object" && value !== null) {
      const object = value as Record<string, unknown>;
      if (!recognise(object, collect, walk, scene)) Object.values(object).forEach(walk);
    }
  };
  if (document.kind === "json") walk(document.value);
  return null;
}
