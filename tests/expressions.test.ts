/**
 * No regular expression of the service takes the square of a text's length, or worse: each is analysed, however it is
 * written. One that is built at run time is caught while its module loads.
 *
 * The verdict depends on the expression alone, so those that were found safe are written down in safe-expressions.json and
 * only new ones are analysed. `npm run test:full` analyses them all; `UPDATE=1 node --test tests/expressions.test.ts` does so
 * and rewrites the list.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { parse, tokTypes, type Token as TypedToken } from "acorn";
import { check, type Diagnostics } from "recheck";
import { budget, IS_FULL } from "#testing/budget.ts";

const SOURCES = join(import.meta.dirname, "..", "src");
const SAFE_LIST = join(import.meta.dirname, "safe-expressions.json");
const UPDATES = process.env["UPDATE"] === "1";

/**
 * Bounds count characters, not time: a busy machine changes no verdict. Lookarounds and large counted repeats are beyond
 * the analyser's proofs; there it searches for an attack, and these sizes find all that the larger defaults found.
 */
const ANALYSIS = {
  timeout: null,
  attackTimeout: null,
  incubationTimeout: null,
  maxInitialGenerationSize: 100,
  maxGenerationSize: 30,
  maxIteration: 3,
};

/** Its types leave out what a token says. */
type Token = TypedToken & { value?: unknown };

interface Expression {
  /** `file:line`. */
  place: string;
  source: string;
  flags: string;
}

/** Expressions that stay although they are not safe: by source, with the reason and the bound of what they meet. */
const ALLOWED: Record<string, string> = {};

const written: Expression[] = [];
/** Where `new RegExp` stands. */
const constructed: string[] = [];
const built = new Map<string, Expression>();

before(async () => {
  const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !/\.(?:test|contract)\.ts$/.test(name),
  );
  for (const name of files) readTokens(name);
  const stopRecording = recordBuilt();
  for (const name of new Set(constructed.map((place) => place.replace(/:\d+$/, ""))))
    await import(pathToFileURL(join(SOURCES, name)).href);
  stopRecording();
});

function readTokens(name: string): void {
  const tokens: Token[] = [];
  const script = stripTypeScriptTypes(readFileSync(join(SOURCES, name), "utf8"));
  parse(script, { ecmaVersion: "latest", sourceType: "module", locations: true, onToken: tokens });
  for (const [at, { type, value, loc }] of tokens.entries()) {
    const place = `${name}:${loc?.start.line}`;
    if (type === tokTypes.regexp) {
      const { pattern, flags } = value as { pattern: string; flags: string };
      written.push({ place, source: pattern, flags });
    } else if (value === "RegExp" && tokens[at + 1]?.type === tokTypes.parenL) constructed.push(place);
    else if (value === "pattern" && tokens[at + 1]?.type === tokTypes.colon) {
      // Of a schema: requests are checked with it.
      const text = tokens[at + 2];
      assert.equal(text?.type, tokTypes.string, `${place}: a schema's pattern must be a literal`);
      written.push({ place, source: String(text.value), flags: "u" });
    }
  }
}

/** Notes what is built by the sources, with its place; returns the function that ends it. */
function recordBuilt(): () => void {
  const own = globalThis.RegExp;
  const places = new own(`${pathToFileURL(SOURCES).href}/(.+?:\\d+):\\d+`);
  globalThis.RegExp = new Proxy(own, {
    construct(target, args, made) {
      const expression = Reflect.construct(target, args, made) as RegExp;
      const place = places.exec(new Error().stack ?? "")?.[1];
      if (place !== undefined) built.set(place, { place, source: expression.source, flags: expression.flags });
      return expression;
    },
  });
  return () => {
    globalThis.RegExp = own;
  };
}

async function analyse(expressions: readonly Expression[]): Promise<string[]> {
  const waiting = [...expressions];
  const faults: string[] = [];
  const lane = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { place, source, flags } = next;
      const fault = faultOf(await check(source, flags, ANALYSIS));
      if (fault !== null) faults.push(`${place} /${source}/${flags} ${fault}`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
  return faults;
}

function faultOf(verdict: Diagnostics): string | null {
  if (verdict.status === "safe") return null;
  if (verdict.status === "unknown") return `cannot be analysed: ${verdict.error.kind}`;
  return `is ${verdict.complexity.summary}; attack: ${verdict.attack.pattern}`;
}

test("every expression that is built at run time is built while its module loads, and seen here", () => {
  assert.deepEqual(
    constructed.filter((place) => !built.has(place)),
    [],
    "build it at the top of its module",
  );
});

test("no expression takes more than linear time", { timeout: 600_000 }, async () => {
  const all = [...written, ...built.values()];
  assert.ok(all.length > 250, `only ${all.length} expressions were found`);
  const different = new Map(
    all
      .filter(({ source }) => ALLOWED[source] === undefined)
      .map((expression) => [`/${expression.source}/${expression.flags}`, expression]),
  );
  const known = new Set(IS_FULL || UPDATES ? [] : (JSON.parse(readFileSync(SAFE_LIST, "utf8")) as string[]));
  const unknown = [...different].filter(([text]) => !known.has(text));
  const unsafe = await analyse(unknown.map(([, expression]) => expression));
  assert.deepEqual(unsafe.toSorted(), []);
  if (UPDATES) writeFileSync(SAFE_LIST, `${JSON.stringify([...different.keys()].toSorted(), null, 2)}\n`);
});

test("expressions that may stay are still there", () => {
  const sources = new Set([...written, ...built.values()].map(({ source }) => source));
  assert.deepEqual(
    Object.keys(ALLOWED).filter((source) => !sources.has(source)),
    [],
  );
});

test("the analyser finds what it is kept for, by proof and by search", { timeout: 600_000 }, async () => {
  const all: [string, string][] = [
    [String.raw`\s*\n\s*`, "polynomial"],
    [String.raw`(?<!x)"(?:[^"\\]|\\.)*"`, "polynomial"],
    [String.raw`^(?:<!--[^]*?-->\s*)*<tt\b`, "exponential"],
    [String.raw`(?:(?:var|let)\s+)?([A-Za-z_$][\w$.]*)\s*(?:=|\("[^"\n]{0,512}",)\s*(?=[{[])`, "polynomial"],
  ];
  const harmful = all.slice(0, budget("harmfulExpressions"));
  const faults = await analyse(harmful.map(([source]) => ({ place: source, source, flags: "" })));
  for (const [source, complexity] of harmful) {
    const fault = faults.find((text) => text.startsWith(source)) ?? "found safe";
    assert.ok(fault.includes(complexity), `${source}: ${fault}`);
  }
});
