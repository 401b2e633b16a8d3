/** The documents of the shortvideo importers' fixtures, opened as an import opens them. */
import { createReadStream, globSync } from "node:fs";
import { join } from "node:path";
import type { SourceDocument } from "#api/importer.ts";
import { isDocument } from "#import/containers/document.ts";
import { readDocuments } from "#import/containers/documents.ts";

const FIXTURES = join(import.meta.dirname, "../src/platforms/shortvideo/importers/fixtures");

export function fixture(path: string): string {
  return join(FIXTURES, path);
}

export function fixtureNames(): string[] {
  return globSync("**/*.*", { cwd: FIXTURES }).toSorted();
}

export async function fixtureDocuments(path: string): Promise<SourceDocument[]> {
  const found: SourceDocument[] = [];
  const file = { segments: path.split("/"), bytes: () => createReadStream(fixture(path)) };
  for await (const piece of readDocuments(file)) if (isDocument(piece)) found.push(piece);
  return found;
}
