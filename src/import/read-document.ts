/** Reads the records of a document: with the importer that detects its format, or by recognising native objects in it. */
import type { SourceDocument, SourceFile } from "#api/importer.ts";
import type { ImportSupport, PlatformRecords } from "#api/platform.ts";
import { type Refusal, refusalCode } from "#api/refusals.ts";
import type { ReportKind } from "#domain/job.ts";
import { type BatchBuilder, createCollector, type RecordOrigin } from "./batch-builder.ts";
import { isFields } from "./capture/field-readers.ts";
import { withoutOtherSites } from "./capture/own-site.ts";
import { refuseRoundedIds } from "./rounded-ids.ts";
import { countUntaken, type Found } from "./untaken-lists.ts";

/** Deeper than any capture; the JSON reader refuses deeper documents before they come here. */
const MAX_DEPTH = 1_200;

/** A platform with its importers loaded. */
export interface ImportPlatform extends ImportSupport {
  name: string;
}

export function loadImportPlatforms(platforms: readonly PlatformRecords[]): Promise<ImportPlatform[]> {
  return Promise.all(platforms.map(async (platform) => ({ name: platform.name, ...(await platform.loadImporters()) })));
}

/** Returns whether anything in the document was recognised. Without `source`, its records name their format. */
export function readDocument(
  platforms: readonly ImportPlatform[],
  document: SourceDocument,
  provenance: Omit<RecordOrigin, "source">,
  builder: BatchBuilder,
  source?: string,
): boolean {
  const { file } = provenance;
  /** The sites of its records, where an importer would have read them but for their addresses. */
  let ofOthers: readonly string[] = [];
  const leftOutBefore = builder.leftOut;
  for (const platform of platforms) {
    const { value, others } = withoutOtherSites(document.value, platform.name);
    const isOthers = value === undefined && others.length > 0;
    const own = others.length === 0 || isOthers ? document : { ...document, value };
    const importer = platform.importers.find((candidate) => candidate.detects(own, file));
    if (importer === undefined) continue;
    if (isOthers && importer.namesSites !== true) {
      ofOthers = others;
      continue;
    }
    builder.countFormat(importer.name);
    const collected: object[] = [];
    const origin = { ...provenance, source: source ?? importer.name };
    const onFound = (_kind: ReportKind, observed: object) => void collected.push(observed);
    const collector = createCollector(builder, platform.name, origin, onFound);
    if (!isOthers) refuseOthers(others);
    importer.read(own, file, refuseRoundedIds(collector, document, file));
    skipUntaken([own.value], { collected, leftOut: builder.leftOut - leftOutBefore }, file, builder);
    return true;
  }
  if (document.kind !== "json") return refuseOthers(ofOthers);

  function refuseOthers(sites: readonly string[]): boolean {
    for (const site of sites) builder.refuse(provenance, `other_site: ${site}`);
    return sites.length > 0;
  }

  const kinds = new Set<ReportKind>();
  const collected: object[] = [];
  const recognisedObjects: object[] = [];
  /** Records that were refused because they are another site's, or nobody's. */
  let siteRefusals = 0;
  const formats = new Set<string>();
  const collectors = platforms.map((platform) => {
    const format = source ?? `${platform.name} web`;
    const onFound = (kind: ReportKind, observed: object) => {
      kinds.add(kind);
      formats.add(format);
      collected.push(observed);
    };
    const collector = createCollector(builder, platform.name, { ...provenance, source: format }, onFound);
    const refuse = (reason: Refusal) => {
      if (SITE_REFUSALS.has(refusalCode(reason))) siteRefusals++;
      collector.refuse(reason);
    };
    return { platform, format, collector: refuseRoundedIds({ ...collector, refuse }, document, file) };
  });
  const unknownRecords = new Set(listRecords(document).filter(isRecordLike));
  const context = {
    url: document.origin.url ?? null,
    file,
    capturedAt: document.capturedAt,
    isSplit: document.splitPaths !== undefined,
  };

  /** Returns whether the value itself was recognised. */
  function walk(value: unknown, depth: number): boolean {
    if (depth > MAX_DEPTH) return false;
    if (Array.isArray(value)) {
      for (const item of value) walk(item, depth + 1);
      return false;
    }
    if (!isFields(value)) return false;
    for (const { platform, format, collector } of collectors) {
      const refusalsBefore = siteRefusals;
      if (platform.recognise(value, collector, (part) => walk(part, depth + 1), context)) {
        if (siteRefusals === refusalsBefore) formats.add(format);
        unknownRecords.delete(value);
        recognisedObjects.push(value);
        return true;
      }
    }
    // The record of an author or a sound, inside an envelope; an envelope of accounts has them in a list.
    const parts = Object.values(value).filter((part) => walk(part, depth + 1));
    if (parts.length > 0 && isOfRecords(document) && isRecordLike(value)) unknownRecords.add(value);
    return false;
  }

  walk(document.value, 0);
  skipUntaken(recognisedObjects, { collected, leftOut: builder.leftOut - leftOutBefore }, file, builder);
  for (const format of formats) builder.countFormat(format);
  const isOnlyParts = kinds.size > 0 && kinds.isSubsetOf(PARTS_OF_RECORDS);
  if (unknownRecords.size > 0 && isOnlyParts) builder.refuse(provenance, "main_content_unknown");
  return recognisedObjects.length > 0 || refuseOthers(ofOthers);
}

/** Names of the lists in a file, as far as they are known. */
const listNames = new WeakMap<SourceFile, { taken: Set<string>; untaken: Set<string> }>();
/** Some files have ids for names. */
const MAX_NAMES = 20;

function skipUntaken(read: readonly unknown[], found: Found, file: SourceFile, builder: BatchBuilder): void {
  if (found.collected.length === 0) return;
  const { taken, untaken } = listNames.get(file) ?? { taken: new Set(), untaken: new Set() };
  listNames.set(file, { taken, untaken });
  for (const [name, count] of countUntaken(read, found, taken)) {
    if (untaken.size < MAX_NAMES) untaken.add(name);
    const list = untaken.has(name) ? `a list \`${name}\`` : "further lists";
    builder.skip(`objects of ${list} that no reader took`, count);
  }
}

const SITE_REFUSALS: ReadonlySet<string | null> = new Set(["other_site", "site_unknown"]);

/** Kinds that records of other kinds contain, so that finding them does not mean that the record was understood. */
const PARTS_OF_RECORDS: ReadonlySet<ReportKind> = new Set<ReportKind>(["account", "hashtag", "sound", "place"]);

/** What the file is a list of. */
function listRecords(document: SourceDocument): unknown[] {
  if (!isOfRecords(document)) return [];
  return Array.isArray(document.value) ? document.value : [document.value];
}

/** A response of a recording, or a part of a page, is an envelope of any shape. */
function isOfRecords({ location, origin }: SourceDocument): boolean {
  return origin.url === undefined && (location === undefined || location.path.length === 0);
}

const IDENTITY =
  /^(?:_?id|pk|fbid|url|link|permalink|code|account|user_?name|(?:account|post|video|profile|user)_?(?:id|name|url))$/i;
const MIN_SCALARS = 4;

/** It names something and describes it, unlike an envelope. */
function isRecordLike(value: unknown): value is object {
  if (!isFields(value)) return false;
  const scalars = Object.keys(value).filter((key) => value[key] !== null && typeof value[key] !== "object");
  return scalars.length >= MIN_SCALARS && scalars.some((key) => IDENTITY.test(key));
}
