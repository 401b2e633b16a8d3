import assert from "node:assert/strict";
import { test } from "node:test";
import { findPreferredTrack, findTrack } from "./subtitle-choice.ts";

const written = (language: string) => ({ language, automatic: false });
const automatic = (language: string) => ({ language, automatic: true });

test("the requested language is matched case-insensitively", () => {
  assert.deepEqual(findTrack([written("es"), written("pt-br")], "pt-BR"), written("pt-br"));
});

test("codes that name the same language match, in either place", () => {
  assert.deepEqual(findTrack([written("iw")], "he"), written("iw"));
  assert.deepEqual(findTrack([automatic("eng-US")], "en-US"), automatic("eng-US"));
  assert.deepEqual(findTrack([automatic("eng-US")], "en"), automatic("eng-US"));
  assert.deepEqual(findPreferredTrack([written("en"), written("he")], ["iw"]), written("he"));
});

test("an exact match precedes a broader or narrower one", () => {
  assert.deepEqual(findTrack([written("en-GB"), automatic("en")], "en"), automatic("en"));
  assert.deepEqual(findTrack([written("en"), automatic("en-GB")], "en-GB"), automatic("en-GB"));
});

test("a broader or narrower track of the same language matches, a sibling does not", () => {
  assert.deepEqual(findTrack([written("es"), written("en-GB")], "en"), written("en-GB"));
  assert.deepEqual(findTrack([written("es"), written("en")], "en-GB"), written("en"));
  assert.equal(findTrack([written("zh-Hans")], "zh-Hant"), null);
  assert.equal(findTrack([written("enm")], "en"), null);
  assert.equal(findTrack([], "en"), null);
});

test("manual tracks precede automatic ones", () => {
  assert.deepEqual(findTrack([automatic("en"), written("en")], "en"), written("en"));
  assert.deepEqual(findTrack([written("en-US"), written("en-GB"), automatic("en-AU")], "en"), written("en-GB"));
});

test("without a language the video's own is preferred, then the service's, then the first by code", () => {
  const tracks = [written("ja"), automatic("ar"), written("es")];
  assert.deepEqual(findPreferredTrack(tracks, ["ja", "es"]), written("ja"));
  assert.deepEqual(findPreferredTrack(tracks, ["hi", "es"]), written("es"));
  assert.deepEqual(findPreferredTrack(tracks, [null, "es"]), written("es"));
  assert.deepEqual(findPreferredTrack(tracks, [null, "en"]), automatic("ar"));
  assert.equal(findPreferredTrack([], ["en"]), null);
});
