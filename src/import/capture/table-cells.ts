/** How tables write what has no single written form: counts, lengths, days and lists. */
import { DAY_S, HOUR_S, MINUTE_S } from "#domain/time.ts";
import type { Measured } from "./estimates.ts";
import {
  nonEmpty,
  readCount,
  readFilledText,
  readFilledTexts,
  readMeasure,
  readTimestamp,
  unquote,
} from "./field-readers.ts";
import { parseCell } from "./nested-row.ts";

export function isFilled(cell: unknown): boolean {
  return cell !== undefined && cell !== null && cell !== "";
}

/** `1,234,567` is exact; `1.2M` is rounded and `12.000` ambiguous, so unknown. */
export function readTableCount(cell: unknown): number | undefined {
  const isGrouped = typeof cell === "string" && /^\d{1,3}(?:,\d{3})+$/.test(cell);
  return readCount(isGrouped ? cell.replaceAll(",", "") : cell);
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** The number of a month by its English name or the beginning of it; 0 for any other word. */
export function monthNumber(name: string): number {
  return MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1;
}

/** `Jun 7, 2020`, as English pages and exports write a day; the beginning of that day in UTC. */
export function parseEnglishDate(value: unknown): number | undefined {
  const found = typeof value === "string" ? /^([a-z]{3})[a-z]{0,6}\.? (\d{1,2}), (\d{4})$/i.exec(value.trim()) : null;
  const [, month = "", day = "", year = ""] = found ?? [];
  const number = monthNumber(month);
  return number === 0 ? undefined : readTimestamp(`${year}-${String(number).padStart(2, "0")}-${day.padStart(2, "0")}`);
}

/** A time of publication. Of `2020-06-07`, `20200607` and `Jun 7, 2020` only the day is known, and of no certain time zone. */
export function readTime(value: unknown): Measured | undefined {
  const time = readTimestamp(value);
  const day = isIsoDay(value) ? time : parseEnglishDate(value);
  return day === undefined ? time : { value: day, margin: DAY_S };
}

function isIsoDay(value: unknown): boolean {
  const text = typeof value === "string" ? unquote(value).trim() : "";
  return text.length === (text.includes("-") ? "YYYY-MM-DD" : "YYYYMMDD").length;
}

const ISO_LENGTH = /^P(?:(\d{1,4})W)?(?:(\d{1,4})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,8})(?:\.\d+)?S)?)?$/;

/** `PT5M16S` is 316. `P0D` means that a stream has not ended, so the duration is unknown. */
export function parseIsoDuration(value: unknown): number | undefined {
  const found = typeof value === "string" ? ISO_LENGTH.exec(value) : null;
  if (found === null) return undefined;
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = found.slice(1).map((part) => Number(part ?? 0));
  const length = (((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds;
  return length === 0 ? undefined : length;
}

/** `12:34` or `1:02:03`. */
export function parseClockDuration(value: unknown): number | undefined {
  const found = typeof value === "string" ? /^(?:(\d{1,4}):)?(\d{1,2}):(\d{2})$/.exec(value.trim()) : null;
  return found === null
    ? undefined
    : readMeasure(Number(found[1] ?? 0) * HOUR_S + Number(found[2]) * MINUTE_S + Number(found[3]));
}

/** `PT5M16S`, `5:16`, `0 days 00:05:16`, or seconds. */
export function parseLength(value: unknown): number | undefined {
  const clock = typeof value === "string" ? value.trim().replace(/^0 days /, "") : value;
  return parseIsoDuration(clock) ?? parseClockDuration(clock) ?? readMeasure(clock);
}

/** A list, or a table's rendering of one: `["a", "b"]`, `['a', 'b']`, `a|b`, `a, b` or `#a #b`. */
export function splitList(cell: unknown): string[] | undefined {
  const list = parseCell(cell);
  if (Array.isArray(list)) return readFilledTexts(list);
  const text = readFilledText(cell)?.trim();
  if (text === undefined || /^(?:\[none\]|none|nan|\[\])$/i.test(text)) return undefined;
  const items = text.startsWith("[")
    ? text.split(/['"]\s*,\s*['"]/).map((item) => item.replace(/^\[\s*['"]/, "").replace(/['"]\s*\]$/, ""))
    : (text.includes("|") ? splitAtBars(text) : text.split(",")).flatMap(splitHashtags);
  return nonEmpty(items.flatMap((item) => readFilledText(item.trim()) ?? []));
}

/** `a|"b | c"` is two, without the quotes. A quote that is not closed before the next one opens is part of its item. */
export function splitAtBars(text: string): string[] {
  const items: string[] = [];
  let quoted: string[] = [];
  for (const part of text.split("|")) {
    const [opens, closes] = [part.trimStart().startsWith('"'), part.trimEnd().endsWith('"')];
    if (opens) items.push(...quoted.splice(0));
    const isWhole = opens && closes && part.trim().length > 1;
    if (quoted.length > 0 || (opens && !isWhole)) quoted.push(part);
    else items.push(unquote(part.trim()));
    if (closes && quoted.length > 1) items.push(unquote(quoted.splice(0).join("|").trim()));
  }
  return [...items, ...quoted];
}

/** `#a #b` is two, as is `#c# #b`; `c# basics` is one. */
function splitHashtags(item: string): string[] {
  if (!/^\s*[#＃]/.test(item)) return [item];
  return item.split(/(?<![#＃])(?=[#＃])/).filter((part) => /[^\s#＃]/.test(part));
}
