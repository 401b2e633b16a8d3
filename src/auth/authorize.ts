/** Authenticates requests by the bearer token of the Authorization header, and by nothing else. */
import { BEARER_REALM, insufficientScope } from "#api/insufficient-scope.ts";
import { ApiError } from "#errors";
import type { Principal, TokenRegistry } from "./tokens.ts";

/** Query parameters in which clients send tokens by mistake: proxies and logs store URLs. */
const TOKEN_PARAMETERS = ["access_token", "api_token", "token", "api_key", "apikey", "authorization"];

interface HttpRequest {
  query: unknown;
  headers: { authorization?: string | undefined };
}

export async function authenticate(request: HttpRequest, tokens: TokenRegistry, now: number): Promise<Principal> {
  const query = request.query as Record<string, unknown>;
  const header = request.headers.authorization;
  const misplaced = TOKEN_PARAMETERS.find((name) => query[name] !== undefined);
  if (misplaced !== undefined) {
    throw new ApiError(
      "token_in_query",
      `${misplaced} in the query string: send the token in the Authorization header`,
      {
        errors: [{ in: "query", parameter: misplaced, reason: "must not be sent in the URL" }],
      },
    );
  }
  if (header === undefined) {
    throw new ApiError("missing_token", "send the header Authorization: Bearer <token>", {
      errors: [{ in: "header", parameter: "Authorization", reason: "required" }],
      headers: { "www-authenticate": BEARER_REALM },
    });
  }
  const token = /^bearer +(\S.*)$/i.exec(header)?.[1]?.trimEnd();
  const principal = token === undefined ? null : await tokens.verify(token, now);
  if (principal !== null) return principal;
  throw new ApiError("invalid_token", "the bearer token is unknown, mistyped, expired or revoked", {
    errors: [{ in: "header", parameter: "Authorization", reason: "must be Bearer and a valid token" }],
    headers: { "www-authenticate": `${BEARER_REALM}, error="invalid_token"` },
  });
}

export function requireScope(principal: Principal, scope: string): void {
  if (!principal.scopes.has(scope)) throw insufficientScope([scope]);
}
