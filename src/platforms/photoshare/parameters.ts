import { textParameter } from "#api/parameters.ts";

/** Long enough for URLs with the parameters that share buttons append. */
export const UsernameOrUrlParameter = textParameter(
  "Account name, `@name`, profile URL, or the account's id. URLs of posts are rejected.",
  { maxLength: 512 },
);
