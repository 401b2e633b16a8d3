/** The questions of a reader and of tokens, each asked of the server that is the right one for it. */
import type { PlatformName } from "#domain/record.ts";
import { unavailable } from "#errors";
import type { RenderMode } from "#domain/projection.ts";
import type { Natives, Reader, Tokens } from "../store.ts";
import { wrapMethods } from "./wrap-methods.ts";
import type { Database } from "./database.ts";
import { createReader } from "./reader.ts";
import type { Server } from "./server.ts";
import type { Servers } from "./servers.ts";
import { createTokens } from "./tokens.ts";

/** A revocation is obeyed within 5 s, also from a replica: what is remembered of a token comes on top of this. */
const TOKENS_MAX_LAG_MS = 3_000;

export function createRoutedReader(
  servers: Servers,
  platform: PlatformName,
  spread: boolean,
  form: RenderMode,
): Reader {
  const readers = perServer(servers, ({ db }) => createReader<Natives>(db, platform, spread, form));
  return wrapMethods(readers(servers.primary), (call) => servers.routing.read((server) => call(readers(server))));
}

/**
 * Tokens are read where they are written. Only when the primary cannot be asked, a replica may vouch for one; that it
 * does not know one proves nothing then.
 */
export function createRoutedTokens(servers: Servers, access: Database): Tokens {
  const { routing, primary } = servers;
  const tokens = perServer(servers, (server) => createTokens(server === primary ? access : server.db));
  const own = tokens(primary);
  return {
    writeToken: (token) => primary.run(() => own.writeToken(token)),
    listTokens: () => primary.run(() => own.listTokens()),
    getToken: (keyId) =>
      routing.read(
        async (server) => {
          const token = await tokens(server).getToken(keyId);
          if (token !== null || server === primary) return token;
          throw unavailable("whether this token exists cannot be told just now; try again in 1 s", null);
        },
        { order: "primary first", maxLagMs: TOKENS_MAX_LAG_MS },
      ),
  };
}

function perServer<Value>({ primary, replicas }: Servers, make: (server: Server) => Value): (server: Server) => Value {
  const made = new Map([primary, ...replicas].map((server) => [server, make(server)]));
  return (server) => made.get(server) as Value;
}
