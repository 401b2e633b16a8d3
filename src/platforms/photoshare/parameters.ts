import { textParameter } from "#api/parameters.ts";

/** Long enough for an address as people copy it, with all that a share button appends. */
export const UsernameOrUrlParameter = textParameter(
  "Account name, `@name`, or the address of the profile. Addresses of posts are refused.",
  { maxLength: 512 },
);
