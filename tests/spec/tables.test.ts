import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { checkAgainstSpec, SPEC_PARTS, SPEC_TABLES } from "../spec-tables.ts";
import { type Shape, shapeOf } from "./check.ts";
import { sampleBody } from "./sample-body.ts";

const OPERATIONS = Object.entries(SPEC_TABLES);

describe("the tables", () => {
  test("stand under the names of their paths, each once", () => {
    for (const [name, { path }] of OPERATIONS) assert.equal(path, `/api/${name}`);
    const names = SPEC_PARTS.flatMap((part) => Object.keys(part));
    assert.deepEqual(names.toSorted(), Object.keys(SPEC_TABLES).toSorted());
  });

  test("send parameters where the method and the encoding allow it", () => {
    for (const [name, { method, encoding, parameters }] of OPERATIONS) {
      const place = method === "GET" ? "query" : "body";
      assert.equal(encoding === "query", method === "GET", name);
      for (const [parameter, spec] of Object.entries(parameters)) {
        assert.equal(spec.in, place, `${name} ${parameter}`);
      }
    }
  });

  test("keep every default within its limits", () => {
    for (const [name, { parameters }] of OPERATIONS) {
      for (const [parameter, spec] of Object.entries(parameters)) {
        if (typeof spec.default !== "number") continue;
        const inRange = spec.default >= (spec.minimum ?? 0) && spec.default <= (spec.maximum ?? Infinity);
        assert.ok(inRange && (spec.oneOf?.includes(spec.default) ?? true), `${name} ${parameter}`);
      }
    }
  });
});

describe("no field can be taken away, changed or added in silence", () => {
  for (const [name, { response }] of OPERATIONS) {
    test(name, () => {
      const shape = shapeOf(response);
      assert.deepEqual(checkAgainstSpec(name, sampleBody(shape)), []);
      for (const place of placesOf(shape)) {
        const spoilt = (spoil: (holder: Record<string, unknown>) => void) => {
          const body = sampleBody(shape);
          spoil(holderOf(body, place));
          return checkAgainstSpec(name, body);
        };
        const way = [...place.holder, place.name].join(".");

        const removed = spoilt((holder) => delete holder[place.name]);
        assert.equal(removed.length, place.optional ? 0 : 1, `${way} taken away`);

        // No word takes this value, save the one that takes all.
        const changed = spoilt((holder) => (holder[place.name] = Number.NaN));
        assert.equal(changed.length, place.takesAll ? 0 : 1, `${way} changed`);

        const added = spoilt((holder) => (holder["unheard_of"] = null));
        assert.equal(added.length, place.open ? 0 : 1, `a field beside ${way}`);
      }
    });
  }
});

interface Place {
  /** The way through a sample body to the object that has the field. */
  holder: (string | number)[];
  name: string;
  optional: boolean;
  takesAll: boolean;
  /** Other fields may stand beside it. */
  open: boolean;
}

/** Every field that a table names. */
function placesOf(shape: Shape, at: (string | number)[] = [], openAbove = false): Place[] {
  if (shape.kind === "value") return [];
  if (shape.kind === "list") return shape.items === null ? [] : placesOf(shape.items, [...at, 0], openAbove);
  const open = openAbove || shape.open;
  return [...shape.fields].flatMap(([name, { shape: below, optional }]) => [
    {
      holder: at,
      name,
      optional,
      open,
      takesAll: below.kind === "value" && below.word === "nullable",
    },
    ...placesOf(below, [...at, name], open),
  ]);
}

function holderOf(body: unknown, place: Place): Record<string, unknown> {
  let holder = body as Record<string | number, unknown>;
  for (const step of place.holder) holder = holder[step] as Record<string | number, unknown>;
  return holder;
}
