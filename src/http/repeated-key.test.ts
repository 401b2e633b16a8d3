import assert from "node:assert/strict";
import { test } from "node:test";
import { findRepeatedKey } from "./repeated-key.ts";

test("a key that an object has twice is found at any depth, however it is written", () => {
  for (const [json, key] of [
    ['{"a":1,"a":2}', "a"],
    ['{"a":1,"b":{"a":1},"\\u0061":2}', "a"],
    ['[1,{"x":[{"k":1,"k" \n :1}]}]', "k"],
    ['{"":0,"":1}', ""],
    ['{"\\"":0,"\\u0022":1}', '"'],
    ['{"__proto__":1,"__proto__":2}', "__proto__"],
  ] as const)
    assert.equal(findRepeatedKey(json), key, json);
});

test("the same key in different objects, and values that look like keys, are no repetition", () => {
  for (const json of [
    "7",
    '"a"',
    "{}",
    '{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}]}',
    '{"a":"a","b":"a"}',
    '{"a":"{\\"a\\":1","b":["a","a"]}',
    '{"a":"\\\\","b":"\\"a\\":"}',
  ])
    assert.equal(findRepeatedKey(json), null, json);
  assert.equal(findRepeatedKey(`${"[".repeat(30_000)}${"]".repeat(30_000)}`), null);
});
