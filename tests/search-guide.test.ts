/** The examples of the search guide, and the searches of the other guides, find something in the demo world. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { after, before, describe, test } from "node:test";
import { query, startTestServer, type TestServer } from "./test-server.ts";

const ROOT = resolve(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const spansIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);

interface Body {
  matched: string | null;
  corrected: string | null;
  ignored: unknown[];
  results: { title: string | null; text: string | null }[];
}

describe("the guides on the demo world", () => {
  const guide = read("docs/search.md");
  let server: TestServer;
  before(async () => {
    server = await startTestServer("demo", { RATE_LIMIT: "off" });
  });
  after(() => server.close());

  const find = (q: string) => server.json<Body>(`/api/search?${query({ q })}`);

  test("every query of the table finds records with all of it", async () => {
    const rows = [...guide.matchAll(/^\| (`.+?`) +\| (.+) \|$/gm)];
    const queries = rows.flatMap(([, first = "", second = ""]) => [
      ...spansIn(first),
      // Whole queries; others are values or handles.
      ...spansIn(second).filter((span) => /^-?(?:[a-z]+:)?"|^#/.test(span)),
    ]);
    assert.ok(queries.length >= 14, queries.join("\n"));
    const missed: string[] = [];
    for (const q of queries) {
      const { results, matched, corrected, ignored } = await find(q);
      if (results.length === 0 || matched !== "all" || corrected !== null || ignored.length > 0) missed.push(q);
    }
    assert.deepEqual(missed, []);
  });

  test("every word that finds another finds it, and every correction is one", async () => {
    const found = [...guide.matchAll(/`([^`]+)`\s+finds\s+`([^`:#]+)`/g)];
    assert.ok(found.length >= 2, `${found.length} examples`);
    for (const [, q = "", form = ""] of found) {
      const { results } = await find(q);
      const texts = results.map(({ title, text }) => `${title} ${text}`.toLowerCase());
      assert.ok(
        texts.some((text) => text.includes(form.toLowerCase())),
        `${q} finds ${form}`,
      );
    }
    const becomes = [...guide.matchAll(/`([^`]+)`\s+becomes\s+`([^`]+)`/g)];
    assert.ok(becomes.length >= 2, `${becomes.length} examples`);
    for (const [, q = "", expected] of becomes) assert.equal((await find(q)).corrected, expected, q);
  });

  test("the sentence finds records with some of its words, and what is not searched is named", async () => {
    const [, sentence = ""] = /`([^`]+)` finds posts about/.exec(guide) ?? [];
    assert.equal((await find(sentence)).matched, "some");
    const part = guide.slice(guide.indexOf("## Terms that are not searched"), guide.indexOf("Search-Ignored"));
    const [bad = "", text = ""] = part.split("Any other text with a colon is text:");
    const terms = spansIn(bad).filter((span) => /^[a-z_]+:\S/.test(span));
    assert.ok(terms.length >= 6, terms.join("\n"));
    for (const term of terms) assert.equal((await find(`pottery ${term}`)).ignored.length, 1, term);
    const texts = spansIn(text.slice(0, text.indexOf("/api/search")));
    assert.ok(texts.length >= 5, texts.join("\n"));
    for (const term of texts) assert.deepEqual((await find(`pottery ${term}`)).ignored, [], term);
  });

  test("the searches of the other guides find something", async () => {
    const queries = globSync(["README.md", "docs/*.md", "docs/guides/*.md"], { cwd: ROOT }).flatMap((page) => {
      const text = read(page);
      const addresses = [...text.matchAll(/(?:\/api\/search|search\.(?:atom|json))\?q=([^&'"`\s)]+)/g)];
      const commands = [...text.matchAll(/get search q=(?:"([^"]+)"|'([^']+)'|([^\s'"`]+))/g)];
      return [
        ...addresses.map(([, encoded = ""]) => new URLSearchParams(`q=${encoded}`).get("q") ?? ""),
        ...commands.map(([, double, single, bare]) => double ?? single ?? bare ?? ""),
      ].map((q) => ({ page, q }));
    });
    assert.ok(queries.length >= 4, JSON.stringify(queries));
    for (const { page, q } of queries) {
      const { results, matched } = await find(q);
      assert.ok(results.length > 0 && matched === "all", `${page}: ${q}`);
    }
  });
});
