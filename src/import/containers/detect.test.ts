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

test("the name decides on what may be a text or a table, unless the user says that it is a table", () => {
  const kindIn = (text: string, name: string, isTable = false) => detectTextKind(text, true, name, isTable);
  assert.deepEqual(kindIn("a,b\n1,2\n", "t.txt"), { kind: "text" });
  assert.deepEqual(kindIn("a,b\n1,2\n", "t.txt", true), { kind: "table", separator: "," });
  assert.deepEqual(kindIn("Hello, you", "note"), { kind: "text" });
  assert.deepEqual(kindIn("id;title", "t.csv"), { kind: "table", separator: ";" });
  assert.deepEqual(kindIn("id\n1\n", "t.tsv"), { kind: "table", separator: "\t" });
});

test("the separator is the one that splits the rows evenly, not the one with the most cells in the first", () => {
  const table = detectTextKind("id;title, of, it, all\n1;a\n2;b\n", true, "t.csv");
  assert.deepEqual(table, { kind: "table", separator: ";" });
});

test("few control characters, or few for its length, make no text binary", () => {
  assert.equal(kindOf("\u0001a"), "text");
  assert.equal(kindOf("\u0001".repeat(9) + "a".repeat(100)), "text");
  assert.equal(kindOf("\u0001".repeat(9) + "a".repeat(80)), "binary");
});

test("a plain value is JSON, and lines are NDJSON if half of them are JSON, however deep", () => {
  assert.equal(kindOf('"a"'), "json");
  assert.equal(kindOf('{"a":1}\n{"b":'), "ndjson");
  const deep = "[".repeat(200) + "]".repeat(200);
  assert.equal(kindOf(`${deep}\n${deep}\n{"a":1}\n`), "ndjson");
});
