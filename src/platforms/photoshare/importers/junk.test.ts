/** Whatever stands in any field of any file: nothing throws, and nothing is kept that is no count and no id. */
import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { test } from "node:test";
import * as fc from "fast-check";
import { ANY_CHARACTER } from "#testing/any-character.ts";
import { fixture, fixtureLines, fixturePath } from "#testing/photoshare-fixtures.ts";
import { type Recording, recordingCollector } from "#testing/recording-collector.ts";
import { sourceDocument, sourceFile } from "#testing/source-documents.ts";
import { IMPORTERS } from "../importers.ts";
import { recogniseAll } from "../recognise.ts";

const NAMES = globSync("**/*.{json,ndjson}", { cwd: fixturePath("") }).toSorted();
const FIXTURES = NAMES.map((name) => ({ name, value: name.endsWith(".ndjson") ? fixtureLines(name) : fixture(name) }));

const junk = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, "", " ", 0, -1, 1.5, 1e300, NaN, Infinity, 2 ** 60, "NaN", "-1", "1e9"),
  fc.constantFrom<unknown>(
    [],
    {},
    { toString: 1 },
    [[]],
    { edges: null },
    { edges: [null, 1, { node: 3 }] },
    { $numberLong: "x" },
  ),
  fc.string(),
  fc.string({ unit: ANY_CHARACTER }),
  fc.integer(),
  fc.double(),
  fc.jsonValue({ maxDepth: 3 }),
);

/** A fixture in which some places hold something else. */
const damaged = fc
  .record({
    fixture: fc.constantFrom(...FIXTURES),
    damage: fc.array(fc.record({ at: fc.nat(), value: junk }), { minLength: 1, maxLength: 6 }),
    of: fc.constantFrom(null, "mira.holm", "C4iLtETgARX", "://"),
  })
  .map(({ fixture: { name, value }, damage, of }) => {
    let copy: unknown = structuredClone(value);
    for (const { at, value: junkValue } of damage) copy = replaced(copy, at, structuredClone(junkValue));
    return { name, value: copy, of };
  });

function replaced(root: unknown, at: number, value: unknown): unknown {
  const places: { holder: Record<string, unknown>; key: string }[] = [];
  (function visit(part: unknown): void {
    if (part === null || typeof part !== "object") return;
    for (const key of Object.keys(part)) {
      places.push({ holder: part as Record<string, unknown>, key });
      visit((part as Record<string, unknown>)[key]);
    }
  })(root);
  const place = places[at % Math.max(places.length, 1)];
  if (place === undefined) return value;
  place.holder[place.key] = value;
  return root;
}

function assertSound(recording: Recording): void {
  const { accounts, posts, comments, sounds, hashtags, places } = recording;
  for (const { counters } of [...accounts, ...posts, ...comments, ...hashtags, ...places]) {
    for (const count of Object.values(counters ?? {})) assert.ok(Number.isSafeInteger(count) && count >= 0, `${count}`);
  }
  for (const { id } of [...posts, ...comments, ...sounds, ...places]) assert.match(id, /^\d{1,20}$/);
  for (const { id, name } of accounts) assert.ok(id ? /^\d{1,20}$/.test(id) : name, "account without id and name");
  for (const { id, name } of hashtags) assert.ok(name !== "" && id !== "");
  for (const { postId } of comments) assert.match(postId, /^\d{1,20}$/);
  for (const { publishedAt } of [...posts, ...comments])
    assert.ok(publishedAt == null || Number.isSafeInteger(publishedAt));
}

test("importers tolerate damage in any field of their files", () => {
  fc.assert(
    fc.property(damaged, ({ name, value, of }) => {
      const file = sourceFile(name, of);
      const { collect, recording } = recordingCollector();
      for (const element of Array.isArray(value) ? [value, ...(value as unknown[])] : [value]) {
        const document = sourceDocument("json", element);
        for (const importer of IMPORTERS) if (importer.detects(document, file)) importer.read(document, file, collect);
      }
      assertSound(recording);
    }),
    { numRuns: 1_500 },
  );
});

test("a type named like a member of every object is no type", () => {
  const types = /^(?:media_type|media_product_type|content_type|type|__typename)$/;
  for (const { name, value } of FIXTURES) {
    const file = sourceFile(name);
    const { collect, recording } = recordingCollector();
    const damage = (key: string, part: unknown) => (types.test(key) && typeof part === "string" ? "constructor" : part);
    const renamed: unknown = JSON.parse(JSON.stringify(value, damage));
    for (const element of Array.isArray(renamed) ? [renamed, ...(renamed as unknown[])] : [renamed]) {
      const document = sourceDocument("json", element);
      for (const importer of IMPORTERS) if (importer.detects(document, file)) importer.read(document, file, collect);
      recogniseAll(element, {}, collect);
    }
    assert.doesNotThrow(() => structuredClone(recording), name);
  }
});

test("the recogniser tolerates damage in any field of any file", () => {
  fc.assert(
    fc.property(damaged, ({ name, value, of }) => {
      const { collect, recording } = recordingCollector();
      recogniseAll(
        value,
        { document: { url: "https://www.instagram.com/graphql/query/?variables=%7B", file: sourceFile(name, of) } },
        collect,
      );
      assertSound(recording);
    }),
    { numRuns: 1_500 },
  );
});

test("arbitrary JSON in any kind of document throws nothing", () => {
  const kinds = fc.constantFrom<"json" | "row" | "text">("json", "row", "text");
  fc.assert(
    fc.property(fc.oneof(junk, fc.jsonValue()), kinds, (value, kind) => {
      const { collect, recording } = recordingCollector();
      const document = sourceDocument(kind, value);
      const file = sourceFile("followers_1.json");
      for (const importer of IMPORTERS) if (importer.detects(document, file)) importer.read(document, file, collect);
      recogniseAll(value, {}, collect);
      assertSound(recording);
    }),
    { numRuns: 1_000 },
  );
});
