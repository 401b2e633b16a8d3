import assert from "node:assert/strict";
import { test } from "node:test";
import { assignedJson } from "./html-json.ts";

const VALUE = { words: "long enough to be worth a document" };
const DATA = JSON.stringify(VALUE);

const namesIn = (script: string) => assignedJson(script, 100).map(({ name }) => name);

test("values are found however they are handed over, under the name that they bear", () => {
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

test("a long name costs no more than its length", { timeout: 30_000 }, () => {
  for (const unit of ["T.", "T..", "window.", "1."]) assert.deepEqual(namesIn(unit.repeat(500_000)), []);
});
