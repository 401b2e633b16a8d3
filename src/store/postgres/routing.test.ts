/** Which server answers, on real ones that lag, end, stand still and come back. */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { ApiError } from "#errors";
import { type Cluster, startCluster } from "#tests/postgres/cluster.ts";
import { execute } from "#tests/postgres/databases.ts";
import { Database } from "./database.ts";
import { classify } from "./connection-errors.ts";
import { openServers, type Servers, type ServersOptions } from "./servers.ts";

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

/** The port of the server that answers. */
async function answeredBy({ routing }: Servers): Promise<number> {
  const row = await routing.read(({ db }) => db.get<{ port: number }>("SELECT inet_server_port() AS port"));
  return row?.port ?? 0;
}

/** Those that answer a round of questions are these and no others. */
async function isAnsweredBy(servers: Servers, ...ports: number[]): Promise<boolean> {
  const answered = new Set<number>();
  for (let count = 0; count < 6; count++) answered.add(await answeredBy(servers));
  return answered.size === ports.length && ports.every((port) => answered.has(port));
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
    await cluster.mend();
    for (const servers of opened.splice(0)) await servers.close();
  });
  after(() => cluster.stop());

  function open(options: Partial<ServersOptions> = {}): Servers {
    const settings = { connections: CONNECTIONS, statementTimeoutMs: 1_500, maxLagMs: 60_000, others: [] };
    const servers = openServers({ ...urls, ...settings, applicationName: "questions", ...options });
    opened.push(servers);
    return servers;
  }

  const portsOfReplicas = () => cluster.replicas.map(({ port }) => port);
  let tables = 0;
  const write = () => execute(urls.url, `CREATE TABLE written_${++tables} (id int)`);
  const pause = (number: 0 | 1) => execute(cluster.replicas[number].url("postgres"), "SELECT pg_wal_replay_pause()");
  const unpause = (number: 0 | 1) => execute(cluster.replicas[number].url("postgres"), "SELECT pg_wal_replay_resume()");

  test("the primary answers until replicas are known to be well, then these in turn", async () => {
    const servers = open();
    assert.equal(await answeredBy(servers), cluster.primary.port);
    await until(() => isAnsweredBy(servers, ...portsOfReplicas()));
  });

  test("without replicas the primary answers", async () => {
    const servers = open({ replicaUrls: [] });
    assert.ok(await isAnsweredBy(servers, cluster.primary.port));
  });

  test("a replica that lags is left once it lags too much, and comes back; when all lag the primary answers", async () => {
    const servers = open({ maxLagMs: 1_000 });
    const [first, second] = portsOfReplicas() as [number, number];
    await until(() => isAnsweredBy(servers, first, second));
    await pause(0);
    await write();
    await until(() => isAnsweredBy(servers, second));
    await pause(1);
    await write();
    await until(() => isAnsweredBy(servers, cluster.primary.port));
    await unpause(0);
    await until(() => isAnsweredBy(servers, first));
    await unpause(1);
    await until(() => isAnsweredBy(servers, first, second));
  });

  test("who has written reads what it wrote, from replicas only when they have it too", async () => {
    const servers = open();
    await until(() => isAnsweredBy(servers, ...portsOfReplicas()));
    await pause(0);
    await pause(1);
    await write();
    servers.routing.wrote();
    assert.ok(await isAnsweredBy(servers, cluster.primary.port));
    await unpause(0);
    await until(() => isAnsweredBy(servers, cluster.replicas[0].port));
    await unpause(1);
    await until(() => isAnsweredBy(servers, ...portsOfReplicas()));
  });

  test("a replica that ends is left without a failure, and comes back", async () => {
    const servers = open();
    const [first, second] = portsOfReplicas() as [number, number];
    await until(() => isAnsweredBy(servers, first, second));
    await cluster.replicas[0].halt();
    assert.ok(await isAnsweredBy(servers, second));
    await cluster.replicas[0].resume();
    await until(() => isAnsweredBy(servers, first, second));
  });

  test("a replica that stands still under questions is left without a failure, and comes back", async () => {
    const servers = open();
    const [first, second] = portsOfReplicas() as [number, number];
    await until(() => isAnsweredBy(servers, first, second));
    await cluster.replicas[0].freeze();
    const answered = await Promise.all(Array.from({ length: 12 }, () => answeredBy(servers)));
    assert.ok(!answered.includes(first));
    assert.ok(await isAnsweredBy(servers, second));
    await cluster.replicas[0].thaw();
    await until(() => isAnsweredBy(servers, first, second));
  });

  test("a question that takes its time is not taken for a server that stands still", async () => {
    const servers = open({ replicaUrls: [] });
    await servers.routing.read(({ db }) => db.all("SELECT pg_sleep(0.9)"));
    assert.equal(servers.primary.isHealthy, true);
  });

  test("a question that takes too long is ended by the server, which goes on", async () => {
    const servers = open({ replicaUrls: [], statementTimeoutMs: 1_000 });
    await assert.rejects(
      servers.routing.read(({ db }) => db.all("SELECT pg_sleep(60)")),
      (error) => isUnavailable(error) && /took too long/.test(String(error)),
    );
    assert.equal(await answeredBy(servers), cluster.primary.port);
  });

  test("whoever would wait behind too many is refused at once, and the others are answered", async () => {
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
      outcomes.map((outcome) => (outcome.status === "rejected" ? classify(outcome.reason) : "answered")),
      ["answered", "answered", "answered", "busy"],
    );
  });

  test("a question that is wrong is wrong anywhere: it is asked once, and its server goes on", async () => {
    const servers = open();
    await until(() => isAnsweredBy(servers, ...portsOfReplicas()));
    let asked = 0;
    const question = servers.routing.read(({ db }) => {
      asked += 1;
      return db.all("SELECT * FROM nowhere");
    });
    await assert.rejects(question, /"nowhere" does not exist/);
    assert.equal(asked, 1);
    assert.ok(await isAnsweredBy(servers, ...portsOfReplicas()));
  });

  test("connections that are cut cost no answer", async () => {
    const servers = open({ replicaUrls: [] });
    await Promise.all(Array.from({ length: CONNECTIONS }, () => answeredBy(servers)));
    const cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'questions'";
    const asked = servers.routing.read(async ({ db }) => {
      await execute(urls.url, cut);
      return db.get<{ one: number }>("SELECT 1 AS one");
    });
    assert.equal((await asked)?.one, 1);
  });

  test("while the primary is away replicas answer, writes are refused, and both end by themselves", async () => {
    const servers = open();
    await until(() => isAnsweredBy(servers, ...portsOfReplicas()));
    const writing = () => servers.primary.run(() => servers.primary.db.run("CREATE TEMPORARY TABLE t (id int)"));
    await writing();
    await cluster.primary.halt();
    await assert.rejects(writing(), isUnavailable);
    await assert.rejects(writing(), isUnavailable);
    assert.ok(await isAnsweredBy(servers, ...portsOfReplicas()));
    await cluster.primary.resume();
    await until(() =>
      writing().then(
        () => true,
        (error: unknown) => !isUnavailable(error),
      ),
    );
  });

  test("what needs the newest is asked of the primary, and of a replica when there is no other way", async () => {
    const servers = open();
    await until(() => isAnsweredBy(servers, ...portsOfReplicas()));
    const newest = async () => {
      const question = servers.routing.read(({ db }) => db.get<{ port: number }>("SELECT inet_server_port() AS port"), {
        order: "primary first",
      });
      return (await question)?.port ?? 0;
    };
    assert.equal(await newest(), cluster.primary.port);
    await cluster.primary.freeze();
    assert.ok(portsOfReplicas().includes(await newest()));
    await cluster.primary.thaw();
    await until(async () => (await newest()) === cluster.primary.port);
  });

  test("when no server answers the caller hears so, and all is well again by itself", async () => {
    const servers = open();
    await until(() => isAnsweredBy(servers, ...portsOfReplicas()));
    const all = [cluster.primary, ...cluster.replicas];
    for (const server of all) await server.freeze();
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => answeredBy(servers)));
    for (const outcome of outcomes) {
      assert.equal(outcome.status, "rejected");
      isUnavailable(outcome.reason);
    }
    for (const server of all) await server.thaw();
    await until(() => isAnsweredBy(servers, ...portsOfReplicas()).catch((error: unknown) => !isUnavailable(error)));
  });

  test("after whatever happened no more connections are left than the pools may hold", async () => {
    const servers = open();
    await until(() => isAnsweredBy(servers, ...portsOfReplicas()));
    const storm = () => Promise.allSettled(Array.from({ length: 60 }, () => answeredBy(servers)));
    for (const server of [cluster.primary, ...cluster.replicas]) {
      await Promise.all([storm(), server.freeze(), storm()]);
      await Promise.all([storm(), server.thaw()]);
      await Promise.all([storm(), server.halt(), storm()]);
      await Promise.all([storm(), server.resume()]);
    }
    await until(() => isAnsweredBy(servers, ...portsOfReplicas()).catch((error: unknown) => !isUnavailable(error)));
    await storm();
    for (const { url } of [cluster.primary, ...cluster.replicas]) {
      await until(async () => (await countQuestioners(url("postgres"))) <= CONNECTIONS + 1);
    }
  });

  test("a replica that becomes a primary of its own is left for good", async () => {
    const servers = open();
    const [first, second] = portsOfReplicas() as [number, number];
    await until(() => isAnsweredBy(servers, first, second));
    await execute(cluster.replicas[1].url("postgres"), "SELECT pg_promote()");
    await until(() => isAnsweredBy(servers, first));
    assert.equal(servers.replicas[1]?.isHealthy, false);
  });
});

async function countQuestioners(url: string): Promise<number> {
  const client = new Client(url);
  await client.connect();
  const { rows } = await client.query<{ n: number }>(
    "SELECT count(*)::int AS n FROM pg_stat_activity WHERE application_name = 'questions'",
  );
  await client.end();
  return rows[0]?.n ?? 0;
}
