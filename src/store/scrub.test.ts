import assert from "node:assert/strict";
import { test } from "node:test";
import { artistKeys } from "./scrub.ts";

test("the artist of an original sound is found at the end of its title, after any dash", () => {
  for (const title of ["original sound - ines.pardo", "Originalton – ines.pardo", "son original — Take 2 - ines.pardo"])
    assert.deepEqual(artistKeys({ title }), ["@ines.pardo", "~ines.pardo"], title);
  assert.deepEqual(artistKeys({ title: "Rain-dance" }), []);
});
