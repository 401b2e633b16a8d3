/** How a search says that it looked for another spelling than the one it was sent. */
export const CORRECTION_HEADER = "Search-Corrected";

/** The spelling as percent-encoded UTF-8, since headers carry ASCII; nothing when the query was searched as typed. */
export function correctionHeader(corrected: string | null): Record<string, string> {
  return corrected === null ? {} : { [CORRECTION_HEADER]: encodeURIComponent(corrected) };
}
