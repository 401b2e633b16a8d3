/** Whatever stands in a file, reading it neither throws nor lets through an id or a count that is none. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import * as fc from "fast-check";
import Papa from "papaparse";
import type { Collector, SourceDocument, SourceFile } from "#api/importer.ts";
import { type Recording, recordingCollector } from "#testing/recording-collector.ts";
import { sourceDocument, sourceFile } from "#testing/source-documents.ts";
import { IMPORTERS } from "../importers.ts";
import { recognise } from "../recognise.ts";

const FIXTURES = join(import.meta.dirname, "fixtures");
const NAMES = globSync("**/*.*", { cwd: FIXTURES });

/** As the containers would give it, near enough: a HAR's answers are unwrapped, a page's objects are taken out. */
function documentsIn(name: string): SourceDocument[] {
  const text = readFileSync(join(FIXTURES, name), "utf8");
  if (name.endsWith(".csv")) {
    const { data } = Papa.parse<Record<string, string>>(text, { header: true, skipEmptyLines: true });
    return data.map((row, index) => sourceDocument("row", row, { index }));
  }
  if (name.endsWith(".har")) {
    const { log } = JSON.parse(text) as {
      log: { entries: { request: { url: string }; response: { content: { text: string } } }[] };
    };
    return log.entries.map(({ request, response }) => {
      const { text: body } = response.content;
      const json = body.startsWith("{");
      return sourceDocument(json ? "json" : "text", json ? JSON.parse(body) : body, { origin: { url: request.url } });
    });
  }
  if (name.endsWith(".jsonl")) {
    const lines = text.trim().split("\n");
    return lines.map((line, index) => sourceDocument("json", JSON.parse(line), { index }));
  }
  if (/\.(?:json|json3)$/.test(name)) {
    const value = JSON.parse(text) as unknown;
    return (Array.isArray(value) ? value : [value]).map((item, index) => sourceDocument("json", item, { index }));
  }
  return [sourceDocument("text", text)];
}

const SAMPLES = NAMES.flatMap((name) => documentsIn(name).map((document) => ({ name, document })));

const junk = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    "",
    0,
    -1,
    1.5,
    "-1",
    "1.2K",
    "NaN",
    true,
    [],
    {},
    "\0",
    "\uD800",
    1e300,
    "__proto__",
    { toString: 1 },
  ),
  fc.jsonValue({ maxDepth: 3 }),
);

/** One value somewhere in it replaced; `steps` choose the way down. */
function mutated(value: unknown, steps: number[], replacement: unknown): unknown {
  const [step, ...rest] = steps;
  if (step === undefined || typeof value !== "object" || value === null) return replacement;
  if (Array.isArray(value)) {
    if (value.length === 0) return replacement;
    const at = step % value.length;
    return value.map((item, index) => (index === at ? mutated(item, rest, replacement) : (item as unknown)));
  }
  const entries = Object.entries(value);
  if (entries.length === 0) return replacement;
  const at = step % entries.length;
  return Object.fromEntries(
    entries.map(([key, item], index) => [key, index === at ? mutated(item, rest, replacement) : (item as unknown)]),
  );
}

/** As an import reads it: a named format, else the recogniser at any depth. Returns the format's name, or null. */
function readInto(collect: Collector, document: SourceDocument, file: SourceFile): string | null {
  const importer = IMPORTERS.find((candidate) => candidate.detects(document, file));
  if (importer !== undefined) {
    importer.read(document, file, collect);
    return importer.name;
  }
  const context = { url: document.origin.url ?? null, file };
  const walk = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(walk);
    else if (typeof value === "object" && value !== null) {
      const object = value as Record<string, unknown>;
      if (!recognise(object, collect, walk, context)) Object.values(object).forEach(walk);
    }
  };
  if (document.kind === "json") walk(document.value);
  return null;
}

function assertSound(recording: Recording): void {
  const counted = [...recording.posts, ...recording.accounts, ...recording.comments];
  for (const { id, counters, capturedAt } of counted) {
    if (id != null) assert.match(id, /^[\w.@:=-]{1,200}$/);
    for (const [name, count] of Object.entries(counters ?? {})) {
      assert.ok(Number.isSafeInteger(count) && count >= 0, `${name} is ${count}`);
    }
    if (capturedAt != null) assert.ok(Number.isSafeInteger(capturedAt) && capturedAt > 0);
  }
  for (const { publishedAt, durationS } of recording.posts) {
    if (publishedAt != null) assert.ok(Number.isSafeInteger(publishedAt) && publishedAt > 0);
    if (durationS != null) assert.ok(Number.isSafeInteger(durationS) && durationS > 0);
  }
  for (const { postId } of recording.comments) assert.match(postId, /^[\w-]{5,64}$/);
  for (const { postId, lines } of recording.subtitles) {
    assert.match(postId, /^[\w-]{5,64}$/);
    for (const { startS, durationS, text } of lines) assert.ok(startS >= 0 && durationS >= 0 && text !== "");
  }
  for (const { country, day } of recording.chartEntries)
    assert.match(`${country} ${day}`, /^[A-Z]{2} \d{4}-\d{2}-\d{2}$/);
}

