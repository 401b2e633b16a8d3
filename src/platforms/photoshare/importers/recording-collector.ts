/** For tests: keeps what readers hand over, and reads fixtures the way the containers would give them. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Collector, Importer, SourceDocument, SourceFile } from "#contract/importer.ts";
import { recogniseAll } from "../recognise.ts";

type Given<Method extends keyof Collector> = Parameters<Collector[Method]>[0];

export interface Recorded {
  accounts: Given<"account">[];
  posts: Given<"post">[];
  comments: Given<"comment">[];
  sounds: Given<"sound">[];
  hashtags: Given<"hashtag">[];
  places: Given<"place">[];
  follows: Given<"follow">[];
  refused: string[];
  skipped: string[];
}

export function recordingCollector(): Recorded & { collect: Collector } {
  const recorded: Recorded = {
    accounts: [],
    posts: [],
    comments: [],
    sounds: [],
    hashtags: [],
    places: [],
    follows: [],
    refused: [],
    skipped: [],
  };
  const collect: Collector = {
    account(found) {
      recorded.accounts.push(found);
      return found.id ?? `name:${found.name}`;
    },
    post: (found) => void recorded.posts.push(found),
    comment: (found) => void recorded.comments.push(found),
    sound: (found) => void recorded.sounds.push(found),
    hashtag: (found) => void recorded.hashtags.push(found),
    place: (found) => void recorded.places.push(found),
    follow: (found) => void recorded.follows.push(found),
    subtitles: () => {},
    chartEntry: () => {},
    refuse: (reason) => void recorded.refused.push(reason),
    skip: (reason) => void recorded.skipped.push(reason),
  };
  return { ...recorded, collect };
}

export function nativeOf(record: { native?: object | null | undefined } | undefined): Record<string, unknown> {
  return (record?.native ?? {}) as Record<string, unknown>;
}

export function fixturePath(name: string): string {
  return join(import.meta.dirname, "fixtures", name);
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

export function sourceFile(name: string, of: string | null = null): SourceFile {
  return { name, segments: name.split("/"), of };
}

export function jsonDocument(value: unknown, more: Partial<SourceDocument> = {}): SourceDocument {
  return { kind: "json", value, index: 0, capturedAt: null, origin: {}, ...more };
}

/** What the recogniser finds in a value. */
export function recognised(value: unknown, url: string | null = null, of: string | null = null): Recorded {
  const { collect, ...recorded } = recordingCollector();
  recogniseAll(value, { scene: { url, file: sourceFile("capture.json", of) } }, collect);
  return recorded;
}

/** What an importer reads from a fixture, which it must claim. Lists come element by element. */
export function imported(importer: Importer, name: string, of: string | null = null): Recorded {
  const file = sourceFile(name, of);
  const value = name.endsWith(".ndjson") ? fixtureLines(name) : fixture(name);
  const { collect, ...recorded } = recordingCollector();
  for (const element of Array.isArray(value) ? value : [value]) {
    const document = jsonDocument(element);
    if (importer.detects(document, file)) importer.read(document, file, collect);
    else recorded.refused.push("not claimed");
  }
  return recorded;
}
