/** Documents and files as importers are given them, made from a value and a name. */
import type { SourceDocument, SourceFile } from "#api/importer.ts";

export function sourceDocument(
  kind: SourceDocument["kind"],
  value: unknown,
  more: Partial<Omit<SourceDocument, "kind" | "value">> = {},
): SourceDocument {
  return { kind, value, index: 0, capturedAt: null, origin: {}, ...more };
}

export function sourceFile(path: string, of: string | null = null): SourceFile {
  return { name: path, segments: path.split("/"), subject: of };
}
