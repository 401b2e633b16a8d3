/** What a token may be allowed to do. A scope is a word; this is the list of them, with a sentence each. */
import type { PlatformName } from "#domain/record.ts";

export interface Scope {
  name: string;
  sentence: string;
}

export const PERSONAL_SCOPE = "read:personal";

export function scopesFor(platforms: readonly PlatformName[]): Scope[] {
  return [
    ...platforms.map((platform) => ({
      name: `read:${platform}`,
      sentence: `Read the operations below /api/${platform}.`,
    })),
    {
      name: PERSONAL_SCOPE,
      sentence: "See e-mail, phone, street and zip of a profile, which are empty without it.",
    },
    { name: "export", sentence: "Take whole sets of records out." },
    { name: "ingest", sentence: "Bring records in." },
    { name: "admin", sentence: "Manage tokens, erasures and the running of the service." },
  ];
}

/** What the first token and API_TOKEN are given: all that reads, the personal fields included. */
export function readScopesFor(platforms: readonly PlatformName[]): string[] {
  return scopesFor(platforms)
    .map(({ name }) => name)
    .filter((name) => name.startsWith("read:"));
}

/** Reads a comma list such as `read:shortvideo,export`: the scopes, each once, or what is wrong with the list. */
export function parseScopes(list: string, known: readonly Scope[]): { scopes: string[] } | { reason: string } {
  const names = known.map(({ name }) => name);
  const asked = list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const unknown = asked.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    return { reason: `${unknown.join(", ")}: no such scope; the scopes are ${names.join(", ")}` };
  }
  if (asked.length === 0) return { reason: `name at least one scope of ${names.join(", ")}` };
  return { scopes: [...new Set(asked)] };
}
