import { ApiError } from "#errors";

export function tokenNotFound(keyId: string): ApiError {
  return new ApiError("token_not_found", `no token has the key id ${keyId}`);
}
