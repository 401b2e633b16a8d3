/** Removes from a captured URL what must not be stored: user, fragment, and parameters that may open a session. */

const SECRET_PARAMETER =
  /token|sig|auth|session|secret|passw|key|cookie|csrf|nonce|bogus|gnarly|ticket|verify|fingerprint|device|credential|jwt|ttwid|odin|(?:^|_)(?:fp|ei|pot|sid|uid|iid|did|hs|rev|dyn|user|wid|lsd)$/i;
const MAX_VALUE_LENGTH = 128;
/** GraphQL variables say what a query was about, such as whose followers were requested, beside a long cursor. */
const MAX_VARIABLES_LENGTH = 1_024;

export function redactUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") return undefined;
  const parameters = new URLSearchParams();
  for (const [name, value] of url.searchParams) {
    const maxLength = name === "variables" ? MAX_VARIABLES_LENGTH : MAX_VALUE_LENGTH;
    if (!SECRET_PARAMETER.test(name) && value.length <= maxLength) parameters.append(name, value);
  }
  const query = parameters.toString();
  return `${url.origin}${url.pathname}${query === "" ? "" : `?${query}`}`;
}
