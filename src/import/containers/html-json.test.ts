import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { extractAssignedJson, extractEmbeddedJson } from "./html-json.ts";

const VALUE = { words: "long enough to be worth a document" };
const DATA = JSON.stringify(VALUE);

const namesIn = (script: string) => extractAssignedJson(script, 100).map(({ name }) => name);

test("values are found in every kind of assignment, with the name of the variable", () => {
  const named: [string, string][] = [
    [`window.state = ${DATA}`, "state"],
    [`window["state"]=${DATA}`, "state"],
    [`self [ 'state' ] = ${DATA}`, "state"],
    [`var state=${DATA}`, "state"],
    [`globalThis.a.b = ${DATA}`, "a.b"],
    [`mywindow.state = ${DATA}`, "mywindow.state"],
    [`(x).state = ${DATA}`, "state"],
    [`window.window.state = ${DATA}`, "window.state"],
    [`window = ${DATA}`, "window"],
    [`hand("over", ${DATA})`, "hand"],
  ];
  for (const [script, name] of named) assert.deepEqual(namesIn(script), [name], script);
  assert.deepEqual(namesIn(`a=${DATA};b=${DATA}`), ["a", "b"]);
});

test("a long name takes linear time", { timeout: 30_000 }, () => {
  for (const unit of ["T.", "T..", "window.", "1."]) assert.deepEqual(namesIn(unit.repeat(500_000)), []);
});

test("JSON in a string, as in posts that are embedded in other sites, is read; what is no object is not", () => {
  const embedded = (json: string) =>
    extractEmbeddedJson(`<html><script>s.handle({"a":[{"contextJSON": ${json}}]});</script></html>`, 100);
  const quoted = JSON.stringify(JSON.stringify({ text: '"\\', id: 1 }).replace(":1", ":3900000000000000601"));
  assert.deepEqual(embedded(quoted), [{ name: "", value: { text: '"\\', id: "3900000000000000601" } }]);
  for (const other of ["null", '"null"', '"text"', '"{"', '"{\\"a\\":']) assert.deepEqual(embedded(other), [], other);
});

/** Counts the characters that are examined one by one, which does not depend on the speed of the machine. */
function countExamined(context: TestContext, work: () => void): number {
  const { mock } = context.mock.method(String.prototype, "charCodeAt");
  work();
  const count = mock.callCount();
  mock.restore();
  return count;
}

test("assignments inside each other take linear time, in and outside of strings, closed or not", (context) => {
  const units = [
    "a=[",
    "a={",
    'a=["',
    'a=[\\"',
    'a=["",',
    'a=["x","',
    'f("",[',
    'a=[1,2,"a=",',
    "a=['",
    'a=[{"b":"a=["},',
  ];
  for (const unit of units) {
    for (const close of ["", "]", "}]", '"]']) {
      const script = unit.repeat(100) + close.repeat(100);
      const examined = countExamined(context, () => extractAssignedJson(script, 100));
      assert.ok(examined <= 8 * script.length, `${unit}…${close}: ${examined} of ${script.length}`);
    }
  }
});

test("quoted JSON inside of quoted JSON takes linear time, closed or not", (context) => {
  for (const unit of ['"contextJSON":"', '"contextJSON":"\\"', '"contextJSON":"{\\"', '\\"contextJSON":"']) {
    const page = `<html><script>${unit.repeat(100)}</script></html>`;
    const examined = countExamined(context, () => extractEmbeddedJson(page, 100));
    assert.ok(examined <= 20 * page.length, `${unit}: ${examined} of ${page.length}`);
  }
});
