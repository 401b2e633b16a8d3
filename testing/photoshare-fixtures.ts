/** The photoshare importers' fixtures, read as the containers read them, and what the slice makes of them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Importer } from "#api/importer.ts";
import { recogniseAll } from "../src/platforms/photoshare/recognise.ts";
import { type Recording, recordingCollector } from "./recording-collector.ts";
import { sourceDocument, sourceFile } from "./source-documents.ts";

const FIXTURES = join(import.meta.dirname, "../src/platforms/photoshare/importers/fixtures");

export function nativeOf(record: { native?: object | null | undefined } | undefined): Record<string, unknown> {
  return (record?.native ?? {}) as Record<string, unknown>;
}

export function fixturePath(name: string): string {
  return join(FIXTURES, name);
}

/** Integers beyond 2^53 as text, as the JSON container reads them. */
export function fixture(name: string): unknown {
  return exact(readFileSync(fixturePath(name), "utf8"));
}

export function fixtureLines(name: string): unknown[] {
  return readFileSync(fixturePath(name), "utf8").trim().split("\n").map(exact);
}

function exact(text: string): unknown {
  return JSON.parse(text, exactly);
}

function exactly(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value) ? context?.source : value;
}

/** What the recogniser finds in a value. */
export function recognised(
  value: unknown,
  url: string | null = null,
  of: string | null = null,
  name = "capture.json",
): Recording {
  const { collect, recording } = recordingCollector();
  recogniseAll(value, { document: { url, file: sourceFile(name, of) } }, collect);
  return recording;
}

/** What an importer reads from a fixture, which it must claim. Lists come element by element. */
export function imported(importer: Importer, name: string, of: string | null = null): Recording {
  const file = sourceFile(name, of);
  const value = name.endsWith(".ndjson") ? fixtureLines(name) : fixture(name);
  const { collect, recording } = recordingCollector();
  for (const element of Array.isArray(value) ? value : [value]) {
    const document = sourceDocument("json", element);
    if (importer.detects(document, file)) importer.read(document, file, collect);
    else recording.refused.push("not claimed");
  }
  return recording;
}
