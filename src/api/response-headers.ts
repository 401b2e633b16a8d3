/** Response headers of our own. Values are ASCII: other text is percent-encoded UTF-8. */
import { toIsoDate, toIsoTime } from "#domain/time.ts";
import { TRENDS_DAY_HEADER } from "#errors";
import type { Natives } from "#store/records/port.ts";
import type { TrendKind, TrendPage } from "#store/trends/port.ts";

/** Tells the client that a search used another spelling than the one it sent. */
export const CORRECTION_HEADER = "Search-Corrected";

/** `some` if no record has all words of a search, so that the results have some of them. */
export const MATCHED_HEADER = "Search-Matched";

/** Names the parts of a query that were not searched. */
export const IGNORED_TERMS_HEADER = "Search-Ignored";

/** Empty if all of the query was searched as typed. */
export function searchHeaders({
  corrected,
  isPartial,
  ignored,
}: {
  corrected: string | null;
  isPartial: boolean;
  ignored: readonly { term: string }[];
}): Record<string, string> {
  return {
    ...(corrected === null ? {} : { [CORRECTION_HEADER]: encodeURIComponent(corrected) }),
    ...(isPartial ? { [MATCHED_HEADER]: "some" } : {}),
    ...namesHeader(
      IGNORED_TERMS_HEADER,
      ignored.map(({ term }) => term),
    ),
  };
}

/** The day of the chart in the response. */
export const CHART_DAY_HEADER = "Chart-Day";

export function chartDayHeader(day: string): Record<string, string> {
  return { [CHART_DAY_HEADER]: day };
}

/** When the ranking in the response was computed. */
export const TRENDS_AS_OF_HEADER = "Trends-As-Of";
/** When a post of the platform was last captured. */
export const NEWEST_CAPTURE_HEADER = "Newest-Capture";

/** Leaves out what is not known, and all of it before the first computation. */
export function trendHeaders({
  computedAt,
  day,
  newestCapture,
}: Pick<TrendPage<TrendKind, Natives>, "computedAt" | "day" | "newestCapture">): Record<string, string> {
  return {
    ...(computedAt !== null && {
      [TRENDS_AS_OF_HEADER]: toIsoTime(computedAt),
      [TRENDS_DAY_HEADER]: toIsoDate(day * 1000),
    }),
    ...(newestCapture !== null && { [NEWEST_CAPTURE_HEADER]: toIsoTime(newestCapture) }),
  };
}

/** Names the parameters that the operation does not know. */
export const IGNORED_HEADER = "Ignored-Parameters";

const MAX_NAMES = 10;
const MAX_NAME_LENGTH = 60;

export function ignoredHeader(names: readonly string[]): Record<string, string> {
  return namesHeader(IGNORED_HEADER, names);
}

function namesHeader(header: string, names: readonly string[]): Record<string, string> {
  if (names.length === 0) return {};
  const shown = names
    .slice(0, MAX_NAMES)
    .map((name) => encodeURIComponent(name.slice(0, MAX_NAME_LENGTH).toWellFormed()));
  return { [header]: [...shown, ...(names.length > MAX_NAMES ? ["..."] : [])].join(", ") };
}
