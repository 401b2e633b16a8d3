import assert from "node:assert/strict";
import { test } from "node:test";
import { readAccountName } from "./account-name.ts";

test("names lose their @, and invalid names are rejected", () => {
  for (const [value, name] of [
    ["@mara.quillfeather", "mara.quillfeather"],
    ["tobin_ashgrove", "tobin_ashgrove"],
    ["", undefined],
    ["@", undefined],
    ["two words", undefined],
    ["REDACTED", undefined],
    ["redacted", "redacted"],
  ]) {
    assert.equal(readAccountName(value), name);
  }
});
