import assert from "node:assert/strict";
import { test } from "node:test";
import { artistKeys, scrubJson } from "./scrub.ts";

test("the artist of an original sound is found at the end of its title, after any dash", () => {
  for (const title of ["original sound - ines.pardo", "Originalton – ines.pardo", "son original — Take 2 - ines.pardo"])
    assert.deepEqual(artistKeys({ title }), ["@ines.pardo", "~ines.pardo"], title);
  assert.deepEqual(artistKeys({ title: "Rain-dance" }), []);
});

test("a short id without a name beside it may be that of something else", () => {
  const json = JSON.stringify({
    category: { id: "24", title: "Tides" },
    owner: { id: "24", username: "ines.pardo" },
    author: { id: "240001" },
  });
  const scrubbed = scrubJson(json, (kind, key) => kind === "account" && ["24", "240001"].includes(key));
  assert.deepEqual(JSON.parse(scrubbed), { category: { id: "24", title: "Tides" } });
});

test("a mention is found after an at sign of full width too", () => {
  const scrubbed = scrubJson('{"text":"with ＠ines.pardo"}', (_, key) => key === "@ines.pardo");
  assert.deepEqual(JSON.parse(scrubbed), { text: "with [erased]" });
});
