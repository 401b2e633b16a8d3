/** Created when it is first used: that takes 5 ms, which every start would pay. */
let names: Intl.DisplayNames | undefined;

/** The English name of an ISO 3166 code; empty if undefined. */
export function countryName(code: string | undefined): string {
  names ??= new Intl.DisplayNames("en", { type: "region" });
  return code === undefined ? "" : (names.of(code) ?? "");
}
