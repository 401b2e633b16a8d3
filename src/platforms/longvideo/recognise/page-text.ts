/** Texts on YouTube's pages (plain, in runs, or with attributes) and the numbers in them. */
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
const MAGNITUDE =
  /^(?:[kmbt]|mio|mrd|tsd|mil|mill|mln|mld|md|tys|rb|jt|juta|ribu|tr|triệu|lakh|lac|crore|cr|тыс|млн|млрд|[万萬億亿千만억천])(?![\p{L}])/iu;

/** "1,234,567 views" is 1234567. "1.2M views" is rounded, so it is undefined. */
export function readExactCount(value: unknown): number | undefined {
  const [, digits, rest = ""] = GROUPED.exec(readPageText(value) ?? "") ?? [];
  if (digits === undefined || MAGNITUDE.test(rest)) return undefined;
  const count = Number(digits.replaceAll(/\D/g, ""));
  return Number.isSafeInteger(count) ? count : undefined;
}

const FACTORS: Record<string, number> = { k: 1e3, m: 1e6, b: 1e9 };

/** "1.2K" is 1200. For numbers that YouTube never shows exactly. */
export function readRoundedCount(value: unknown): number | undefined {
  const text = readPageText(value)?.trim();
  const [, digits, unit = ""] = /^(\d{1,3}(?:\.\d+)?)\s?([KMB])\b/i.exec(text ?? "") ?? [];
  const factor = FACTORS[unit.toLowerCase()];
  return digits === undefined || factor === undefined ? readExactCount(value) : Math.round(Number(digits) * factor);
}
