/** Dates as HTTP writes them. Most of one is the same all day, and the rest are two digits each. */

const DAY_MS = 86_400_000;
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, "0"));

let day = Number.NaN;
let dayText = "";

/** Of Unix milliseconds. */
export function httpDate(ms: number): string {
  const whole = Math.floor(ms / DAY_MS);
  if (whole !== day) {
    day = whole;
    dayText = new Date(ms).toUTCString().slice(0, 17);
  }
  const second = Math.floor((ms - whole * DAY_MS) / 1000);
  const minute = Math.floor(second / 60);
  return `${dayText}${TWO_DIGITS[Math.floor(minute / 60)]}:${TWO_DIGITS[minute % 60]}:${TWO_DIGITS[second % 60]} GMT`;
}
