/**
 * The cookie of a session, and which requests may use it. A page of another site must not act for the person who is signed in here:
 * its requests are treated as if they had no cookie.
 */

export const SESSION_COOKIE = "triptych_session";
/** Browsers accept this name only over https, for this host alone. */
export const SECURE_SESSION_COOKIE = "__Host-triptych_session";

/** Sent by pages of browsers that do not say where a request comes from; another site cannot send it unasked. */
const OWN_PAGE_HEADER = "x-requested-with";
const OWN_PAGE = "triptych-console";

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

interface CookieRequest {
  method: string;
  headers: Record<string, string | string[] | undefined>;
}

/** Whether the client reaches the service by https, as the operator or the proxy says. */
export function isSecureRequest({ headers }: CookieRequest, publicUrl: string | null): boolean {
  const [protocol] = String(headers["x-forwarded-proto"] ?? "").split(",");
  return publicUrl?.startsWith("https:") === true || protocol?.trim().toLowerCase() === "https";
}

/** Whether the browser says that a page of another site sent the request. */
export function isCrossSite({ headers }: CookieRequest): boolean {
  const site = headers["sec-fetch-site"];
  return site !== undefined && site !== "same-origin" && site !== "none";
}

/** The session of a request that may use it; null otherwise. */
export function readSessionCookie(request: CookieRequest, isSecure: boolean): string | null {
  const { method, headers } = request;
  if (headers["cookie"] === undefined || isCrossSite(request)) return null;
  const isFromOwnPage = headers["sec-fetch-site"] !== undefined || headers[OWN_PAGE_HEADER] === OWN_PAGE;
  if (!SAFE_METHODS.has(method) && !isFromOwnPage) return null;
  const name = isSecure ? SECURE_SESSION_COOKIE : SESSION_COOKIE;
  for (const part of String(headers["cookie"]).split(";")) {
    const [key, ...value] = part.split("=");
    if (key?.trim() === name) return value.join("=").trim();
  }
  return null;
}

/** The header Set-Cookie; null ends the session. */
export function sessionCookie(
  session: { value: string; expiresAt: number } | null,
  isSecure: boolean,
  now: number,
): string {
  const maxAge = session === null ? 0 : Math.max(0, Math.floor((session.expiresAt - now) / 1000));
  const attributes = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAge}`;
  return `${isSecure ? SECURE_SESSION_COOKIE : SESSION_COOKIE}=${session?.value ?? ""}; ${attributes}${isSecure ? "; Secure" : ""}`;
}
