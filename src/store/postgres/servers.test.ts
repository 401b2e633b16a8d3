/** Which server handles a read, on real servers that lag, stop, hang and come back. */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import type { TokenRecord } from "#domain/token.ts";
import { ApiError } from "#errors";
import { comment, PLATFORM, post, SECOND } from "#testing/sample-records.ts";
import { type Cluster, startCluster } from "#tests/postgres/cluster.ts";
import { execute } from "#tests/postgres/databases.ts";
import { Database } from "./database.ts";
import { classify } from "./connection-errors.ts";
import { Servers, type ServersOptions } from "./servers.ts";
import { openPostgresStore } from "./store.ts";
import { toUnit } from "#store/write/batch-changes.ts";

const CONNECTIONS = 4;

async function until(reached: () => Promise<boolean>): Promise<void> {
  while (!(await reached())) await sleep(20);
}

function isUnavailable(error: unknown): boolean {
  assert.ok(error instanceof ApiError, String(error));
  assert.equal(error.code, "service_unavailable");
  assert.deepEqual(error.headers, { "retry-after": "1" });
  return true;
}

/** The port of the server that handles a read. */
async function portOfRead(servers: Servers): Promise<number> {
  const row = await servers.read(({ db }) => db.get<{ port: number }>("SELECT inet_server_port() AS port"));
  return row?.port ?? 0;
}

/** Whether several reads are handled by exactly these servers. */
async function readsUse(servers: Servers, ...ports: number[]): Promise<boolean> {
  const used = new Set<number>();
  for (let count = 0; count < 6; count++) used.add(await portOfRead(servers));
  return used.size === ports.length && ports.every((port) => used.has(port));
}

