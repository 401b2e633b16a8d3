/** The public API with the session of this page: the browser sends the cookie, and never a token. */
import { createClient } from "../../../client/triptych.ts";

export { TriptychError } from "../../../client/triptych.ts";
export type * from "../../../client/triptych.ts";

/** The service takes a write with a cookie only with this header, which no other site's page can send. */
const OWN_HEADERS = { "x-requested-with": "triptych-console" };

/** Pages show what is unknown as a dash, and not as 0. */
export const UNKNOWN_AS_NULL = { Prefer: "unknown=null" };

/** What the browser has kept is compared with the service first: an import or an erasure is seen at once. */
export function sessionFetch(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  for (const [name, value] of Object.entries(OWN_HEADERS)) headers.set(name, value);
  return fetch(input, { cache: "no-cache", ...init, headers, credentials: "same-origin" });
}

function fetchForPage(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  for (const [name, value] of Object.entries(UNKNOWN_AS_NULL)) headers.set(name, value);
  return sessionFetch(input, { ...init, headers });
}

export const api = createClient({ url: "", fetch: fetchForPage, retries: 1, maxWaitMs: 5_000 });
