/** The scopes that a token may have, with a description each. */
import type { PlatformName } from "#domain/record.ts";

export interface Scope {
  name: string;
  sentence: string;
}

export const PERSONAL_SCOPE = "read:personal";

/** Spends the quota of the operator's keys, so reading alone does not include it. */
export const LIVE_SCOPE = "live";

/** A token has these only while the primary database confirms it. */
export const CHANGING_SCOPES: ReadonlySet<string> = new Set(["admin", "ingest"]);

export function scopesFor(platforms: readonly PlatformName[]): Scope[] {
  return [
    ...platforms.map((platform) => ({
      name: `read:${platform}`,
      sentence: `Read the operations below /api/${platform}.`,
    })),
    {
      name: PERSONAL_SCOPE,
      sentence: "See e-mail, phone, street and zip of a profile; without it they are empty, and hidden in biographies.",
    },
    { name: LIVE_SCOPE, sentence: "Have missing and stale records requested from live sources, within their quota." },
    { name: "feed", sentence: "Read searches and posts as feeds, with the token in the URL, and nothing else." },
    { name: "export", sentence: "Export whole sets of records." },
    { name: "ingest", sentence: "Import records." },
    { name: "admin", sentence: "Manage tokens, erasures and the service." },
  ];
}

/** Whoever starts the service first owns it: all scopes but that of feeds, whose tokens stand in URLs. */
export function ownerScopesFor(platforms: readonly PlatformName[]): string[] {
  return scopesFor(platforms)
    .map(({ name }) => name)
    .filter((name) => name !== "feed");
}

/** All read scopes, personal fields included: those of API_TOKEN. */
export function readScopesFor(platforms: readonly PlatformName[]): string[] {
  return scopesFor(platforms)
    .map(({ name }) => name)
    .filter((name) => name.startsWith("read:"));
}

/** Parses a list such as `read:shortvideo,export`; returns the distinct scopes, or the reason why it is invalid. */
export function parseScopes(list: string, known: readonly Scope[]): { scopes: string[] } | { reason: string } {
  const names = known.map(({ name }) => name);
  const requested = list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
  const unknown = requested.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    return { reason: `${unknown.join(", ")}: unknown scope; the scopes are ${names.join(", ")}` };
  }
  if (requested.length === 0) return { reason: `name at least one scope of ${names.join(", ")}` };
  const scopes = [...new Set(requested)];
  if (scopes.includes("feed") && scopes.length > 1) {
    return { reason: "feed must be the only scope, as its token stands in URLs; create another token for the rest" };
  }
  return { scopes };
}
