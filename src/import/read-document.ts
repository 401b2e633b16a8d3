/** Reads the records of a document: with the importer that detects its format, or by recognising native objects in it. */
import type { SourceDocument } from "#api/importer.ts";
import type { ImportSupport, Platform } from "#api/platform.ts";
import { type BatchBuilder, createCollector, type Provenance } from "./batch-builder.ts";

/** Deeper than any capture; the JSON reader refuses deeper documents before they come here. */
const MAX_DEPTH = 1_200;

/** A platform with its importers loaded. */
export interface ImportPlatform extends ImportSupport {
  name: string;
}

export function loadImportPlatforms(platforms: readonly Platform[]): Promise<ImportPlatform[]> {
  return Promise.all(platforms.map(async (platform) => ({ name: platform.name, ...(await platform.loadImporters()) })));
}

/** Returns whether anything in the document was recognised. */
export function readDocument(
  platforms: readonly ImportPlatform[],
  document: SourceDocument,
  provenance: Omit<Provenance, "source">,
  builder: BatchBuilder,
): boolean {
  const { file } = provenance;
  for (const platform of platforms) {
    const importer = platform.importers.find((candidate) => candidate.detects(document, file));
    if (importer === undefined) continue;
    builder.countFormat(importer.name);
    const collector = createCollector(builder, platform.name, { ...provenance, source: importer.name });
    importer.read(document, file, collector);
    return true;
  }
  if (document.kind !== "json") return false;
  const collectors = platforms.map((platform) => {
    const source = `${platform.name} web`;
    return { platform, source, collector: createCollector(builder, platform.name, { ...provenance, source }) };
  });
  const recognised = new Set<string>();
  const context = { url: document.origin.url ?? null, file, capturedAt: document.capturedAt };

  function walk(value: unknown, depth: number): void {
    if (value === null || typeof value !== "object" || depth > MAX_DEPTH) return;
    if (Array.isArray(value)) {
      for (const item of value) walk(item, depth + 1);
      return;
    }
    const object = value as Record<string, unknown>;
    for (const { platform, source, collector } of collectors) {
      if (platform.recognise(object, collector, (part) => walk(part, depth + 1), context)) {
        recognised.add(source);
        return;
      }
    }
    for (const part of Object.values(object)) walk(part, depth + 1);
  }

  walk(document.value, 0);
  for (const source of recognised) builder.countFormat(source);
  return recognised.size > 0;
}
