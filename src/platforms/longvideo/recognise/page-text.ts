/** Texts on YouTube's pages (plain, in runs, or with attributes) and the numbers in them. */
import type { Estimate } from "#domain/approximate.ts";
import { type Fields, readFilledText, readItems, readObjectAt, readObjects } from "#import/capture/field-readers.ts";

/** From `{simpleText}`, `{runs: [{text}]}`, `{content}` or a plain string. */
export function readPageText(value: unknown): string | undefined {
  if (typeof value === "string") return readFilledText(value);
  const { simpleText, content, runs } = readObjectAt(value);
  if (!Array.isArray(runs)) return readFilledText(simpleText) ?? readFilledText(content);
  // A run may be only the space between two others.
  const parts = readObjects(runs).map(({ text }) => (typeof text === "string" ? text : ""));
  return readFilledText(parts.join(""));
}

export function firstRun(value: unknown): Fields {
  return readObjectAt(readItems(readObjectAt(value)["runs"])[0]);
}

const GROUPED = /^\D{0,3}?(\d{1,3}(?:[.,\s\u00A0\u202F'’]\d{3})+|\d+)(?![\d.,])\s*(.*)$/su;

/** Words for thousands and above, in the most common languages of YouTube's pages. */
const MAGNITUDES: [factor: number, words: string][] = [
  [1e3, "k tsd mil tys rb ribu тыс bin tn 千 천"],
  [1e4, "万 萬 만"],
  [1e5, "lakh lac"],
  [1e6, "m mio mill mln jt juta tr triệu млн mn mi"],
  [1e7, "crore cr"],
  [1e8, "億 亿 억"],
  [1e9, "b mrd mld md млрд"],
];
const FACTORS = new Map(MAGNITUDES.flatMap(([factor, words]) => words.split(" ").map((word) => [word, factor])));
/** "t" is a thousand in some languages and a million millions in others. */
const MAGNITUDE = new RegExp(`^(${[...FACTORS.keys(), "t"].toSorted().toReversed().join("|")})(?!\\p{L})`, "iu");
/** CJK words follow directly: 12万回視聴. */
const CJK_MAGNITUDE = /^[万萬億亿千만억천]/u;

/** "1,234,567 views" is 1234567. "1.2M views" is rounded, so it is undefined. */
export function readExactCount(value: unknown): number | undefined {
  const [, digits, rest = ""] = GROUPED.exec(readPageText(value) ?? "") ?? [];
  if (digits === undefined || MAGNITUDE.test(rest) || CJK_MAGNITUDE.test(rest)) return undefined;
  const count = Number(digits.replaceAll(/\D/g, ""));
  return Number.isSafeInteger(count) ? count : undefined;
}

const ROUNDED = /^\D{0,3}?(\d{1,4})(?:[.,](\d{1,2}))?\s?(\D*)$/su;

/** "1,234" is exact; "1.2K" is 1200, and at most 100 more, since YouTube rounds down. */
export function readDisplayedCount(value: unknown): number | Estimate | undefined {
  const exact = readExactCount(value);
  if (exact !== undefined) return exact;
  const [, whole, fraction = "", rest = ""] = ROUNDED.exec(readPageText(value)?.trim() ?? "") ?? [];
  const word = MAGNITUDE.exec(rest)?.[1] ?? CJK_MAGNITUDE.exec(rest)?.[0];
  const factor = FACTORS.get(word?.toLowerCase() ?? "");
  if (whole === undefined || factor === undefined) return undefined;
  const margin = factor / 10 ** fraction.length;
  return { value: Math.round(Number(`${whole}${fraction}`) * margin), margin };
}

/** In lists of texts, only the word tells views from other numbers. */
const VIEWS =
  /\bviews?$|\baufrufe?$|\bvues?$|\bvisuali[sz]a|\bvistas?$|просмотр|視聴$|观看|觀看|조회수|görüntüleme$|wyświetl|\bweergaven$/iu;

/** "26K views"; "No views" is zero. Undefined for texts about anything else. */
export function readViews(value: unknown): number | Estimate | undefined {
  const text = readPageText(value)?.trim() ?? "";
  if (/^no views$/i.test(text)) return 0;
  return VIEWS.test(text) ? readDisplayedCount(text.replace(/^조회수\s*/, "")) : undefined;
}
