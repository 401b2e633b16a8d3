import assert from "node:assert/strict";
import { test } from "node:test";
import { detectTextKind } from "./detect.ts";

const kindOf = (text: string) => detectTextKind(text, true, "capture").kind;

test("caption files are detected by their root element, whatever comments precede it", () => {
  const notes = "<!-- made - by -- hand --> <!---->\n<!--\n-->";
  assert.equal(kindOf(`<?xml version="1.0"?>\n${notes}<tt><head></head></tt>`), "text");
  assert.equal(kindOf(`${notes}<transcript><body></body></transcript>`), "text");
  assert.equal(kindOf(`${notes}<html><head></head></html>`), "page");
  assert.equal(kindOf(`<!-- <tt> --><html></html>`), "page");
  assert.equal(kindOf(`${"<!---->".repeat(580)}x`), "text");
});

test("captions that begin with a number are text", () => {
  for (const lineEnd of ["\n", "\r\n", " \r\n", "\n\n "])
    assert.equal(kindOf(`1${lineEnd}00:00:01,000 --> 00:00:02,000\n{"a": 1}\n`), "text");
});

test("one complete line at the beginning of a file is NDJSON if it is JSON by itself or the file's name says so", () => {
  const kindOfStart = (head: string, name: string) => detectTextKind(head, false, name).kind;
  for (const start of ['[{"a":1},\n{"a":2', '[\n{"a":1', '{\n"items":[{"a":1']) {
    assert.equal(kindOfStart(start, "capture"), "json");
    assert.equal(kindOfStart(start, "capture.jsonl"), "ndjson");
  }
  assert.equal(kindOfStart('{"a":1}\n{"a":2', "capture"), "ndjson");
});
