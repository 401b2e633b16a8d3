/** The address of a captured answer, fit to be kept: no user, no fragment, nothing that opens a session. */

const SECRET =
  /token|sig|auth|session|secret|passw|key|cookie|csrf|nonce|bogus|gnarly|ticket|verify|fingerprint|device|credential|jwt|ttwid|odin|(?:^|_)(?:fp|ei|pot|sid|uid|iid|did|hs|rev|dyn|user|wid|lsd)$/i;
const LONGEST_VALUE = 128;
/** Holds what a query was about, such as whose followers were asked for, beside a long position. */
const LONGEST_VARIABLES = 1_024;

export function keepableUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") return undefined;
  const kept = new URLSearchParams();
  for (const [name, value] of url.searchParams) {
    const longest = name === "variables" ? LONGEST_VARIABLES : LONGEST_VALUE;
    if (!SECRET.test(name) && value.length <= longest) kept.append(name, value);
  }
  const query = kept.toString();
  return `${url.origin}${url.pathname}${query === "" ? "" : `?${query}`}`;
}
