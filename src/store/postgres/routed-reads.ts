/** Readers and tokens that send each read to the right server. */
import type { PlatformName } from "#domain/record.ts";
import { present } from "#domain/present.ts";
import { unconfirmedToken } from "#errors";
import type { RenderMode } from "#domain/projection.ts";
import type { Reader } from "#store/store.ts";
import { createRecordLoader } from "#store/search/record-loader.ts";
import { createTokens } from "#store/tokens/statements.ts";
import { createSearch } from "#store/search/queries.ts";
import type { SearchStore } from "#store/search/port.ts";
import type { Tokens } from "#store/tokens/port.ts";
import { wrapMethods } from "./wrap-methods.ts";
import type { Database } from "./database.ts";
import { notify } from "./events.ts";
import { createReader } from "./reader.ts";
import { createSearchEngine } from "#store/search/engine.postgres.ts";
import type { Server } from "./server.ts";
import type { PrimaryFirst, Servers } from "./servers.ts";

const TOKEN_LIMITS: PrimaryFirst = {
  // A revocation takes effect within 5 s even when read from a replica; token caches add to this lag.
  maxLagMs: 3_000,
  // While the primary is down, a revocation may be on its way.
  maxAgeMs: 120_000,
};

export function createRoutedReader(servers: Servers, platform: PlatformName, mode: RenderMode): Reader {
  const readers = perServer(servers, ({ db }) => createReader(db, platform, mode));
  return wrapMethods(readers(servers.primary), (call) => servers.read((server) => call(readers(server))));
}

/** All statements of a search go to one server, so that its parts see one state. */
export function createRoutedSearch(servers: Servers): SearchStore {
  const searches = perServer(servers, ({ db }) => createSearch(createSearchEngine(db), createRecordLoader(db)));
  return (search) => servers.read((server) => searches(server)(search));
}

/**
 * Tokens are read from the primary. While it is down, a replica may confirm a token for reading, for two minutes, but a
 * missing one proves nothing.
 */
export function createRoutedTokens(servers: Servers, accessPool: Database): Tokens {
  const { primary } = servers;
  const tokens = perServer(servers, (server) => createTokens(server === primary ? accessPool : server.db));
  const primaryTokens = tokens(primary);
  const store = <Result>(keyId: string, change: (tokens: Tokens) => Promise<Result>, isNew?: true): Promise<Result> =>
    primary.run(() =>
      accessPool.transaction(async (sql) => {
        const changed = await change(createTokens(sql));
        await notify(sql, { about: "token", keyId, ...(isNew && { isNew }) });
        return changed;
      }),
    );
  const write = async <Result>(keyId: string, change: (tokens: Tokens) => Promise<Result>): Promise<Result> => {
    const result = await store(keyId, change);
    servers.noteTokenWrite();
    return result;
  };
  return {
    // A replica without a new token takes nothing back: it confirms those that it has.
    writeToken: (token) => store(token.keyId, (stored) => stored.writeToken(token), true),
    revokeToken: (keyId, ...args) => write(keyId, (stored) => stored.revokeToken(keyId, ...args)),
    replaceToken: (keyId, ...args) => write(keyId, (stored) => stored.replaceToken(keyId, ...args)),
    sealToken: (keyId, ...args) => write(keyId, (stored) => stored.sealToken(keyId, ...args)),
    endSession: (keyId, ...args) => write(keyId, (stored) => stored.endSession(keyId, ...args)),
    endAllSessions: (keyId) => write(keyId, (stored) => stored.endAllSessions(keyId)),
    getSessionEnds: (keyId) =>
      servers.read((server) => tokens(server).getSessionEnds(keyId), { primaryFirst: TOKEN_LIMITS }),
    listTokens: () => primary.run(() => primaryTokens.listTokens()),
    getToken: (keyId) =>
      servers.read(
        async (server) => {
          const token = await tokens(server).getToken(keyId);
          if (server === primary) return token;
          if (token !== null) return { ...token, isFromReplica: true };
          throw unconfirmedToken();
        },
        { primaryFirst: TOKEN_LIMITS },
      ),
  };
}

function perServer<Value>(
  { primary, replicas }: Servers,
  create: (server: Server) => Value,
): (server: Server) => Value {
  const values = new Map([primary, ...replicas].map((server) => [server, create(server)]));
  return (server) => present(values.get(server));
}
