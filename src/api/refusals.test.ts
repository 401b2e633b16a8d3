import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { refusalCode, REFUSALS, refusalText, withDetail } from "./refusals.ts";

test("a reason is a code, or a code with a detail, and is shown as a message", () => {
  assert.equal(refusalCode("post_without_id"), "post_without_id");
  assert.equal(refusalText("post_without_id"), REFUSALS.post_without_id);
  assert.equal(refusalCode("json_broken: at character 8"), "json_broken");
  assert.equal(refusalText("json_broken: at character 8"), "invalid JSON (at character 8)");
});

test("details add up, and the code stays", () => {
  const one = withDetail("json_broken", "in a response");
  assert.equal(one, "json_broken: in a response");
  assert.equal(withDetail(one, "in script data"), "json_broken: in a response, in script data");
});

test("reasons of older versions, and names that every object has, are shown as they are", () => {
  for (const old of ["a post has no id", "script x: it is not JSON", "constructor", "toString: x", ""]) {
    assert.equal(refusalCode(old), null);
    assert.equal(refusalText(old), old);
  }
});

test("codes are words and underscores; messages are unique, one line, without a full stop", () => {
  for (const [code, message] of Object.entries(REFUSALS)) {
    assert.match(code, /^[a-z]+(?:_[a-z]+)+$|^(?:damaged|encrypted)$/);
    assert.match(message, /^[^\n|]+[^.\n|]$/, code);
  }
  assert.equal(new Set(Object.values(REFUSALS)).size, Object.keys(REFUSALS).length);
});

test("docs/importing.md lists exactly this table", () => {
  const docs = readFileSync(new URL("../../docs/importing.md", import.meta.url), "utf8");
  const section = /^### Why something is refused$(.*?)^## /ms.exec(docs)?.[1] ?? "";
  const listed = [...section.matchAll(/^\| `(\w+)` +\| (.*?) +\|$/gm)].map(([, code, message]) => [code, message]);
  assert.deepEqual(
    listed,
    Object.entries(REFUSALS).map(([code, message]) => [code, message.replaceAll(/<[^>]+>/g, "`$&`")]),
  );
});
