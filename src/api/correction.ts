/** Tells the client that a search used another spelling than the one it sent. */
export const CORRECTION_HEADER = "Search-Corrected";

/** Percent-encoded UTF-8, since headers are ASCII; empty if the query was searched as typed. */
export function correctionHeader(corrected: string | null): Record<string, string> {
  return corrected === null ? {} : { [CORRECTION_HEADER]: encodeURIComponent(corrected) };
}
