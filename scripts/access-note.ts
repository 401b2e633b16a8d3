import { type Operation, readScope } from "#api/platform.ts";

/** For reference pages: the scopes and the cost of an operation. */
export function accessNote({ reads, endpoint }: Operation): string {
  const scopes = reads.map((platform) => `\`${readScope(platform)}\``);
  const needed =
    scopes.length === 1 ? `Scope ${scopes[0]}` : `Any of the scopes ${scopes.join(", ")}, each for its own platform`;
  return `${needed}; costs as a ${endpoint.cost === "lookup" ? "look-up" : endpoint.cost}.`;
}
