import { textParameter } from "#api/parameters.ts";

/** Long enough for URLs with the parameters that share buttons append. */
export const UsernameOrUrlParameter = textParameter(
  "Account name, `@name`, or profile URL. URLs of posts are rejected.",
  { maxLength: 512 },
);