describe("servers of a store", () => {
  let cluster: Cluster;
  let urls: { url: string; replicaUrls: string[] };
  const opened: Servers[] = [];

  before(async () => {
    cluster = await startCluster();
    urls = await cluster.freshDatabase();
  });
  afterEach(async () => {
    await cluster.repair();
    for (const servers of opened.splice(0)) await servers.close();
  });
  after(() => cluster.stop());

  function open(options: Partial<ServersOptions> = {}): Servers {
    const settings = { connections: CONNECTIONS, statementTimeoutMs: 1_500, maxLagMs: 60_000, otherPools: [] };
    const servers = new Servers({ ...urls, ...settings, applicationName: "reads", ...options });
    opened.push(servers);
    return servers;
  }

  const replicaPorts = () => cluster.replicas.map(({ port }) => port);
  let tables = 0;
  const createTable = () => execute(urls.url, `CREATE TABLE written_${++tables} (id int)`);
  const pause = (number: 0 | 1) => execute(cluster.replicas[number].url("postgres"), "SELECT pg_wal_replay_pause()");
  const unpause = (number: 0 | 1) => execute(cluster.replicas[number].url("postgres"), "SELECT pg_wal_replay_resume()");

  test("a coordinator that has lost a worker fails the reads of its rows only, and stays in use", async () => {
    const servers = open({ replicaUrls: [] });
    const port = await portOfRead(servers);
    await servers.primary.db.run(`CREATE FUNCTION lost_worker() RETURNS int LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'connection to the remote node failed' USING ERRCODE = '08006'; END $$`);
    const other = servers.read(({ db }) => db.get<{ n: number }>("SELECT 1 AS n FROM pg_sleep(0.1)"));
    await assert.rejects(
      servers.read(({ db }) => db.get("SELECT lost_worker()")),
      isUnavailable,
    );
    assert.equal(servers.primary.isHealthy, true);
    assert.deepEqual(await other, { n: 1 });
    assert.equal(await portOfRead(servers), port);
  });

  test("a primary that takes no writes is still read", async () => {
    const servers = open({ replicaUrls: [] });
    await portOfRead(servers);
    const other = servers.read(({ db }) => db.get<{ n: number }>("SELECT 1 AS n FROM pg_sleep(0.1)"));
    await assert.rejects(
      servers.primary.run(() =>
        servers.primary.db.run("DO $$ BEGIN RAISE EXCEPTION 'read-only' USING ERRCODE = '25006'; END $$"),
      ),
      isUnavailable,
    );
    assert.equal(servers.primary.isHealthy, true);
    assert.deepEqual(await other, { n: 1 });
  });

  test("reads go to the primary until replicas pass a check, then to the replicas in turn", async () => {
    const servers = open();
    assert.equal(await portOfRead(servers), cluster.primary.port);
    await until(() => readsUse(servers, ...replicaPorts()));
  });

  test("without replicas, reads go to the primary", async () => {
    const servers = open({ replicaUrls: [] });
    assert.ok(await readsUse(servers, cluster.primary.port));
  });

  test("a replica that lags too much is not used until it catches up; when all lag, the primary is used", async () => {
    const servers = open({ maxLagMs: 1_000 });
    const [first, second] = replicaPorts() as [number, number];
    await until(() => readsUse(servers, first, second));
    await pause(0);
    await createTable();
    await until(() => readsUse(servers, second));
    await pause(1);
    await createTable();
    await until(() => readsUse(servers, cluster.primary.port));
    await unpause(0);
    await until(() => readsUse(servers, first));
    await unpause(1);
    await until(() => readsUse(servers, first, second));
  });

  test("a process reads its own writes: from replicas only once they have replayed them", async () => {
    const servers = open();
    await until(() => readsUse(servers, ...replicaPorts()));
    await pause(0);
    await pause(1);
    await createTable();
    servers.noteWrite();
    assert.ok(await readsUse(servers, cluster.primary.port));
    await unpause(0);
    await until(() => readsUse(servers, cluster.replicas[0].port));
    await unpause(1);
    await until(() => readsUse(servers, ...replicaPorts()));
  });

  test("an erasure in another process is followed at once: from replicas only once they have replayed it", async () => {
    const { url, replicaUrls } = await cluster.freshDatabase();
    const erasing = await openPostgresStore({ url });
    const node = await openPostgresStore({ url, replicaUrls, maxLagS: 60 });
    const isShown = async (id: string) => (await node.reader(PLATFORM).getPost(id)) !== null;
    const write = (id: string) => erasing.writer.write([toUnit(PLATFORM, { posts: [post(id)] })]);
    try {
      node.dataVersion();
      const received: string[] = [];
      node.events.subscribe(({ about }) => void received.push(about));
      await until(async () => received.includes("anything"));
      await write("p0");
      let last = 0;
      // Until the node reads from the replicas.
      do {
        await unpause(0);
        await unpause(1);
        await until(() => isShown(`p${last}`));
        await pause(0);
        await pause(1);
        await write(`p${++last}`);
      } while (await isShown(`p${last}`));
      await erasing.writer.erase(PLATFORM, "post", "p0");
      await until(async () => received.includes("erasure"));
      for (let count = 0; count < 6; count++) assert.equal(await isShown("p0"), false);
    } finally {
      await Promise.all([node.close(), erasing.close()]);
    }
  });

  /** A database with a store of its own, whose clock a test sets forward. */
  async function openNode() {
    const { url, replicaUrls } = await cluster.freshDatabase();
    const clock = { aheadMs: 0, now: () => performance.now() + clock.aheadMs };
    const store = await openPostgresStore({ url, replicaUrls, maxLagS: 2, monotonicClock: clock });
    store.dataVersion();
    await store.writer.write([toUnit(PLATFORM, { posts: [post("p1")] })]);
    await store.tokens.writeToken(aToken("mara"));
    const servers = open({ url, replicaUrls, maxLagMs: 100 });
    await until(() => readsUse(servers, ...replicaPorts()));
    const read = () => store.reader(PLATFORM).getPost("p1");
    return { store, clock, read, url };
  }

  /** A store that has just been opened may not have asked the replicas for their positions yet. */
  const untilRead = (read: () => Promise<unknown>) => until(async () => (await read().catch(() => null)) !== null);

  test("a primary that is killed: reads go on, and its tokens are confirmed for two minutes", async () => {
    const { store, clock, read } = await openNode();
    const isFromReplica = async () => (await store.tokens.getToken("mara"))?.isFromReplica ?? false;
    try {
      assert.equal(await isFromReplica(), false);
      await cluster.primary.kill();
      await untilRead(read);
      assert.equal(await isFromReplica(), true);
      await assert.rejects(store.tokens.getToken("nobody"), isUnavailable);
      clock.aheadMs = 115_000;
      assert.equal(await isFromReplica(), true);
      clock.aheadMs = 120_000;
      await assert.rejects(store.tokens.getToken("mara"), isUnavailable);
      assert.notEqual(await read(), null);
      await cluster.primary.resume();
      await until(() =>
        isFromReplica().then(
          (isStale) => !isStale,
          (error: unknown) => !isUnavailable(error),
        ),
      );
    } finally {
      await store.close();
    }
  });

  test("a token whose revocation reached no replica is not confirmed when the primary is gone", async () => {
    const { store, read } = await openNode();
    try {
      await pause(0);
      await pause(1);
      await store.tokens.revokeToken("mara", SECOND);
      await cluster.primary.kill();
      await assert.rejects(store.tokens.getToken("mara"), isUnavailable);
      await untilRead(read);
      await assert.rejects(store.tokens.getToken("mara"), isUnavailable);
      await unpause(0);
      await unpause(1);
    } finally {
      await store.close();
    }
  });

  test("the first documents of a kind are found on replicas too", async () => {
    const { url, replicaUrls } = await cluster.freshDatabase();
    const importing = await openPostgresStore({ url });
    const node = await openPostgresStore({ url, replicaUrls });
    const sources = (["post", "comment"] as const).map((kind) => ({ platform: PLATFORM, kind, offset: 0 }));
    const count = async () => (await node.search({ text: "tea", sources, limit: 5, now: SECOND })).hits.length;
    try {
      await importing.writer.write([toUnit(PLATFORM, { posts: [post("p1", { text: "tea" })] })]);
      const servers = open();
      await until(() => readsUse(servers, ...replicaPorts()));
      await until(async () => (await count()) === 1);
      // On both replicas, and without comments.
      for (let reads = 0; reads < 6; reads++) assert.equal(await count(), 1);
      await importing.writer.write([toUnit(PLATFORM, { comments: [comment("c1", { text: "tea" })] })]);
      await until(async () => (await count()) === 2);
    } finally {
      await Promise.all([node.close(), importing.close()]);
    }
  });

  test("a replica that stops causes no failed read, and is used again once it is back", async () => {
    const servers = open();
    const [first, second] = replicaPorts() as [number, number];
    await until(() => readsUse(servers, first, second));
    await cluster.replicas[0].halt();
    assert.ok(await readsUse(servers, second));
    await cluster.replicas[0].resume();
    await until(() => readsUse(servers, first, second));
  });

  test("a replica that hangs during reads causes no failed read, and is used again once it responds", async () => {
    const servers = open();
    const [first, second] = replicaPorts() as [number, number];
    await until(() => readsUse(servers, first, second));
    await cluster.replicas[0].freeze();
    const ports = await Promise.all(Array.from({ length: 12 }, () => portOfRead(servers)));
    assert.ok(!ports.includes(first));
    assert.ok(await readsUse(servers, second));
    await cluster.replicas[0].thaw();
    await until(() => readsUse(servers, first, second));
  });

  test("a slow query does not mark its server down", async () => {
    const servers = open({ replicaUrls: [] });
    await servers.read(({ db }) => db.all("SELECT pg_sleep(0.9)"));
    assert.equal(servers.primary.isHealthy, true);
  });

  test("the server cancels a query that takes too long, and stays healthy", async () => {
    const servers = open({ replicaUrls: [], statementTimeoutMs: 1_000 });
    await assert.rejects(
      servers.read(({ db }) => db.all("SELECT pg_sleep(60)")),
      (error) => isUnavailable(error) && /took too long/.test(String(error)),
    );
    assert.equal(await portOfRead(servers), cluster.primary.port);
  });

  test("a query fails immediately when too many wait for a connection; the others succeed", async () => {
    const db = new Database({
      url: urls.url,
      connections: 1,
      maxWaiting: 2,
      connectTimeoutMs: 5_000,
      statementTimeoutMs: 5_000,
      applicationName: "few",
    });
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map((n) => db.get("SELECT pg_sleep(0.1), $1::int", n)));
    await db.close();
    assert.deepEqual(
      outcomes.map((outcome) => (outcome.status === "rejected" ? classify(outcome.reason) : "done")),
      ["done", "done", "done", "busy"],
    );
  });

  test("a wrong statement is not retried, and its server stays healthy", async () => {
    const servers = open();
    await until(() => readsUse(servers, ...replicaPorts()));
    let attempts = 0;
    const read = servers.read(({ db }) => {
      attempts += 1;
      return db.all("SELECT * FROM nowhere");
    });
    await assert.rejects(read, /"nowhere" does not exist/);
    assert.equal(attempts, 1);
    assert.ok(await readsUse(servers, ...replicaPorts()));
  });

  test("a read survives the loss of its connection", async () => {
    const servers = open({ replicaUrls: [] });
    await Promise.all(Array.from({ length: CONNECTIONS }, () => portOfRead(servers)));
    const cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'reads'";
    const read = servers.read(async ({ db }) => {
      await execute(urls.url, cut);
      return db.get<{ one: number }>("SELECT 1 AS one");
    });
    assert.equal((await read)?.one, 1);
  });

  test("while the primary is down, reads go to replicas and writes fail, until it is back", async () => {
    const servers = open();
    await until(() => readsUse(servers, ...replicaPorts()));
    const write = () => servers.primary.run(() => servers.primary.db.run("CREATE TEMPORARY TABLE t (id int)"));
    await write();
    await cluster.primary.halt();
    await assert.rejects(write(), isUnavailable);
    await assert.rejects(write(), isUnavailable);
    assert.ok(await readsUse(servers, ...replicaPorts()));
    await cluster.primary.resume();
    await until(() =>
      write().then(
        () => true,
        (error: unknown) => !isUnavailable(error),
      ),
    );
  });

  test("a read with primaryFirst goes to the primary, and to a replica while the primary hangs", async () => {
    const servers = open();
    await until(() => readsUse(servers, ...replicaPorts()));
    const newest = async () => {
      const row = await servers.read(({ db }) => db.get<{ port: number }>("SELECT inet_server_port() AS port"), {
        primaryFirst: { maxLagMs: 60_000, maxAgeMs: 60_000 },
      });
      return row?.port ?? 0;
    };
    assert.equal(await newest(), cluster.primary.port);
    await cluster.primary.freeze();
    assert.ok(replicaPorts().includes(await newest()));
    await cluster.primary.thaw();
    await until(async () => (await newest()) === cluster.primary.port);
  });

  test("while no server responds, reads fail as unavailable, and succeed again afterwards", async () => {
    const servers = open();
    await until(() => readsUse(servers, ...replicaPorts()));
    const all = [cluster.primary, ...cluster.replicas];
    for (const server of all) await server.freeze();
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => portOfRead(servers)));
    for (const outcome of outcomes) {
      assert.equal(outcome.status, "rejected");
      isUnavailable(outcome.reason);
    }
    for (const server of all) await server.thaw();
    await until(() => readsUse(servers, ...replicaPorts()).catch((error: unknown) => !isUnavailable(error)));
  });

  test("after any number of failures, no more connections are open than the pools may have", async () => {
    const servers = open();
    await until(() => readsUse(servers, ...replicaPorts()));
    const storm = () => Promise.allSettled(Array.from({ length: 60 }, () => portOfRead(servers)));
    for (const server of [cluster.primary, ...cluster.replicas]) {
      await Promise.all([storm(), server.freeze(), storm()]);
      await Promise.all([storm(), server.thaw()]);
      await Promise.all([storm(), server.halt(), storm()]);
      await Promise.all([storm(), server.resume()]);
    }
    await until(() => readsUse(servers, ...replicaPorts()).catch((error: unknown) => !isUnavailable(error)));
    await storm();
    for (const { url } of [cluster.primary, ...cluster.replicas]) {
      await until(async () => (await countConnections(url("postgres"))) <= CONNECTIONS + 1);
    }
  });

  test("a replica that is promoted is not used any more", async () => {
    const servers = open();
    const [first, second] = replicaPorts() as [number, number];
    await until(() => readsUse(servers, first, second));
    await execute(cluster.replicas[1].url("postgres"), "SELECT pg_promote()");
    await until(() => readsUse(servers, first));
    assert.equal(servers.replicas[1]?.isHealthy, false);
  });
});

function aToken(keyId: string): TokenRecord {
  const lifetime = { createdAt: SECOND, expiresAt: null, revokedAt: null, replacedBy: null };
  return { keyId, digest: "00".repeat(32), label: "for a test", scopes: ["admin"], limits: {}, ...lifetime };
}

async function countConnections(url: string): Promise<number> {
  const client = new Client(url);
  await client.connect();
  const { rows } = await client.query<{ n: number }>(
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'reads'",
  );
  await client.end();
  return rows[0]?.n ?? 0;
}
