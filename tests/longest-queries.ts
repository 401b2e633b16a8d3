/** Queries of the greatest length that is allowed, each made to cost as much as it can, and a store that makes them cost it. */
import type { Batch } from "#store/write/port.ts";
import { aPost } from "./world.ts";

/** Of `q`, `keyword`, `query` and `search_query`, in UTF-16 units. */
const LONGEST = 200;

/** As often as it fits. */
function fill(unit: string, separator = ""): string {
  let text = unit;
  while (text.length + separator.length + unit.length <= LONGEST) text += separator + unit;
  return text;
}

/** As many of them as fit, one after the other and again from the first. */
function run(alphabet: string, length: number, from = 0): string {
  const letters = Array.from(alphabet);
  return Array.from({ length }, (_, index) => letters[(from + index * 7) % letters.length]).join("");
}

function words(alphabet: string, length: number, separator = " "): string {
  let text = run(alphabet, length);
  for (let from = 1; ; from++) {
    const word = run(alphabet, length, from);
    if (text.length + separator.length + word.length > LONGEST) return text;
    text += separator + word;
  }
}

const HANGUL = "한국음식맛집길밤시장골목김밥떡볶잔칫상";
const HAN = "深夜食堂街市美味拉面早餐旅行日记城电影";
const THAI = "กขคงจชซญดตถทนบปผพฟมยรลวสหอ";
const DEVANAGARI = "कखगघचजटडतदनपबमयरलवसह";
const ARABIC = "بتجحخدرزسشصطعغفقكلمنهوي";
const CYRILLIC = "абвгдежзиклмнопрстуфхцчшщэюя";
const LATIN = "abcdefghijklmnopqrstuvwxyz";

/** Words of one store that begin alike, more than are ever compared with a misspelt one. */
const CROWD = 6_000;
const crowdedWord = (index: number) => `ma${run("stuvwyz", 4, index)}${index.toString(26).padStart(5, "a")}`;

/** On each platform posts whose words all begin with the same two letters, and a neighbour of every word below. */
export function crowd(): { platform: string; batch: Batch }[] {
  const texts = Array.from({ length: CROWD / 100 }, (_, post) =>
    Array.from({ length: 100 }, (__, word) => crowdedWord(post * 100 + word)).join(" "),
  );
  // One mistake away, so that the correction continues from word to word.
  const neighbours = Object.values(LONGEST_QUERIES).flatMap((query) =>
    Array.from(query.matchAll(/[\p{L}\p{M}]{3,25}/gu), ([word]) => word + Array.from(word).at(-1)),
  );
  texts.push(neighbours.join(" "));
  return ["shortvideo", "longvideo", "photoshare"].map((platform) => ({
    platform,
    batch: { posts: texts.map((text, index) => aPost(`crowd${index}`, { text })) },
  }));
}

/** Each with two letters exchanged, so that each has to be compared with its neighbourhood. */
function misspeltCrowd(): string {
  const misspelt = Array.from({ length: 16 }, (_, index) => crowdedWord(4_900 - index * 300)).map(
    (word) => `${word.slice(0, 3)}x${word.slice(4, 6)}x${word.slice(7)}`,
  );
  return misspelt.join(" ").slice(0, LONGEST);
}

export const LONGEST_QUERIES: Readonly<Record<string, string>> = {
  "Hangul without a space": run(HANGUL, LONGEST),
  "Hangul words of 24 letters": words(HANGUL, 8),
  "Hangul words of eleven syllables": words(HANGUL, 11),
  "Han without a space": run(HAN, LONGEST),
  "Han in a hashtag": `#${run(HAN, LONGEST - 1)}`,
  "ideographs in parentheses, three characters each when folded": run("㈠㈡㈢㈣㈤㈥㈦㈧㈨㈩", LONGEST),
  "Thai without a space": run(THAI, LONGEST),
  "Thai vowels and tone marks": fill("กิ่ำ"),
  "Devanagari conjuncts": fill("क्षि"),
  "Devanagari words of 24 letters": words(DEVANAGARI, 24),
  "Arabic words": words(ARABIC, 11),
  "Arabic words of 24 letters": words(ARABIC, 24),
  "Arabic ligatures, 18 letters each when folded": fill("\ufdfa"),
  "Cyrillic words of 24 letters": words(CYRILLIC, 24),
  "Latin without a space": run(LATIN, LONGEST),
  "Latin words of 24 letters": words(LATIN, 24),
  "Latin words of eleven letters": words(LATIN, 11),
  "three letters and a comma": words(LATIN, 3, ","),
  "single letters between full stops": words(LATIN, 1, "."),
  alternatives: words(LATIN, 3, " OR "),
  exclusions: `street -${words(LATIN, 3, " -")}`.slice(0, LONGEST),
  "a phrase": `"${words(LATIN, 3).slice(0, LONGEST - 2)}"`,
  hashtags: words(LATIN, 6, " #"),
  emoji: run("☀☁☂☃☄★☎☔☕☘☝☠☢", LONGEST),
  "emoji of several people": fill("👩‍👩‍👧‍👦"),
  "accents on one letter": `e${run("\u0301\u0302\u0303\u0323", LONGEST - 1)}`,
  "vowel signs on one letter": `ก${run("\u0e34\u0e35\u0e48\u0e49", LONGEST - 1)}`,
  accounts: `street from:${words(LATIN, 1, " from:")}`.slice(0, LONGEST),
  sounds: `street sound:${words(LATIN, 1, " sound:")}`.slice(0, LONGEST),
  "sounds within a sound": `street sound:"${words(LATIN, 1, " sound:")}`.slice(0, LONGEST - 1) + '"',
  "a sentence that no post has whole": "where can I find the best street food of every town that has a night market "
    .repeat(3)
    .slice(0, LONGEST),
  "four words and their joins": words(LATIN, 6).split(" ").slice(0, 4).join(" "),
  "days, views and likes": "stret foood since:2001-01-02 until:2049-12-30 min_views:1 min_likes:1 lang:en",
  "words with two mistakes among many that begin alike": misspeltCrowd(),
};
