/** Response headers of our own. Values are ASCII: other text is percent-encoded UTF-8. */

/** Tells the client that a search used another spelling than the one it sent. */
export const CORRECTION_HEADER = "Search-Corrected";

/** Empty if the query was searched as typed. */
export function correctionHeader(corrected: string | null): Record<string, string> {
  return corrected === null ? {} : { [CORRECTION_HEADER]: encodeURIComponent(corrected) };
}

/** The day of the chart in the response. */
export const CHART_DAY_HEADER = "Chart-Day";

/** Empty for a ranking that is not a chart. */
export function chartDayHeader(day: string | null): Record<string, string> {
  return day === null ? {} : { [CHART_DAY_HEADER]: day };
}

/** Names the parameters that the operation does not know. */
export const IGNORED_HEADER = "Ignored-Parameters";

const MAX_NAMES = 10;
const MAX_NAME_LENGTH = 60;

export function ignoredHeader(names: readonly string[]): Record<string, string> {
  if (names.length === 0) return {};
  const shown = names
    .slice(0, MAX_NAMES)
    .map((name) => encodeURIComponent(name.slice(0, MAX_NAME_LENGTH).toWellFormed()));
  return { [IGNORED_HEADER]: [...shown, ...(names.length > MAX_NAMES ? ["..."] : [])].join(", ") };
}
