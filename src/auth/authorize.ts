/** Who asks: the bearer token of the Authorization header, and nothing else. */
import { BEARER_REALM, insufficientScope } from "#api/insufficient-scope.ts";
import { ApiError } from "#errors";
import type { Principal, TokenRegistry } from "./tokens.ts";

/** Names under which clients put tokens into addresses, where proxies and logs would keep them. */
const QUERY_NAMES = ["access_token", "api_token", "token", "api_key", "apikey", "authorization"];

interface HttpRequest {
  query: unknown;
  headers: { authorization?: string | undefined };
}

export async function authorize(request: HttpRequest, tokens: TokenRegistry, now: number): Promise<Principal> {
  return bearerOf(request.query as Record<string, unknown>, request.headers.authorization, tokens, now);
}

/** At once, if the token was proven a moment ago. */
export function bearerOf(
  query: Record<string, unknown>,
  header: string | undefined,
  tokens: TokenRegistry,
  now: number,
): Principal | Promise<Principal> {
  const misplaced = QUERY_NAMES.find((name) => query[name] !== undefined);
  if (misplaced !== undefined) {
    throw new ApiError(
      "token_in_query",
      `${misplaced} in the query string: send the token in the Authorization header`,
      {
        errors: [{ in: "query", parameter: misplaced, reason: "must not be sent in the address" }],
      },
    );
  }
  if (header === undefined) {
    throw new ApiError("missing_token", "send the header Authorization: Bearer <token>", {
      errors: [{ in: "header", parameter: "Authorization", reason: "required" }],
      headers: { "www-authenticate": BEARER_REALM },
    });
  }
  const token = tokenIn(header);
  const known = token === undefined ? null : tokens.verifyCached(token, now);
  if (token === undefined || known !== undefined) return assertKnown(known);
  return tokens.verify(token, now).then(assertKnown);
}

function assertKnown(bearer: Principal | null | undefined): Principal {
  if (bearer != null) return bearer;
  throw new ApiError("invalid_token", "the bearer token is unknown, mistyped, expired or revoked", {
    errors: [{ in: "header", parameter: "Authorization", reason: "must be Bearer and a valid token" }],
    headers: { "www-authenticate": `${BEARER_REALM}, error="invalid_token"` },
  });
}

export function tokenIn(header: string): string | undefined {
  return /^bearer +(\S.*)$/i.exec(header)?.[1]?.trimEnd();
}

export function requireScope(bearer: Principal, scope: string): void {
  if (!bearer.scopes.has(scope)) throw insufficientScope([scope]);
}
