/** Imports a single document that did not come from a file, such as the answer of a live source. */
import type { SourceDocument } from "#api/importer.ts";
import type { RowEncoder } from "#store/write/encoded-record.ts";
import type { Store } from "#store/store.ts";
import { BatchBuilder } from "./batch-builder.ts";
import { SeenRecords } from "./dedupe.ts";
import { merge } from "./merge.ts";
import { type ImportPlatform, readDocument } from "./read-document.ts";
import { IdentityResolver } from "./resolve-identities.ts";

export interface DocumentImport {
  document: SourceDocument & { capturedAt: number };
  /** Read with the importers of this platform only. */
  platform: ImportPlatform;
  /** The source of its records. */
  source: string;
  subject: string | null;
  encoder: RowEncoder;
}

/** Erased records stay erased. */
export async function importDocument(
  store: Pick<Store, "reader" | "writer" | "encoder">,
  { document, platform, source, subject, encoder }: DocumentImport,
): Promise<void> {
  const builder = new BatchBuilder(new SeenRecords(false), encoder);
  const file = { name: source, segments: [], subject };
  readDocument([platform], document, { file, line: null, capturedAt: document.capturedAt }, builder, source);
  const { batch } = builder;
  if (batch.recordCount === 0) return;
  const identities = new IdentityResolver(store);
  const changes = await identities.toChanges(batch);
  await identities.mergePlaceholders(batch, async () => undefined);
  await store.writer.write([{ changes, merge, fetchedFrom: source }]);
}
