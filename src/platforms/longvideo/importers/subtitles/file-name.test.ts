import assert from "node:assert/strict";
import { test } from "node:test";
import { isForeignName, parseSubtitleName } from "./file-name.ts";

function facts(name: string) {
  const found = parseSubtitleName(name);
  return found === null ? null : [found.videoId, found.language, found.automatic, found.extension];
}

test("a file name gives the video and the language", () => {
  assert.deepEqual(facts("Walk [harbourW01k].en.vtt"), ["harbourW01k", "en", false, "vtt"]);
  assert.deepEqual(facts("Walk. Part 2 [harbourW01k].zh-Hans.srt"), ["harbourW01k", "zh-Hans", false, "srt"]);
  assert.deepEqual(facts("Walk [harbourW01k].en-orig.json3"), ["harbourW01k", "en", true, "json3"]);
  for (const track of ["eEY6OEpapPo", "eEY6OEp_pPo", "uYU-mmqFLq8", "_-Y6OEp--Po"])
    assert.deepEqual(facts(`Walk [harbourW01k].en-GB-${track}.vtt`), ["harbourW01k", "en-GB", false, "vtt"]);
  for (const language of ["en-US", "zh-Hant-TW", "es-419", "ca-ES-valencia", "zh-cmn-Hans-CN", "sl-rozaj-biske"])
    assert.deepEqual(facts(`Walk [harbourW01k].${language}.vtt`), ["harbourW01k", language, false, "vtt"]);
  assert.deepEqual(facts("harbourW01k.srt"), ["harbourW01k", null, false, "srt"]);
  assert.deepEqual(facts("Walk-6iRV8liah8A.de.vtt"), ["6iRV8liah8A", "de", false, "vtt"]);
  assert.deepEqual(facts("my-long-interview01.srt"), [null, null, false, "srt"]);
  assert.equal(parseSubtitleName("vtt"), null);
  assert.ok(isForeignName("Lamps [7312345678901234567].eng-US.vtt"));
  assert.ok(isForeignName("7312345678901234567.srt"));
  for (const name of ["Lamps-731234567890123_mira-1.vtt", "Lamps 731234567890123.vtt", "[731234567890123_1].a.b"])
    assert.ok(isForeignName(name), name);
  assert.ok(!isForeignName("Year 2024 [harbourW01k].en.vtt"));
  for (const name of ["a.731234567890123.vtt", "x731234567890123.vtt", "731234567890123.a.b.c", "731234567890123_.vtt"])
    assert.ok(!isForeignName(name), name);
});
