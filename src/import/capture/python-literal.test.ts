import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePythonLiteral } from "./python-literal.ts";

test("dictionaries and lists as Python prints them", () => {
  for (const [text, value] of [
    [
      `{'uid': '69', 'nickname': "Bram's", 'bio': None, 'ok': True, 'no': False}`,
      { uid: "69", nickname: "Bram's", bio: null, ok: true, no: false },
    ],
    [
      String.raw`['it\'s', 'a "b"', 'one\ntwo', '\U0001f30a\xe9', 'None, True']`,
      ["it's", 'a "b"', "one\ntwo", "🌊é", "None, True"],
    ],
    ["[{'id': 7411000000000000503, 'score': nan}]", [{ id: "7411000000000000503", score: null }]],
    ["[]", []],
  ] as const) {
    assert.deepEqual(parsePythonLiteral(text, 100), value);
  }
});

test("other text, and a text that is cut, is an error", () => {
  for (const text of ["[not a list]", "{'a': 'b", "['a', datetime(2024)]", "{1, 2}"]) {
    assert.throws(() => parsePythonLiteral(text, 100), text);
  }
});