test("every fixture is claimed by a format or recognised, and what it gives is sound", () => {
  for (const { name, document } of SAMPLES.filter((sample) => !sample.name.endsWith(".html"))) {
    const { collect, recording } = recordingCollector();
    readInto(collect, document, sourceFile(name));
    assertSound(recording);
    const { posts, accounts, comments, subtitles, refused, skipped } = recording;
    assert.ok(
      [posts, accounts, comments, subtitles, refused, skipped].some((list) => list.length > 0),
      name,
    );
  }
});

/** The way to each value, of long lists to the first three. */
function* waysInto(value: unknown, way: number[] = []): Generator<number[]> {
  if (way.length > 0) yield way;
  if (typeof value !== "object" || value === null) return;
  const items = Array.isArray(value) ? value.slice(0, 3) : Object.values(value);
  for (const [at, item] of items.entries()) yield* waysInto(item, [...way, at]);
}

test("an object that cannot be converted to a string is read without a throw in every place", () => {
  for (const { name, document } of SAMPLES) {
    for (const way of waysInto(document.value)) {
      for (const value of [{ toString: 1 }, [{ toString: 1 }]]) {
        const { collect, recording } = recordingCollector();
        readInto(collect, { ...document, value: mutated(document.value, way, value) }, sourceFile(name));
        assertSound(recording);
      }
    }
  }
});

test("a fixture with any value in it replaced is read without a throw and without false values", () => {
  fc.assert(
    fc.property(
      fc.nat(SAMPLES.length - 1),
      fc.array(fc.nat(40), { minLength: 1, maxLength: 14 }),
      junk,
      (at, steps, value) => {
        const { name, document } = SAMPLES[at]!;
        const { collect, recording } = recordingCollector();
        readInto(collect, { ...document, value: mutated(document.value, steps, value) }, sourceFile(name));
        assertSound(recording);
      },
    ),
    { numRuns: 3_000 },
  );
});

test("each importer reads what it never asked for without a throw", () => {
  fc.assert(
    fc.property(fc.nat(IMPORTERS.length - 1), fc.nat(SAMPLES.length - 1), fc.option(junk), (importer, at, value) => {
      const { name, document } = SAMPLES[at]!;
      const { collect, recording } = recordingCollector();
      const given = value === null ? document : { ...document, value };
      IMPORTERS[importer]!.detects(given, sourceFile(name));
      IMPORTERS[importer]!.read(given, sourceFile(name), collect);
      assertSound(recording);
    }),
    { numRuns: 2_000 },
  );
});

test("a document nested deeper than any stack is read without a throw", () => {
  let deep: unknown = "end";
  for (let level = 0; level < 50_000; level++) deep = { contents: deep };
  const { collect } = recordingCollector();
  const answer = { responseContext: {}, contents: deep };
  assert.ok(recognise(answer, collect, () => {}, { url: null, file: sourceFile("x.json") }));
});

const FOREIGN: Record<string, unknown> = {
  "a short video": {
    id: "7312345678901234567",
    desc: "Lamps",
    createTime: 1_700_000_000,
    author: { id: "1", uniqueId: "lamp" },
    video: { id: "v", duration: 10 },
    stats: { playCount: 3 },
  },
  "a photo": { pk: "31", code: "Cab", media_type: 1, taken_at: 1_700_000_000, user: { pk: "9", username: "lamp" } },
  "a profile": { data: { user: { username: "lamp", edge_followed_by: { count: 3 } } } },
  "comments of a short video": { comments: [{ cid: "7", text: "hi", aweme_id: "73", user: { uid: "1" } }] },
  "an error of another platform": { error: { message: "Invalid token", type: "OAuthException", code: 190 } },
  "an empty answer": { comments: null, status_code: 0 },
  "a short video of yt-dlp": {
    id: "7312345678901234567",
    extractor: "TikTok",
    extractor_key: "TikTok",
    webpage_url: "https://shorts.example/7312345678901234567",
  },
  "a gallery": { category: "instagram", subcategory: "post", post_id: "3", shortcode: "Cab", likes: 4 },
};

test("tables that look like a takeout's are not taken for one", () => {
  const rows: Record<string, string>[] = [
    { video_id: "barnOwls10o", published_at: "2026-03-01T10:00:00Z" },
    { "Video ID": "barnOwls10o", "Published at": "2026-03-01T10:00:00Z" },
    { "Video ID": "barnOwls10o", Views: "12" },
    {
      channel: "UCbarnOwlsAtTenPm0000001",
      url: "https://www.youtube.com/channel/UCanotherChannel00000001",
      title: "Owls",
    },
    { id: "UgzOwl00000000000001", channel: "UCbarnOwlsAtTenPm0000001", text: "Hoo" },
  ];
  for (const row of rows) {
    const { collect } = recordingCollector();
    const format = readInto(collect, sourceDocument("row", row), sourceFile("list.csv"));
    assert.ok(format?.startsWith("takeout") !== true, JSON.stringify(row));
  }
});

test("objects of other platforms are ignored", () => {
  for (const [what, value] of Object.entries(FOREIGN)) {
    const { collect, recording } = recordingCollector();
    assert.equal(readInto(collect, sourceDocument("json", value), sourceFile("capture.json")), null, what);
    assert.deepEqual(recording, recordingCollector().recording, what);
  }
  const captions = sourceDocument("text", "WEBVTT\n\n00:01.000 --> 00:02.000\nhi\n");
  const name = sourceFile("Lamps [7312345678901234567].eng-US.vtt");
  assert.ok(IMPORTERS.every((importer) => !importer.detects(captions, name)));
});
