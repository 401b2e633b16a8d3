import assert from "node:assert/strict";
import { test } from "node:test";
import { Type as TypeBox } from "typebox";
import { Type } from "./schema.ts";

type Builders = typeof Type;

/** Every builder, nested, with options and without. */
function sampleSchemas(type: Builders) {
  const options = { description: "A value.", default: 3 };
  const numbers = [type.Integer({ minimum: 1 }), type.Number(options), type.Literal(7), type.Enum([7, 30], options)];
  const texts = [type.String({ maxLength: 5 }), type.Literal("a", options), type.Enum(["a", "b"])];
  return [
    ...numbers,
    ...texts,
    type.String(),
    type.Boolean(options),
    type.Null(),
    type.Unknown(),
    type.Unknown(options),
    type.Union([type.String(), type.Null()], options),
    type.Array(type.Array(type.Boolean()), { maxItems: 3 }),
    type.Object({}),
    type.Unsafe<"a">(type.Object({})),
    type.Record(type.String(), type.Union([type.Number(), type.Null()])),
    type.Object({ rest: type.Optional(type.Unknown()) }, { additionalProperties: true }),
    type.Object(
      {
        id: type.String(),
        size: type.Optional(type.Integer({ minimum: 0 })),
        inner: type.Object({
          flags: type.Optional(type.Array(type.Boolean())),
          name: type.Union([type.String(), type.Null()]),
        }),
      },
      { additionalProperties: false, description: "An object." },
    ),
  ];
}

test("schemas are those of TypeBox", () => {
  assert.equal(JSON.stringify(sampleSchemas(Type), null, 1), JSON.stringify(sampleSchemas(TypeBox), null, 1));
  assert.deepEqual(
    Object.keys(Type).toSorted(),
    Object.keys(Type)
      .filter((name) => name in TypeBox)
      .toSorted(),
  );
});
