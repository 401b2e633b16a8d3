/** Times as YouTube's pages write them, in Unix seconds. */
import type { Estimate } from "#domain/approximate.ts";
import { DAY_S, HOUR_S, MINUTE_S } from "#domain/time.ts";
import { readTimestamp } from "#import/capture/field-readers.ts";
import { monthNumber } from "#import/capture/table-cells.ts";

export function toMilliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}

const UNIT_SECONDS = {
  second: 1,
  minute: MINUTE_S,
  hour: HOUR_S,
  day: DAY_S,
  week: 7 * DAY_S,
  month: 30 * DAY_S,
  year: 365 * DAY_S,
};

/** Words of the units as YouTube's pages write them, short or in other languages. */
const UNIT_WORDS: [unit: keyof typeof UNIT_SECONDS, words: string][] = [
  ["second", "second seconds sec secs s segundo segundos seconde secondes sekunde sekunden secondo secondi seconden"],
  ["second", "секунду секунды секунд секунди sekundę sekundy sekund saniye detik giây 秒 秒钟 초 सेकंड"],
  ["minute", "minute minutes min mins minuto minutos minuten minuut minuti минуту минуты минут хвилину хвилини хвилин"],
  ["minute", "minutę minuty minut dakika menit phút 分 分钟 分鐘 분 मिनट"],
  ["hour", "hour hours hr hrs h hora horas heure heures stunde stunden ora ore uur час часа часов годину години годин"],
  ["hour", "godzinę godziny godzin saat jam giờ 時間 小时 小時 시간 घंटा घंटे"],
  ["day", "day days d día días dia dias jour jours tag tagen giorno giorni dag dagen день дня дней дні днів"],
  ["day", "dzień dni gün hari ngày 日 天 일 दिन"],
  ["week", "week weeks wk wks w semana semanas semaine semaines woche wochen settimana settimane weken"],
  [
    "week",
    "неделю недели недель тиждень тижні тижнів tydzień tygodnie tygodni hafta minggu tuần 週間 周 週 星期 주 हफ़्ते सप्ताह",
  ],
  ["month", "month months mo mos mes meses mês mois monat monaten mese mesi maand maanden месяц месяца месяцев"],
  ["month", "місяць місяці місяців miesiąc miesiące miesięcy ay bulan tháng か月 个月 個月 개월 महीना महीने माह"],
  ["year", "year years yr yrs y año años ano anos an ans jahr jahren anno anni jaar год года лет рік роки років"],
  ["year", "rok lata lat yıl tahun năm 年 년 साल वर्ष"],
];
const SECONDS_BY_WORD = new Map(
  UNIT_WORDS.flatMap(([unit, words]) => words.split(" ").map((word) => [word.normalize(), UNIT_SECONDS[unit]])),
);

const AGO = "ago|fa|geleden|назад|тому|temu|önce|yang lalu|trước|前|전|पहले";
/** `3 days ago`, `3d ago`, `3 日前`. */
const AGE_BEFORE_WORD = new RegExp(
  `^(?:streamed |premiered |streamed live )?(\\d{1,3}|an?)\\s?([\\p{L}\\p{M}]{1,12}?)\\s?(?:${AGO})(?![\\p{L}\\p{M}])`,
  "iu",
);
/** `hace 3 días`, `vor 3 Tagen`. */
const AGE_AFTER_WORD = /^(?:hace|há|il y a|vor)\s(\d{1,3})\s([\p{L}\p{M}]{1,12})/iu;

/** "3 days ago" is three days, and at most one more, since YouTube counts whole units. */
export function parseRelativeTime(text = ""): Estimate | undefined {
  const normal = text.normalize();
  const [, amount = "", word = ""] = AGE_BEFORE_WORD.exec(normal) ?? AGE_AFTER_WORD.exec(normal) ?? [];
  const margin = SECONDS_BY_WORD.get(word.toLowerCase());
  if (margin === undefined) return undefined;
  return { value: (/^an?$/i.test(amount) ? 1 : Number(amount)) * margin, margin };
}

/** Estimates the time that "3 days ago" means, relative to the capture. */
export function estimateTime(text: string | undefined, capturedAt: number | null): Estimate | undefined {
  const elapsed = parseRelativeTime(text);
  if (elapsed === undefined || capturedAt === null) return undefined;
  const value = readTimestamp(capturedAt / 1000 - elapsed.value);
  return value === undefined ? undefined : { value, margin: elapsed.margin };
}

/** From which age on, in days, a page counts in longer units; a tool that computes the time from it rounds to the day. */
const UNITS_BY_AGE = [
  [364, "year"],
  [27, "month"],
  [6.5, "week"],
] as const;

/** A time that a tool computed from "2 years ago": the margin follows from the age. `capturedAt` in milliseconds. */
export function estimateComputedTime(time: number | undefined, capturedAt: number | undefined): Estimate | undefined {
  if (time === undefined) return undefined;
  const days = ((capturedAt ?? Infinity) / 1000 - time) / DAY_S;
  const [, unit] = UNITS_BY_AGE.find(([from]) => days >= from) ?? ([0, "day"] as const);
  return { value: time, margin: UNIT_SECONDS[unit] };
}

const DAY_FORMS = [
  /(?<month>[A-Z][a-z]{2,8})\.? (?<day>\d{1,2}), (?<year>\d{4})$/,
  /\b(?<day>\d{1,2}) (?<month>[A-Z][a-z]{2,8})\.? (?<year>\d{4})$/,
  /\b(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})$/,
  /^(?<year>\d{4})[-/](?<month>\d{1,2})[-/](?<day>\d{1,2})\b/,
];

/**
 * The day in "Nov 12, 2023", "Premiered 12 Nov 2023", "12.11.2023" or "2023/11/12". The page shows the day of the
 * viewer's time zone, so noon in UTC may be off by a day. "11/12/2023" may be either of two days.
 */
export function parseDisplayedDay(text: string | undefined): Estimate | undefined {
  const { year, month = "", day } = DAY_FORMS.map((form) => form.exec(text ?? "")?.groups).find(Boolean) ?? {};
  const number = /^\d/.test(month) ? Number(month) : monthNumber(month);
  const date = `${year}-${String(number).padStart(2, "0")}-${day?.padStart(2, "0")}`;
  const value = number === 0 ? undefined : readTimestamp(`${date}T12:00:00Z`);
  return value === undefined ? undefined : { value, margin: DAY_S };
}
