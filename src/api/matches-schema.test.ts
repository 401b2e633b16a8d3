import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { Value } from "typebox/value";
import { matchesSchema } from "./matches-schema.ts";
import { Type } from "./schema.ts";

/** Every builder, nested. */
const SCHEMA = Type.Object({
  id: Type.Optional(Type.Integer()),
  state: Type.Enum(["on", "off", 3]),
  level: Type.Union([Type.Number(), Type.Null()]),
  samples: Type.Record(Type.String(), Type.Union([Type.Boolean(), Type.Literal("all")])),
  rows: Type.Array(Type.Object({ name: Type.String(), rest: Type.Unknown() })),
  one: Type.Union([
    Type.Object({ about: Type.Literal("token"), key: Type.String() }),
    Type.Object({ about: Type.Literal("anything") }),
  ]),
});

const matching = fc.record(
  {
    id: fc.integer(),
    state: fc.constantFrom("on", "off", 3),
    level: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
    samples: fc.dictionary(fc.string(), fc.oneof(fc.boolean(), fc.constant("all"))),
    rows: fc.array(fc.record({ name: fc.string(), rest: fc.jsonValue() })),
    one: fc.oneof(
      fc.record({ about: fc.constant("token"), key: fc.string() }),
      fc.constant({ about: "anything", more: 1 }),
    ),
  },
  { requiredKeys: ["state", "level", "samples", "rows", "one"] },
);

/** Every value within, by the path to it. */
function pathsOf(value: unknown): string[][] {
  if (typeof value !== "object" || value === null) return [[]];
  return [[], ...Object.entries(value).flatMap(([name, part]) => pathsOf(part).map((path) => [name, ...path]))];
}

/** With another value at the path, or without one. */
function change(value: unknown, [name, ...path]: readonly string[], to: unknown): unknown {
  if (name === undefined) return to;
  const changed = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  if (path.length === 0 && to === undefined) delete changed[name];
  else changed[name] = change(changed[name], path, to);
  return JSON.parse(JSON.stringify(changed)) as unknown;
}

const scalar = fc.constantFrom(undefined, null, true, "on", "token", "", 0, 1.5, 3, Number.NaN, [], [1], {}, { a: 1 });

test("a value that matches does so by both checks, and one with a part changed as TypeBox says", () => {
  let refused = 0;
  fc.assert(
    fc.property(matching, fc.nat(), scalar, (value, at, to) => {
      assert.ok(matchesSchema(SCHEMA, value));
      const paths = pathsOf(value);
      const changed = change(value, paths[at % paths.length] ?? [], to);
      const expected = Value.Check(SCHEMA, changed);
      if (!expected) refused++;
      assert.equal(matchesSchema(SCHEMA, changed), expected, JSON.stringify(changed));
    }),
    { numRuns: 200 },
  );
  assert.ok(refused > 20, `${refused} were refused`);
});

test("a fraction is no integer, and numbers that JSON does not have are no numbers", () => {
  assert.equal(matchesSchema(Type.Integer(), 1.5), false);
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.equal(matchesSchema(Type.Number(), value), false);
    assert.equal(matchesSchema(Type.Integer(), value), false);
  }
});

test("a keyword that is not checked is an error", () => {
  assert.throws(() => matchesSchema(Type.String({ maxLength: 3 }), "a"), /not checked for the keyword maxLength/);
  const strict = Type.Object({}, { additionalProperties: false });
  assert.throws(() => matchesSchema(strict, {}), /not checked for the keyword additionalProperties/);
});
