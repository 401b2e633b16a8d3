import assert from "node:assert/strict";
import { test } from "node:test";
import { isForeignName, parseSubtitleName } from "#platforms/longvideo/importers/subtitles/file-name.ts";
import { readSubtitleText } from "./read-subtitle-text.ts";

const texts = (source: string, ending: string) => readSubtitleText(source, ending).lines.map(({ text }) => text);

test("a bad cue costs no other: broken times, missing texts, missing times, texts of times", () => {
  const broken = [
    "WEBVTT",
    "",
    "00:00:00.500 --> 00:00:07.000",
    "first",
    "",
    "00:00:07.000 --> 00:00:1d.890",
    "broken time",
    "",
    "no time",
    "",
    "00:00:08.000 --> 00:00:09.000",
    "",
    "00:00:10.000 --> 00:00:11.000",
    "00:00:10.000 --> 00:00:11.000",
    "second",
    "",
    "00:00:20.000 --> 00:00:12.000",
    "ends before it begins",
  ];
  assert.deepEqual(texts(broken.join("\n"), "vtt"), ["first", "second"]);
});

test("headers, notes, styles, identifiers and markup are no text", () => {
  const decorated = [
    "WEBVTT - a title",
    "Kind: captions",
    "Language: nb",
    "",
    "NOTE",
    "made by hand",
    "",
    "STYLE",
    "::cue { color: red }",
    "",
    "the first",
    "00:01.000 --> 00:02.000 align:start",
    "<v Ada>Hei &amp; <b>hallo</b></v>",
    "",
    "2",
    "00:02.000 --> 00:03.000",
    "- 1 < 2",
  ];
  const { lines, language, isRolling } = readSubtitleText(decorated.join("\r\n"), "vtt");
  assert.deepEqual(
    lines.map(({ text }) => text),
    ["Hei & hallo", "- 1 < 2"],
  );
  assert.equal(language, "nb");
  assert.equal(isRolling, false);
});

test("people may say the same twice; only speech recognition rolls", () => {
  const said = "WEBVTT\n\n00:01.000 --> 00:02.000\nNo.\n\n00:02.000 --> 00:03.000\nNo.\n";
  assert.deepEqual(texts(said, "vtt"), ["No.", "No."]);
  const heard = said.replace("No.", "<00:00:01.200><c>No.</c>");
  assert.deepEqual(readSubtitleText(heard, "vtt").lines, [{ startS: 1, durationS: 2, text: "No." }]);
});

test("SubRip with either separator, with hours or without", () => {
  assert.deepEqual(readSubtitleText("1\n01:00:07,000 --> 01:00:11.890\nlate\n", "srt").lines, [
    { startS: 3607, durationS: 4.89, text: "late" },
  ]);
});

test("nothing to read gives no line", () => {
  for (const ending of ["vtt", "srt", "ttml", "srv1", "json3"]) {
    for (const source of ["", "1", "WEBVTT", "{", "{}", "<tt>", "some text\n00:00:00,500 --> 00:00:07,000"]) {
      assert.deepEqual(readSubtitleText(source, ending).lines, [], `${ending}: ${source}`);
    }
  }
});

function facts(name: string) {
  const found = parseSubtitleName(name);
  return found === null ? null : [found.videoId, found.language, found.automatic, found.extension];
}

test("names of files tell the video and the language", () => {
  assert.deepEqual(facts("Walk [harbourW01k].en.vtt"), ["harbourW01k", "en", false, "vtt"]);
  assert.deepEqual(facts("Walk. Part 2 [harbourW01k].zh-Hans.srt"), ["harbourW01k", "zh-Hans", false, "srt"]);
  assert.deepEqual(facts("Walk [harbourW01k].en-orig.json3"), ["harbourW01k", "en", true, "json3"]);
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
