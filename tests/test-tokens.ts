/** Tokens of a running test house, made the way the command line makes them: over a store handle of their own. */
import { readScopesFor } from "#auth/scopes.ts";
import { openSecrets } from "#auth/secrets.ts";
import { type IssuedToken, TokenRegistry, type TokenRequest } from "#auth/tokens.ts";
import { PLATFORMS } from "#platforms/registry.ts";
import type { TestServer } from "./test-server.ts";

export interface TokenDesk {
  /** `now` in Unix milliseconds: the past makes tokens that have expired. */
  issue(request: Partial<TokenRequest>, now?: number): Promise<IssuedToken>;
  registry: TokenRegistry;
  close(): Promise<void>;
}

const ALL_READ = readScopesFor(PLATFORMS.map(({ name }) => name));

export async function openTokenDesk(house: TestServer): Promise<TokenDesk> {
  const store = await house.openStore();
  const registry = new TokenRegistry(store.tokens, openSecrets(house.dataDir).tokens);
  return {
    registry,
    issue: (request, now) => registry.create({ label: "for a test", scopes: ALL_READ, ...request }, now),
    close: () => store.close(),
  };
}

export function bearing(token: string): { authorization: string } {
  return { authorization: `Bearer ${token}` };
}
