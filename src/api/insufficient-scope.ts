/** The error for a valid token that lacks a scope. */
import { ApiError } from "#errors";

export const BEARER_REALM = 'Bearer realm="triptych"';

/** Any one of the scopes suffices. */
export function insufficientScope(scopes: readonly string[]): ApiError {
  const named = scopes.length === 1 ? `the scope ${scopes[0]}` : `one of the scopes ${scopes.join(", ")}`;
  return new ApiError("insufficient_scope", `the token needs ${named}`, {
    headers: { "www-authenticate": `${BEARER_REALM}, error="insufficient_scope", scope="${scopes.join(" ")}"` },
  });
}
