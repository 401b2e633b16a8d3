/** Junk in every place of every fixture: nothing throws, and no false record comes of it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { SourceDocument, SourceFile } from "#api/importer.ts";
import { IMPORTERS } from "../importers.ts";
import { recogniseAll } from "../recognise.ts";
import { budget } from "#testing/budget.ts";
import { fixtureDocuments, fixtureNames } from "#testing/shortvideo-fixtures.ts";
import { type Recording, recordingCollector } from "#testing/recording-collector.ts";

const FILE: SourceFile = { name: "fixture", segments: ["fixture"], subject: null };

const JUNK = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(
    { toString: 1 },
    { __proto__: null },
    -1,
    0,
    1.5,
    1e300,
    "",
    "0",
    "-1",
    "NaN",
    "12.0",
    [],
    {},
    [[]],
    null,
    true,
    "\0",
    "\ud800",
    {
      $numberLong: "12",
    },
  ),
);

/** The value with its n-th node, counted from the outside in, replaced. */
function withJunk(value: unknown, position: number, junk: unknown): unknown {
  let left = position;
  const visit = (node: unknown): unknown => {
    if (left-- === 0) return junk;
    if (Array.isArray(node)) return node.map(visit);
    if (typeof node !== "object" || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([name, part]) => [name, visit(part)]));
  };
  return visit(value);
}

function countNodes(value: unknown): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce((sum: number, part) => sum + countNodes(part), 1);
}

function assertSound(recording: Recording): void {
  const { accounts, posts, comments, sounds, hashtags, places } = recording;
  for (const record of [...posts, ...comments, ...sounds, ...places]) assert.match(record.id, /^\d+$/);
  for (const account of accounts) assert.ok(account.id ? /^\d+$/.test(account.id) : account.name);
  for (const hashtag of hashtags) assert.ok(hashtag.name !== "" && hashtag.id !== "");
  for (const comment of comments) assert.match(comment.postId, /^\d+$/);
  for (const { counters, capturedAt } of [...accounts, ...posts, ...comments, ...sounds, ...hashtags]) {
    for (const count of Object.values(counters ?? {})) assert.ok(Number.isSafeInteger(count) && count >= 0, `${count}`);
    assert.ok(capturedAt == null || capturedAt > 1e12);
  }
  for (const { publishedAt, durationS } of posts) {
    assert.ok(publishedAt == null || (Number.isSafeInteger(publishedAt) && publishedAt > 1e9));
    assert.ok(durationS == null || durationS > 0);
  }
}

for (const path of fixtureNames()) {
  test(`${path}: junk in any place throws nothing and makes no false record`, async () => {
    const found = (await fixtureDocuments(path)).map((document) => ({ document, nodes: countNodes(document.value) }));
    fc.assert(
      fc.property(fc.nat(), fc.nat(), JUNK, (which, position, junk) => {
        const chosen = found[which % found.length];
        assert.ok(chosen !== undefined);
        const { document, nodes } = chosen;
        const value = withJunk(document.value, position % nodes, junk);
        const changed: SourceDocument = { ...document, value };
        const { collect, recording } = recordingCollector();
        for (const importer of IMPORTERS) {
          importer.detects(changed, FILE);
          importer.read(changed, FILE, collect);
        }
        recogniseAll(value, { url: null, file: FILE }, collect);
        assertSound(recording);
      }),
      { numRuns: budget("junkRuns") },
    );
  });
}

test("arbitrary JSON throws nothing", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom("json", "row", "text"), (value, kind) => {
      const document: SourceDocument = { kind, value, index: 0, capturedAt: null, origin: {} };
      const { collect, recording } = recordingCollector();
      for (const importer of IMPORTERS) {
        assert.equal(importer.detects(document, FILE), false);
        importer.read(document, FILE, collect);
      }
      recogniseAll(value, { url: null, file: FILE }, collect);
      assertSound(recording);
    }),
  );
});
