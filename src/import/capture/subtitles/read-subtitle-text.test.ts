import assert from "node:assert/strict";
import { test } from "node:test";
import { readSubtitleText } from "./read-subtitle-text.ts";

const texts = (source: string, ending: string) => readSubtitleText(source, ending).lines.map(({ text }) => text);

test("a bad cue does not affect others: broken times, missing texts, missing times", () => {
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

test("headers, notes, styles, identifiers and markup are not text", () => {
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

test("repeated lines stay, unless they are rolling captions of speech recognition", () => {
  const said = "WEBVTT\n\n00:01.000 --> 00:02.000\nNo.\n\n00:02.000 --> 00:03.000\nNo.\n";
  assert.deepEqual(texts(said, "vtt"), ["No.", "No."]);
  const heard = said.replace("No.", "<00:00:01.200><c>No.</c>");
  assert.deepEqual(readSubtitleText(heard, "vtt").lines, [{ startS: 1, durationS: 2, text: "No." }]);
});

test("SubRip without empty lines has no cue numbers in its text, and keeps numbers that are said", () => {
  const cue = (number: number, text: string) => `${number}\n00:00:0${number},000 --> 00:00:0${number},900\n${text}\n`;
  assert.deepEqual(texts([cue(1, "Count:"), cue(2, "7"), cue(3, "4\n9"), cue(4, "Done")].join(""), "srt"), [
    "Count:",
    "7",
    "4\n9",
    "Done",
  ]);
  const unnumbered = "WEBVTT\n\n00:01.000 --> 00:02.000\nCount\n2\n00:02.000 --> 00:03.000\nDone\n";
  assert.deepEqual(texts(unnumbered, "vtt"), ["Count\n2", "Done"]);
});

test("SubRip of rolling captions, which has lost the words' times, has each line once", () => {
  const times = [
    "00,200 --> 00:00:02,300",
    "02,300 --> 00:00:02,310",
    "02,310 --> 00:00:05,000",
    "05,000 --> 00:00:05,010",
  ];
  const cue = (at: number, text: string) => `${at + 1}\n00:00:${times[at]}\n${text}\n\n`;
  const rolling = ["good morning", "good morning\n ", "good morning\nharbour", "harbour"].map((text, at) =>
    cue(at, text),
  );
  assert.deepEqual(readSubtitleText(rolling.join(""), "srt"), {
    lines: [
      { startS: 0.2, durationS: 2.11, text: "good morning" },
      { startS: 2.31, durationS: 2.7, text: "harbour" },
    ],
    isRolling: true,
    language: undefined,
  });
  for (const sung of [
    ["La la", "La la", "La la", "La la"],
    ["Row\nrow", "row\nyour boat", "gently", "down the stream"],
  ]) {
    const { lines, isRolling } = readSubtitleText(sung.map((text, at) => cue(at, text)).join(""), "srt");
    assert.deepEqual([lines.map(({ text }) => text), isRolling], [sung, false]);
  }
});

test("SubRip whose empty lines contain a space", () => {
  const spaced = "1\n00:00:01,000 --> 00:00:02,000\nroom\n101\n \n2\n00:00:02,000 --> 00:00:03,000\n \n42\n\n";
  assert.deepEqual(texts(`${spaced}3\n00:00:03,000 --> 00:00:04,000\nend\n`, "srt"), ["room\n101", "42", "end"]);
});

test("SubRip with either separator, with hours or without", () => {
  assert.deepEqual(readSubtitleText("1\n01:00:07,000 --> 01:00:11.890\nlate\n", "srt").lines, [
    { startS: 3607, durationS: 4.89, text: "late" },
  ]);
});

test("XML is unescaped once, and twice where YouTube escapes it twice", () => {
  const escaped = "Close the &lt;div&gt; tag &amp;amp; save";
  const plain = "Close the <div> tag &amp; save";
  assert.deepEqual(texts(`<timedtext><body><p t="1000" d="2000">${escaped}</p></body></timedtext>`, "srv3"), [plain]);
  assert.deepEqual(texts(`<tt><body><p begin="1s" end="3s">${escaped}</p></body></tt>`, "ttml"), [plain]);
  const twice = escaped.replaceAll("&", "&amp;");
  assert.deepEqual(texts(`<transcript><text start="1" dur="2">${twice}</text></transcript>`, "srv1"), [plain]);
});

test("a file without cues yields no lines", () => {
  for (const ending of ["vtt", "srt", "ttml", "srv1", "json3"]) {
    for (const source of ["", "1", "WEBVTT", "{", "{}", "<tt>", "some text\n00:00:00,500 --> 00:00:07,000"]) {
      assert.deepEqual(readSubtitleText(source, ending).lines, [], `${ending}: ${source}`);
    }
  }
});

test("tags are dropped, and an unclosed tag is text", () => {
  const plain = (line: string) => texts(`00:00:01.000 --> 00:00:02.000\n${line}`, "vtt")[0];
  assert.equal(plain("<i>high</i> tide"), "high tide");
  assert.equal(plain("<a <b> tide"), "tide");
  assert.equal(plain("low <3 tide < flood"), "low <3 tide < flood");
  assert.equal(plain("high <tide"), "high <tide");
});

test("two cues of many lines take linear time", { timeout: 30_000 }, () => {
  const cue = `00:00:01.000 --> 00:00:02.000\n${"a\n".repeat(200_000)}`;
  assert.equal(texts(`${cue}b\n\n${cue}`, "srt").length, 2);
});

test("a million opening brackets take linear time", { timeout: 30_000 }, () => {
  for (const opening of ["<", "<a"]) {
    const [line = ""] = texts(`00:00:01.000 --> 00:00:02.000\n${opening.repeat(1_000_000)}`, "vtt");
    assert.equal(line.length, opening.length * 1_000_000);
  }
});
