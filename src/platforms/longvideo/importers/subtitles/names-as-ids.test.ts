import assert from "node:assert/strict";
import { test } from "node:test";
import { array, assert as check, constantFrom, property, record, string, tuple, uniqueArray } from "fast-check";
import { isWord } from "../id-forms.ts";
import { isNamedById } from "./names-as-ids.ts";

const IDS = [
  "z6wDERJgUnk",
  "Qx7TrAm3pZ8",
  "a1-kLmN0pQs",
  "H_9vWtYbB2U",
  "m8QeD4sVfRo",
  "0tGiK6hJyCw",
  "Zk3n_XpL5aE",
  "u2MbFw9rTjI",
  "dY7oPc1SxvQ",
  "W4hRq8NzLkA",
  "eJ5sVg0TmB4",
  // Three changes only, as one id of twenty.
  "TUVxyZABClo",
];
const WORDS = [
  "Part_2_Inte",
  "interview01",
  "2024-05-01a",
  "iPhone15Pro",
  "Covid19Talk",
  "PyCon25Day1",
  "TEDxBerlin7",
  "my-garden-4",
  "Loom_and_Co",
  "53012345678",
];

const folderOf = (stems: readonly string[], endings: readonly string[] = ["srt"]) =>
  new Set(stems.flatMap((stem) => endings.map((ending) => `${stem}.${ending}`)));

test("a name alone, or among fewer than five ids, is no id", () => {
  for (const stem of [...IDS, ...WORDS]) assert.equal(isNamedById(stem, folderOf([stem])), false, stem);
  const four = folderOf(IDS.slice(0, 4), ["en.srt", "de.vtt", "fr.srt"]);
  assert.equal(isNamedById("z6wDERJgUnk", four), false, "twelve files of four videos");
  assert.equal(isNamedById("z6wDERJgUnk", folderOf(IDS.slice(0, 5))), true);
});

test("names of words are no ids, also among themselves; nor is a plain word among ids", () => {
  for (const stem of WORDS) assert.equal(isNamedById(stem, folderOf(WORDS)), false, stem);
  for (const stem of ["Part_2_Inte", "interview01", "2024-05-01a", "Loom_and_Co", "TEDxBerlin7"])
    assert.equal(isNamedById(stem, folderOf([...IDS, stem])), false, stem);
});

test("a folder of ids: all of them, with other files beside, in any language and format", () => {
  for (const stem of IDS) {
    assert.equal(isNamedById(stem, folderOf(IDS)), true, stem);
    assert.equal(isNamedById(stem, folderOf(IDS, ["en.vtt", "de-DE.srt", "info.txt", "mp4"])), true, stem);
  }
});

test("codes of another site, of the same length and letters, are no ids", () => {
  const codes = ["C7yR_7wq1oX", "DAb3xKp9LmZ", "CzQ8vN2rTuf", "DB1sWe7Hj0p", "C9mLx4Yt-aR", "DEk6oPq2ZnJ"];
  for (const stem of codes) assert.equal(isNamedById(stem, folderOf(codes)), false, stem);
});

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".split("");
const LAST = "AEIMQUYcgkosw048".split("");
const classOf = (character: string) => ["[a-z]", "[A-Z]", "[0-9]"].findIndex((set) => RegExp(set).test(character));
const changesIn = (stem: string) =>
  stem.split("").filter((character, index) => {
    const [one, other] = [classOf(stem[index - 1] ?? "-"), classOf(character)];
    return one !== -1 && other !== -1 && one !== other;
  }).length;

const anId = tuple(array(constantFrom(...ALPHABET), { minLength: 10, maxLength: 10 }), constantFrom(...LAST)).map(
  ([start, last]) => start.join("") + last,
);
const aClearId = anId.filter((id) => changesIn(id) >= 4 && !isWord(id));
const aTitle = string({ minLength: 12, maxLength: 40 }).map((title) => `${title.replaceAll(/[./]/g, " ")} x`);

test("property: the form counts in a folder of at least five names, four fifths of which have it", () => {
  const world = record({
    ids: uniqueArray(aClearId, { minLength: 1, maxLength: 20 }),
    titles: uniqueArray(aTitle, { maxLength: 8 }),
  });
  check(
    property(world, ({ ids, titles }) => {
      const isOfIds = ids.length >= 5 && ids.length >= 0.8 * (ids.length + titles.length);
      const folder = folderOf([...ids, ...titles]);
      for (const id of ids) assert.equal(isNamedById(id, folder), isOfIds, id);
      for (const title of titles) assert.equal(isNamedById(title, folder), false, title);
    }),
  );
});
