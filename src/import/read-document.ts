/** One document to records: a named format where one claims it, else the platforms' own objects wherever they stand. */
import type { Platform, ImportSupport } from "#api/platform.ts";
import type { SourceDocument } from "#api/importer.ts";
import { collectorFor, type BatchBuilder, type CaptureContext } from "./batch-builder.ts";

/** Deeper than any capture; the JSON reader refuses deeper documents before they come here. */
const MAX_DEPTH = 1_200;

/** A platform with its readers at hand. */
export interface ReadingPlatform extends ImportSupport {
  name: string;
}

export function readingPlatforms(platforms: readonly Platform[]): Promise<ReadingPlatform[]> {
  return Promise.all(platforms.map(async (platform) => ({ name: platform.name, ...(await platform.loadImporters()) })));
}

/** True if anything in it was recognised. */
export function readDocument(
  platforms: readonly ReadingPlatform[],
  document: SourceDocument,
  moment: Omit<CaptureContext, "source">,
  gathering: BatchBuilder,
): boolean {
  for (const platform of platforms) {
    const importer = platform.importers.find((candidate) => candidate.detects(document, moment.file));
    if (importer === undefined) continue;
    gathering.readAs(importer.name);
    importer.read(document, moment.file, collectorFor(gathering, platform.name, { ...moment, source: importer.name }));
    return true;
  }
  if (document.kind !== "json") return false;
  const collectors = platforms.map((platform) => {
    const source = `${platform.name} web`;
    return { platform, source, collect: collectorFor(gathering, platform.name, { ...moment, source }) };
  });
  const recognised = new Set<string>();
  const scene = { url: document.origin.url ?? null, file: moment.file };

  function walk(value: unknown, depth: number): void {
    if (value === null || typeof value !== "object" || depth > MAX_DEPTH) return;
    if (Array.isArray(value)) {
      for (const item of value) walk(item, depth + 1);
      return;
    }
    const object = value as Record<string, unknown>;
    for (const { platform, source, collect } of collectors) {
      if (platform.recognise(object, collect, (part) => walk(part, depth + 1), scene)) {
        recognised.add(source);
        return;
      }
    }
    for (const part of Object.values(object)) walk(part, depth + 1);
  }

  walk(document.value, 0);
  for (const source of recognised) gathering.readAs(source);
  return recognised.size > 0;
}
