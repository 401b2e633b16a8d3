/** Authenticates requests by the bearer token of the Authorization header, or by the session of a browser. */
import { BEARER_REALM, insufficientScope } from "#api/insufficient-scope.ts";
import { type Fields, isFields } from "#domain/fields.ts";
import { ApiError, unconfirmedToken } from "#errors";
import { CHANGING_SCOPES } from "./scopes.ts";
import { containsToken } from "./token-format.ts";
import type { Principal, TokenRegistry } from "./tokens.ts";

/** Query parameters in which clients send tokens by mistake, in any case: proxies and logs store URLs. */
const TOKEN_PARAMETERS = new Set([
  "access_token",
  "accesstoken",
  "api_token",
  "apitoken",
  "auth_token",
  "token",
  "api_key",
  "api-key",
  "apikey",
  "key",
  "auth",
  "authorization",
  "bearer",
]);

interface HttpRequest {
  query: unknown;
  headers: { authorization?: string | undefined };
  /** The cookie of a session that this request may use: see session-cookie.ts. */
  sessionCookie: string | null;
  /** Set for later handlers of the request. */
  principal: Principal | null;
  sessionExpiresAt: number | null;
}

export async function authenticate(request: HttpRequest, tokens: TokenRegistry, now: number): Promise<Principal> {
  const query: Fields = isFields(request.query) ? request.query : {};
  const header = request.headers.authorization;
  const misplaced = Object.keys(query).find(
    (name) => TOKEN_PARAMETERS.has(name.toLowerCase()) || containsToken(name) || containsToken(String(query[name])),
  );
  if (misplaced !== undefined) {
    throw new ApiError(
      "token_in_query",
      `${misplaced} in the query string: send the token in the Authorization header`,
      {
        errors: [{ in: "query", parameter: misplaced, reason: "must not be sent in the URL" }],
      },
    );
  }
  if (header === undefined && request.sessionCookie !== null) {
    const session = await tokens.verifySession(request.sessionCookie, now);
    if (session === null) throw sessionEnded();
    request.sessionExpiresAt = session.expiresAt;
    return (request.principal = session.principal);
  }
  if (header === undefined) {
    throw new ApiError("missing_token", "send the header Authorization: Bearer <token>", {
      errors: [{ in: "header", parameter: "Authorization", reason: "required" }],
      headers: { "www-authenticate": BEARER_REALM },
    });
  }
  const token = /^bearer +(\S.*)$/i.exec(header)?.[1];
  const principal = token === undefined ? null : await tokens.verify(token, now);
  if (principal !== null) return (request.principal = principal);
  throw new ApiError("invalid_token", token === undefined ? describeForm(header) : UNKNOWN_TOKEN, {
    errors: [{ in: "header", parameter: "Authorization", reason: "must be Bearer and a valid token" }],
    headers: { "www-authenticate": `${BEARER_REALM}, error="invalid_token"` },
  });
}

function sessionEnded(): ApiError {
  return new ApiError("invalid_token", "the session has ended; sign in again", {
    errors: [{ in: "header", parameter: "Cookie", reason: "must be a session that has not ended" }],
    headers: { "www-authenticate": BEARER_REALM },
  });
}

/** Says nothing more of a token that is not accepted, so that a stolen one tells nothing. */
const UNKNOWN_TOKEN = "the bearer token is unknown, mistyped, expired or revoked";

/** What is wrong with the form of a header, without repeating it: it may contain a token. */
function describeForm(header: string): string {
  if (/^(?:bearer)?\s*$/i.test(header))
    return "the Authorization header has no token: send Authorization: Bearer <token>, and check that the variable with the token is set";
  if (/^\S+$/.test(header)) return "the word Bearer is missing before the token: send Authorization: Bearer <token>";
  return "the Authorization header must begin with Bearer: send Authorization: Bearer <token>";
}

export function requireScope(principal: Principal, scope: string): void {
  if (principal.scopes.has(scope)) return;
  throw principal.isFromReplica && CHANGING_SCOPES.has(scope) ? unconfirmedToken() : insufficientScope([scope]);
}
