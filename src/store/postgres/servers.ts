/** The servers of a store: the primary, which everything is written to, and the replicas that follow it. */
import { Database, type PoolSettings } from "./database.ts";
import { WalLagTracker } from "./replication-lag.ts";
import { Probe } from "./probe.ts";
import { type Replica, Routing } from "./routing.ts";
import { Server } from "./server.ts";

/** More who wait than this would wait too long. */
const MAX_WAITING = 1_000;

/** Whoever waits longer for a connection has no time left to ask elsewhere. */
const CONNECT_TIMEOUT_MS = 800;

/** The server ends a statement that takes too long, and says so a little later. */
const WORD_OF_IT_MS = 200;

export interface ServersOptions {
  url: string;
  /** Of streaming replicas. */
  replicaUrls: readonly string[];
  maxLagMs: number;
  /** For each server. */
  connections: number;
  statementTimeoutMs: number;
  /** Of the times after which a server counts as away. */
  timeoutFactor?: number;
  applicationName: string;
  /** Pools of the primary whose statements are short. */
  others: readonly Database[];
}

export interface Servers {
  routing: Routing;
  primary: Server;
  replicas: readonly Server[];
  close(): Promise<void>;
}

export function openServers(options: ServersOptions): Servers {
  const {
    url,
    replicaUrls,
    maxLagMs,
    connections,
    statementTimeoutMs,
    applicationName,
    others,
    timeoutFactor = 1,
  } = options;
  const positions = new WalLagTracker();
  const pool: Omit<PoolSettings, "url"> = {
    connections,
    statementTimeoutMs,
    applicationName,
    connectTimeoutMs: CONNECT_TIMEOUT_MS * timeoutFactor,
    maxWaiting: MAX_WAITING,
  };
  const primary = new Server({
    db: new Database({ ...pool, url }),
    probe: new Probe({ url, applicationName, timeoutFactor }),
    others,
    // It was written to when the store was opened.
    well: true,
    judge({ standby, position }, askedAt) {
      if (!standby) positions.notePrimary(position, askedAt);
      return !standby;
    },
  });
  const replicas = replicaUrls.map((readUrl) => openReplica({ ...pool, url: readUrl }, positions));
  const routing = new Routing({
    primary,
    replicas,
    positions,
    maxLagMs,
    patienceMs: statementTimeoutMs + WORD_OF_IT_MS,
  });
  const servers = replicas.map(({ server }) => server);
  return {
    routing,
    primary,
    replicas: servers,
    async close() {
      await Promise.all([primary, ...servers].map((server) => server.close()));
    },
  };
}

function openReplica(pool: PoolSettings, positions: WalLagTracker): Replica {
  const replica: Replica = {
    position: -1,
    server: new Server({
      db: new Database(pool),
      probe: new Probe(pool),
      well: false,
      judge({ standby, position }) {
        replica.position = position;
        if (standby) positions.noteReplica(position);
        // One that follows nobody any more goes its own way.
        return standby;
      },
    }),
  };
  return replica;
}
