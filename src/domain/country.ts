/** ISO 3166-1 alpha-2. Intl knows more codes (ZZ, EU, SU), which are not countries. */
const COUNTRIES: ReadonlySet<string> = new Set(
  (
    "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ " +
    "CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR " +
    "GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP " +
    "KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT " +
    "MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW " +
    "SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG " +
    "UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW"
  ).split(" "),
);

/** The code that another name or code of a country stands for, such as GB for UK or DE for Germany; null for others. */
export function suggestCountry(text: string): string | null {
  const typed = text.trim().toLowerCase();
  if (/^[a-z]{2}$/.test(typed)) {
    // Knows former and reserved codes: UK is GB.
    const region = new Intl.Locale(`und-${typed}`).region ?? "";
    return COUNTRIES.has(region) ? region : null;
  }
  const name = typed.replaceAll(" and ", " & ");
  const other = OTHER_NAMES.get(name);
  if (other !== undefined) return other;
  // Hong Kong is the short name, of which the long one is Hong Kong SAR China.
  for (const style of ["long", "short"] as const) {
    const names = new Intl.DisplayNames("en", { type: "region", style });
    const found = [...COUNTRIES].find((code) => names.of(code)?.toLowerCase() === name);
    if (found !== undefined) return found;
  }
  return null;
}

/** Abbreviations, and names that Intl no longer has. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ["usa", "US"],
  ["u.s.", "US"],
  ["u.k.", "GB"],
  ["uae", "AE"],
  ["turkey", "TR"],
  ["czech republic", "CZ"],
]);

/** The code in upper case; null if it is not a country. */
export function parseCountry(text: string): string | null {
  // ASCII only: other letters may become two when upper-cased.
  const code = /^[A-Za-z]{2}$/.test(text) ? text.toUpperCase() : "";
  return COUNTRIES.has(code) ? code : null;
}
