import assert from "node:assert/strict";
import { test } from "node:test";
import { type Projection, RawJson, type Rendered, serialiseChunks } from "#domain/projection.ts";
import { getField, withField, withoutField } from "./define-projection.ts";

const named: Projection<{ name: string }, { name: string }> = {
  name: "named",
  version: 1,
  project: ({ name }) => ({ name }),
  renderJson: ({ name }) => JSON.stringify({ name }),
};

test("a field is added to an object and to raw JSON alike, even to an empty one", () => {
  for (const body of [{}, { id: 7 }, { id: "}", list: [{}] }, null]) {
    const expected = { ...body, user: { name: 'a "b"' } };
    assert.deepEqual(withField(body, "user", named, { name: 'a "b"' }), expected);
    const raw = withField(new RawJson(JSON.stringify(body), "digest"), "user", named, { name: 'a "b"' });
    assert.ok(raw instanceof RawJson);
    assert.equal(raw.json, JSON.stringify(expected));
    assert.notEqual(raw.digest, "digest");
  }
});

test("a field is found in an object and in raw JSON alike, and taken out for another", () => {
  const body: { id: string; user?: { name: string } } = { id: '"user":', user: { name: "a" } };
  for (const whole of [body, new RawJson(JSON.stringify(body), "digest")]) {
    assert.deepEqual(getField(whole, "user"), { name: "a" });
    const rest: typeof body | RawJson | null = withoutField(whole, "user");
    assert.equal(getField(rest, "user"), undefined);
    const other = withField(rest, "user", named, { name: "b" });
    assert.deepEqual(getField(other, "user"), { name: "b" });
    assert.deepEqual(getField(other, "id"), '"user":');
  }
});

test("raw JSON is spliced into a body", () => {
  const { chunks, rawParts } = serialiseChunks({
    items: [new RawJson('{"id":1}', "a"), new RawJson("[2]", "b")],
    n: 3,
  });
  assert.deepEqual(chunks, ['{"items":[', ",", '],"n":3}']);
  assert.deepEqual(
    rawParts.map(({ json }) => json),
    ['{"id":1}', "[2]"],
  );
});

test("a handler cannot read the members of a rendered body", () => {
  const rendered: Rendered<{ id: string; text: string }> = { id: "p", capturedAt: 1, body: new RawJson("{}", "d") };
  // @ts-expect-error: the body may be raw JSON, which has no id.
  assert.equal(rendered.body.id, undefined);
  // @ts-expect-error: nor a text.
  assert.equal(rendered.body.text, undefined);
});
