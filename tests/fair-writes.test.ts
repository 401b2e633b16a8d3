/** Uploads and exports of one token keep no other token waiting, and the same upload twice is one import. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { test, type TestContext } from "node:test";
import { reportClaim } from "#testing/claims.ts";
import { until } from "#testing/until.ts";
import { aPostObject, pushedLine } from "./spawn-import.ts";
import { startTestServer, type TestServer } from "./test-server.ts";
import { bearerHeader, openTokenIssuer } from "./test-tokens.ts";
import { aPost } from "./world.ts";

const TIMEOUT = { timeout: 120_000 };

type Headers = Record<string, string>;

interface Report {
  job: { state: string };
}

async function open(
  t: TestContext,
  scopes: string[],
  world: Parameters<typeof startTestServer>[0] = [],
  env: Record<string, string> = {},
): Promise<{ server: TestServer; one: Headers; other: Headers; admin: Headers }> {
  const server = await startTestServer(world, { RATE_LIMIT: "off", ...env });
  t.after(() => server.close());
  const issuer = await openTokenIssuer(server);
  const issue = async (of: string[]) => bearerHeader((await issuer.issue({ scopes: of })).token);
  const tokens = { one: await issue(scopes), other: await issue(scopes), admin: await issue(["admin"]) };
  await issuer.close();
  return { server, ...tokens };
}

async function upload(server: TestServer, headers: Headers, name: string, content: string) {
  const body = new FormData();
  body.append("file", new Blob([content]), name);
  const response = await fetch(`${server.url}/ingest/files`, { method: "POST", headers, body });
  const { job = "", detail = "" } = (await response.json()) as { job?: string; detail?: string };
  return { status: response.status, job, detail };
}

async function stateOf(server: TestServer, admin: Headers, job: string): Promise<string> {
  return (await server.json<Report>(`/admin/jobs/${job}?limit=1`, admin)).job.state;
}

const linesOf = (first: number, count: number) =>
  Array.from({ length: count }, (_, at) => `${pushedLine(aPostObject(first + at))}\n`).join("");

test("a token that fills the queue keeps no other from it: the other's upload is next", TIMEOUT, async (t) => {
  const { server, one, other, admin } = await open(t, ["ingest"]);
  const posts = linesOf(1, 10);
  const flood = await Promise.all(
    // The beginning makes each another file.
    Array.from({ length: 130 }, (_, number) =>
      upload(server, one, `${number}.ndjson`, linesOf(500 + number, 1) + posts),
    ),
  );
  const accepted = flood.filter(({ status }) => status === 202);
  assert.ok(accepted.length >= 100, `${accepted.length} accepted`);
  for (const { status, detail } of flood)
    if (status !== 202)
      assert.deepEqual([status, detail], [429, "too many queued imports of this token; retry in 30 s"]);
  const single = await upload(server, other, "single.ndjson", linesOf(900, 1));
  assert.equal(single.status, 202, single.detail);
  await until(async () => (await stateOf(server, admin, single.job)) === "done");
  const states = await Promise.all(accepted.map(({ job }) => stateOf(server, admin, job)));
  const waiting = states.filter((state) => state === "waiting").length;
  assert.ok(waiting >= 20, `${waiting} of ${accepted.length} wait`);
  reportClaim(
    "One token's uploads keep no other token's waiting",
    `another's upload was imported while ${waiting} of ${accepted.length} waited`,
  );
});

test(
  "the same files of one token within a day are one import, unless it refused some or was undone",
  TIMEOUT,
  async (t) => {
    const { server, one, other, admin } = await open(t, ["ingest"]);
    const done = async (headers: Headers, name: string, content: string) => {
      const { status, job, detail } = await upload(server, headers, name, content);
      assert.equal(status, 202, detail);
      await until(async () => (await stateOf(server, admin, job)) === "done");
      return job;
    };
    const posts = linesOf(1, 3);
    const atOnce = await Promise.all([1, 2, 3].map(() => upload(server, one, "posts.ndjson", posts)));
    const [{ job } = assert.fail()] = atOnce;
    assert.deepEqual([...new Set(atOnce.map((answer) => `${answer.status} ${answer.job}`))], [`202 ${job}`]);
    assert.equal(await done(one, "posts.ndjson", posts), job);
    const others = [
      await done(other, "posts.ndjson", posts),
      await done(one, "renamed.ndjson", posts),
      await done(one, "posts.ndjson", `${posts}${linesOf(9, 1)}`),
    ];
    assert.equal(new Set([job, ...others]).size, 4);

    // A video may be imported between two uploads of its subtitles.
    const line = "1\n00:00:01,000 --> 00:00:02,000\nThe ferry is late\n";
    const refused = await done(one, "talk.srt", line);
    assert.notEqual(await done(one, "talk.srt", line), refused);

    const undo = {
      method: "POST",
      headers: { ...admin, "content-type": "application/json" },
      body: '{"dryRun":"false"}',
    };
    const undone = await fetch(`${server.url}/admin/jobs/${job}/undo`, undo);
    assert.equal(undone.status, 200, await undone.text());
    assert.notEqual(await done(one, "posts.ndjson", posts), job);
  },
);

test(
  "exports of one token keep no other from its first, and a reader that stops loses its place",
  TIMEOUT,
  async (t) => {
    // Larger than what sockets buffer, so that an export waits for its reader.
    const text = "x".repeat(20_000);
    const posts = Array.from({ length: 700 }, (_, index) => aPost(`big-${index}`, { text }));
    const world = [{ platform: "longvideo", batch: { posts } }];
    const { server, one, other } = await open(t, ["export", "read:longvideo"], world, { SLOW_CLIENT_S: "2" });
    const download = async (headers: Headers): Promise<IncomingMessage> => {
      const request = get(`${server.url}/api/export/posts`, { headers: { ...headers } });
      request.on("error", () => undefined);
      const [response] = (await once(request, "response")) as [IncomingMessage];
      response.on("error", () => undefined);
      return response;
    };
    const statusOf = async (headers: Headers) => {
      const response = await download(headers);
      response.destroy();
      return response.statusCode;
    };
    const stopped = [await download(one), await download(one)];
    const since = performance.now();
    assert.deepEqual(
      stopped.map(({ statusCode }) => statusCode),
      [200, 200],
    );
    assert.equal(await statusOf(one), 429);
    assert.equal(await statusOf(other), 200);
    await until(async () => (await statusOf(one)) === 200);
    const seconds = (performance.now() - since) / 1_000;
    assert.ok(seconds >= 2, `${seconds} s`);
    reportClaim(
      "One token's exports keep no other token's waiting",
      `another's began beside two that nobody read, whose places were free after ${seconds.toFixed(1)} s`,
    );
  },
);
