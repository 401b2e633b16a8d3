/** Tokens of a running test server, created the way the command line creates them: over a store handle of their own. */
import { readScopesFor } from "#auth/scopes.ts";
import { openSecrets } from "#testing/secrets.ts";
import { type IssuedToken, TokenRegistry, type TokenRequest } from "#auth/tokens.ts";
import { PLATFORMS } from "#platforms/registry.ts";
import type { TestServer } from "./test-server.ts";

export interface TokenIssuer {
  /** `now` in Unix milliseconds: the past makes tokens that have expired. */
  issue(request: Partial<TokenRequest>, now?: number): Promise<IssuedToken>;
  registry: TokenRegistry;
  close(): Promise<void>;
}

export const ALL_READ = readScopesFor(PLATFORMS.map(({ name }) => name));

export async function openTokenIssuer(server: TestServer): Promise<TokenIssuer> {
  const store = await server.openStore();
  const registry = new TokenRegistry(store.tokens, openSecrets(server.dataDir).tokens);
  return {
    registry,
    issue: (request, now) => registry.create({ label: "for a test", scopes: ALL_READ, ...request }, now),
    close: () => store.close(),
  };
}

export function bearerHeader(token: string): { authorization: string } {
  return { authorization: `Bearer ${token}` };
}
