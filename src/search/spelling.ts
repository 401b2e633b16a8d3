/** Typing mistakes: which known word was meant. */
import type { KnownWord, Scope, SearchEngine } from "./engine.ts";

/** Shorter words have too many neighbours. */
const SHORTEST = 3;
/** Two mistakes are forgiven in long words only. */
const SHORTEST_FOR_TWO = 6;
const NEIGHBOURHOOD = 5_000;

/** The letters that a slip of the finger may have put in or left out: those of the word's own script. */
const ALPHABETS: readonly [RegExp, string][] = [
  [/\p{Script=Cyrillic}/u, "абвгдежзийклмнопрстуфхцчшщъыьэюяіїєґ"],
  [/\p{Script=Greek}/u, "αβγδεζηθικλμνξοπρστυφχψω"],
  [/\p{Script=Arabic}/u, "ابتثجحخدذرزسشصضطظعغفقكلمنهويةءئؤىپچژگ"],
  [/\p{Script=Hebrew}/u, "אבגדהוזחטיכלמנסעפצקרשתםןףץך"],
  [/\p{Script=Devanagari}/u, "अआइईउऊएऐओऔकखगघचछजझटठडढणतथदधनपफबभमयरलवशषसहािीुूेैोौंँ्"],
  // The letters that syllables are made of.
  [/\p{Script=Hangul}/u, hangulLetters()],
  [/\p{Script=Latin}/u, "abcdefghijklmnopqrstuvwxyz"],
];

function hangulLetters(): string {
  const ranges = [
    [0x1100, 0x1112],
    [0x1161, 0x1175],
    [0x11a8, 0x11c2],
  ] as const;
  return ranges
    .flatMap(([first, last]) =>
      Array.from({ length: last - first + 1 }, (_, step) => String.fromCharCode(first + step)),
    )
    .join("");
}

/** The nearest known word: one mistake away, else two; of equally near ones the most written. Null when none is near. */
export async function nearestWord(engine: SearchEngine, scope: Scope, word: string): Promise<string | null> {
  if (Array.from(word).length < SHORTEST) return null;
  const one = best(await engine.wordsAmong(scope, oneAway(word)));
  if (one !== null || Array.from(word).length < SHORTEST_FOR_TWO) return one;
  const around = await engine.wordsBeginning(scope, Array.from(word).slice(0, 2).join(""), NEIGHBOURHOOD);
  return best(around.filter((known) => distance(word, known.word) <= 2));
}

function best(words: KnownWord[]): string | null {
  let found: KnownWord | null = null;
  for (const word of words) {
    if (found === null || word.docs > found.docs || (word.docs === found.docs && word.word < found.word)) found = word;
  }
  return found?.word ?? null;
}

/** Every text that one letter left out, put in, exchanged or swapped with its neighbour makes of the word. */
export function oneAway(word: string): string[] {
  // A hashtag's or a mention's mark is no letter.
  const mark = /^[#@]/u.exec(word)?.[0] ?? "";
  const letters = lettersOf(word.slice(mark.length));
  const alphabet = Array.from(ALPHABETS.find(([script]) => script.test(word))?.[1] ?? "");
  const found = new Set<string>();
  for (let at = 0; at <= letters.length; at++) {
    const [before, after] = [letters.slice(0, at), letters.slice(at)];
    for (const letter of alphabet) found.add([...before, letter, ...after].join(""));
    if (after.length === 0) continue;
    found.add([...before, ...after.slice(1)].join(""));
    for (const letter of alphabet) found.add([...before, letter, ...after.slice(1)].join(""));
    if (after.length > 1) found.add([...before, after[1], after[0], ...after.slice(2)].join(""));
  }
  found.delete(letters.join(""));
  found.delete("");
  return [...found].map((text) => mark + text.normalize("NFC"));
}

/** What one stroke puts there: a Korean syllable is several. */
function lettersOf(word: string): string[] {
  return Array.from(/\p{Script=Hangul}/u.test(word) ? word.normalize("NFD") : word);
}

/** Letters left out, put in, exchanged, or swapped with the neighbour. */
export function distance(one: string, other: string): number {
  const [a, b] = [lettersOf(one), lettersOf(other)];
  if (Math.abs(a.length - b.length) > 2) return Infinity;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const change = a[row - 1] === b[column - 1] ? 0 : 1;
      let steps = Math.min(
        (last[column] as number) + 1,
        (current[column - 1] as number) + 1,
        (last[column - 1] as number) + change,
      );
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        steps = Math.min(steps, (beforeLast[column - 2] as number) + 1);
      }
      current.push(steps);
    }
    [beforeLast, last] = [last, current];
  }
  return last.at(-1) as number;
}
