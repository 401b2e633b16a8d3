const NAMES = new Intl.DisplayNames("en", { type: "region" });

/** The English name of an ISO 3166 code; empty if undefined. */
export function countryName(code: string | undefined): string {
  return code === undefined ? "" : (NAMES.of(code) ?? "");
}
