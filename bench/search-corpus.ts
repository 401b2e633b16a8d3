/**
 * Posts to search in: deterministic, a stream of any length whose beginning is the same for every length. Words follow
 * Zipf's law, so that the most common one stands in about half of the posts and most words in a handful; counters are
 * heavy-tailed, times come in no order, and each post keeps to one of eight languages in five scripts.
 */
import type { Post } from "#domain/post.ts";
import { pieces } from "#search/tokens.ts";
import { BEGIN, item, seeded } from "./capture.ts";

const VOCABULARY = 200_000;
const YEARS = 3 * 365 * 86_400;

/** The last second of the corpus, Unix seconds: what searches take for now. */
export const END = BEGIN + YEARS;

/** 25 syllables a script: words have two, three or four of them, and common words are the short ones. */
const SCRIPTS = {
  latin: "ka re mi to su la ne vi do pu sa te li fo nu ra ge zi bo mu ha de ki lo pa",
  cyrillic: "ка ре ми то су ла не ви до пу са те ли фо ну ра ге зи бо му ха де ки ло па",
  arabic: "كا رب مي تو سر لا نت في دو بك سا تم لي فر نو را جم زي بر مد حا دل كي لو با",
  devanagari: "का रे मि तो सु ला ने वि दो पु सा ते लि फो नु रा गे जि बो मु हा दे कि लो पा",
  katakana:
    "カリ レト ミナ トキ スラ ラモ ネク ヴィ ドマ プロ サテ テル リコ フォ ヌカ ラス ゲミ ジオ ボノ ムサ ハイ デキ キタ ロワ パン",
};

/** `slots` is a language's share, in twentieths, of the posts and of every twenty neighbouring words. */
const LANGUAGES: { code: string; script: keyof typeof SCRIPTS; slots: number; countries: string[] }[] = [
  { code: "en", script: "latin", slots: 10, countries: ["US", "US", "GB", "NG"] },
  { code: "es", script: "latin", slots: 3, countries: ["MX", "ES", "AR"] },
  { code: "pt", script: "latin", slots: 2, countries: ["BR"] },
  { code: "id", script: "latin", slots: 1, countries: ["ID"] },
  { code: "ru", script: "cyrillic", slots: 1, countries: ["KZ"] },
  { code: "ar", script: "arabic", slots: 1, countries: ["EG", "MA"] },
  { code: "hi", script: "devanagari", slots: 1, countries: ["IN"] },
  { code: "ja", script: "katakana", slots: 1, countries: ["JP"] },
];
const SLOTS = LANGUAGES.flatMap((language) => Array.from({ length: language.slots }, () => language));
const BLOCK = SLOTS.length;

const SYLLABLES = new Map(Object.entries(SCRIPTS).map(([script, text]) => [script, text.split(" ")]));

/** The word of a rank; 0 is the most common. */
export function wordOf(rank: number): string {
  // The most common words are shared by all languages, as names, numbers and loans are.
  const { script } = rank < BLOCK ? { script: "latin" } : (SLOTS[rank % BLOCK] as (typeof LANGUAGES)[number]);
  const syllables = SYLLABLES.get(script) as string[];
  let words = syllables.length ** 2;
  let place = rank;
  while (place >= words) {
    place -= words;
    words *= syllables.length;
  }
  // A step without common factor visits every word of this length once, in no visible order.
  let code = ((place + 1) * 7_919) % words;
  let word = "";
  for (; words > 1; words /= syllables.length) {
    word += syllables[code % syllables.length];
    code = Math.floor(code / syllables.length);
  }
  return word;
}

/** Ranks by Zipf's law with exponent 1; the shift (Mandelbrot's) keeps the first few words from filling every post. */
const CUMULATIVE = new Float64Array(VOCABULARY);
for (let rank = 0, sum = 0; rank < VOCABULARY; rank++) CUMULATIVE[rank] = sum += 1 / (rank + 2.7);

function drawRank(random: () => number): number {
  const wanted = random() * (CUMULATIVE[VOCABULARY - 1] as number);
  let low = 0;
  for (let high = VOCABULARY - 1; low < high;) {
    const middle = (low + high) >>> 1;
    if ((CUMULATIVE[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The rank nearby that belongs to the language of the post. */
function rankIn(rank: number, firstSlot: number, slots: number): number {
  return rank < BLOCK ? rank : rank - (rank % BLOCK) + firstSlot + ((rank % BLOCK) % slots);
}

/** The words that Triptych reads in a text, in order. */
export function wordsIn(text: string | null): string[] {
  return pieces(text ?? "").flatMap(({ words }) => words);
}

export function* posts(count: number): Generator<Post> {
  const random = seeded(7_061_988);
  for (let number = 0; number < count; number++) yield post(number, random);
}

function post(number: number, random: () => number): Post {
  const language = SLOTS[Math.floor(random() * BLOCK)] as (typeof LANGUAGES)[number];
  const firstSlot = SLOTS.indexOf(language);
  const drawWord = (shift: number) =>
    wordOf(rankIn((drawRank(random) + shift) % VOCABULARY, firstSlot, language.slots));
  const text = Array.from({ length: 8 + Math.floor(random() * 23) }, () => drawWord(0)).join(" ");
  // Nobody makes a hashtag of the words that stand in every sentence.
  const tags = [...new Set(Array.from({ length: Math.floor(random() * 5) }, () => drawWord(200)))];
  const createTime = BEGIN + Math.floor(random() * YEARS);
  const views = Math.min(2_000_000_000, Math.floor(30 / (1 - random()) ** 1.1));
  const native = item(number, random, { text, tags, createTime, views });
  return {
    id: native.id,
    authorId: native.author.id,
    publishedAt: createTime,
    title: null,
    text: native.desc,
    language: language.code,
    country: language.countries[number % language.countries.length] as string,
    hashtags: tags,
    soundId: native.music.id,
    taggedIds: [],
    placeId: null,
    durationS: native.video.duration,
    counters: { views, likes: native.stats.diggCount, comments: native.stats.commentCount },
    native,
    capturedAt: (createTime + Math.floor(random() * 30 * 86_400)) * 1000,
    source: "bench",
  };
}
