/** For operators: health checks, metrics, logs, timeouts, graceful stop. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setImmediate as nextTick } from "node:timers/promises";
import { Client } from "pg";
import { ERRORS } from "#errors";
import { ADMIN_ROUTES } from "#http/admin/routes.ts";
import { listProcesses } from "#testing/processes.ts";
import { programEnvironment } from "#testing/program-environment.ts";
import { STORE_FILE } from "#store/sql/store-file.ts";
import { freePort } from "#testing/service-nodes.ts";
import { until } from "#testing/until.ts";
import { startTestServer, temporaryFolder, TEST_TOKEN, type TestServer } from "./test-server.ts";
import { findBinaries, SERVER_USER, serverTemporaryFolder } from "./postgres/binaries.ts";
import { assertProblem } from "./problem.ts";
import { requestOperation, sendRequest, openSocket, OPERATIONS, readResponse, readToEnd } from "./http-client.ts";
import { WORLD } from "./world.ts";

const PROFILE = "/api/shortvideo/user/info-with-region?uniqueId=ines.varga";

describe("health checks and documents", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer(WORLD);
  });
  after(() => server.close());

  const open = (path: string, method = "GET") =>
    sendRequest(server.url, { method, path, headers: { authorization: null } });

  test("/healthz reports the process, /readyz the store; neither may be cached", async () => {
    for (const [path, status] of [
      ["/healthz", "ok"],
      ["/readyz", "ready"],
    ] as const) {
      const response = await open(path);
      assert.deepEqual(
        [response.status, JSON.parse(response.text), response.header("cache-control")],
        [200, { status }, "no-store"],
      );
      assert.equal((await open(path, "HEAD")).status, 200);
    }
  });

  test("/openapi.json lists every operation and every error", async () => {
    const response = await open("/openapi.json");
    const document = JSON.parse(response.text) as {
      openapi: string;
      paths: Record<string, object>;
      components: { schemas: { Problem: { properties: { code: { enum: string[] } } } } };
    };
    assert.equal(document.openapi, "3.1.0");
    const paths = [...OPERATIONS, ...ADMIN_ROUTES]
      .map(({ path }) => path)
      .concat("/api/batch", "/api/export/{kind}", "/ingest/files");
    assert.deepEqual(Object.keys(document.paths).toSorted(), [...new Set(paths)].toSorted());
    for (const { path, endpoint } of OPERATIONS)
      assert.deepEqual(Object.keys(document.paths[path] ?? {}), [endpoint.method.toLowerCase()]);
    assert.deepEqual(document.components.schemas.Problem.properties.code.enum, Object.keys(ERRORS));
  });

  test("/docs leads to /docs/, which loads nothing from elsewhere", async () => {
    const redirect = await open("/docs");
    assert.deepEqual([redirect.status, redirect.header("location")], [301, "/docs/"]);
    const page = await open("/docs/");
    assert.equal(page.status, 200);
    assert.match(page.header("content-type") ?? "", /^text\/html/);
    assert.match(page.header("content-security-policy") ?? "", /default-src 'none'.*frame-ancestors 'none'/);
    assert.equal(page.header("cross-origin-opener-policy"), "same-origin");
    assert.equal(page.header("x-frame-options"), "DENY");
    for (const path of ["/docs/", "/openapi.json", "/api/search?q=tea"])
      assert.equal((await open(path)).header("x-robots-tag"), "noindex", path);
    for (const [, address = ""] of page.text.matchAll(/(?:src|href)="([^"]+)"/g))
      assert.ok(!/^(?:https?:)?\/\//.test(address), address);
    assert.equal((await open("/docs/js/scalar.js")).status, 200);
  });

  test("/metrics is off by default", async () => {
    assert.equal((await open("/metrics")).status, 404);
  });

  test("headers may take 10 s, and idle connections outlive those of load balancers", () => {
    const { headersTimeout, keepAliveTimeout } = server.running.server.server;
    assert.equal(headersTimeout, 10_000);
    assert.equal(keepAliveTimeout, 72_000);
  });

  test("a body that has not arrived after 15 s gets a 408", async (context) => {
    const socket = await openSocket(server.url);
    const response = readResponse(socket);
    // Sockets keep their own clocks: only the service's timers are moved by hand.
    context.mock.timers.enable({ apis: ["setTimeout"] });
    socket.write(
      `POST /api/photoshare/search HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TEST_TOKEN}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"search`,
    );
    await open("/healthz");
    context.mock.timers.tick(14_999);
    assert.equal((await open("/healthz")).status, 200);
    assert.equal(socket.bytesRead, 0, "it still has a millisecond");
    context.mock.timers.tick(1);
    const received = await response;
    assertProblem(received, "request_timeout");
    assert.equal(received.header("connection"), "close");
    socket.destroy();
  });
});

describe("metrics", () => {
  test("are on the public port with METRICS=public, by operation and status", async () => {
    const server = await startTestServer(WORLD, { METRICS: "public" });
    try {
      await sendRequest(server.url, { path: PROFILE });
      await sendRequest(server.url, { path: PROFILE, headers: { authorization: null } });
      await sendRequest(server.url, { path: "/nowhere/secret-word" });
      const response = await sendRequest(server.url, { path: "/metrics", headers: { authorization: null } });
      assert.equal(response.status, 200);
      assert.match(response.header("content-type") ?? "", /^text\/plain; version=0\.0\.4/);
      for (const line of [
        'triptych_requests_total{operation="shortvideo/user/info-with-region",status="200"} 1',
        'triptych_requests_total{operation="shortvideo/user/info-with-region",status="401"} 1',
        'triptych_requests_total{operation="other",status="404"} 1',
        'triptych_request_seconds_count{operation="shortvideo/user/info-with-region"} 2',
        'triptych_request_seconds_bucket{operation="shortvideo/user/info-with-region",le="+Inf"} 2',
      ]) {
        assert.ok(response.text.split("\n").includes(line), `${line}\n${response.text}`);
      }
      assert.ok(!response.text.includes("secret-word"), "unknown paths must not become labels");
    } finally {
      await server.close();
    }
  });

  test("are on a separate port on loopback with METRICS=<port>, and not on the public one", async () => {
    const port = await freePort();
    const server = await startTestServer(WORLD, { METRICS: String(port) });
    try {
      await sendRequest(server.url, { path: PROFILE });
      const response = await sendRequest(`http://127.0.0.1:${port}`, {
        path: "/metrics",
        headers: { authorization: null },
      });
      assert.equal(response.status, 200);
      assert.match(
        response.text,
        /triptych_requests_total\{operation="shortvideo\/user\/info-with-region",status="200"\} 1/,
      );
      assert.equal((await sendRequest(`http://127.0.0.1:${port}`, { path: "/api" })).status, 404);
      assert.equal((await sendRequest(server.url, { path: "/metrics" })).status, 404);
    } finally {
      await server.close();
    }
  });
});

test("the log has a JSON line per request with id, path and status, and without token or query", async () => {
  const folder = temporaryFolder();
  const file = join(folder.path, "logs", "triptych.log");
  const server = await startTestServer(WORLD, { LOG_FILE: file, LOG_LEVEL: "info" });
  try {
    const trace = "0af7651916cd43dd8448eb211c80319c";
    await sendRequest(server.url, {
      path: `${PROFILE}&word=privateword`,
      headers: { "x-request-id": "first", traceparent: `00-${trace}-b7ad6b7169203331-01` },
    });
    await requestOperation(
      server.url,
      "photoshare/search",
      { search_query: "privateword" },
      { "x-request-id": "second" },
    );
    await sendRequest(server.url, {
      path: `/api/shortvideo/search/general?token=${TEST_TOKEN}&keyword=privateword`,
      headers: { "x-request-id": "third" },
    });
    await sendRequest(server.url, {
      path: "/nowhere",
      headers: { "x-request-id": "fourth", authorization: "Bearer wrong-token-privateword" },
    });
    const text = await textOf(file, (read) => read.includes('"fourth"'));
    const lines = text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const requests = lines
      .filter(({ msg }) => msg === "request")
      .map(({ request_id, method, path, status }) => [request_id, method, path, status]);
    assert.deepEqual(requests, [
      ["first", "GET", "/api/shortvideo/user/info-with-region", 200],
      ["second", "POST", "/api/photoshare/search", 200],
      ["third", "GET", "/api/shortvideo/search/general", 400],
      ["fourth", "GET", "(no such path)", 404],
    ]);
    assert.equal(lines.find(({ request_id }) => request_id === "first")?.["trace_id"], trace);
    assert.ok(lines.filter(({ msg }) => msg === "request").every(({ ms }) => typeof ms === "number"));
    for (const secret of [TEST_TOKEN, "privateword", "uthorization", "Bearer", "uniqueId"])
      assert.ok(!text.includes(secret), `${secret} in the log`);
  } finally {
    await server.close();
    folder.remove();
  }
});

describe("a graceful stop", () => {
  test("finishes the request in progress, closes its connection and accepts no more", async () => {
    const server = await startTestServer(WORLD);
    const socket = await openSocket(server.url);
    const body = "username_or_url=amara.petrovic";
    socket.write(
      `POST /api/photoshare/get-profile-v2 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TEST_TOKEN}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 10)}`,
    );
    // Its first half has been read before the stop begins: the response to a later request proves it.
    await sendRequest(server.url, { path: "/healthz" });
    const stopped = server.close();
    try {
      const response = readResponse(socket);
      socket.write(body.slice(10));
      const received = await response;
      assert.equal(received.status, 200);
      assert.equal((JSON.parse(received.text) as { username: string }).username, "amara.petrovic");
      assert.equal(
        received.header("connection"),
        "close",
        "a kept-alive connection would delay the stop by its idle timeout",
      );
    } finally {
      socket.destroy();
      await stopped;
    }
    await assert.rejects(sendRequest(server.url, { path: "/healthz" }));
  });

  test("does not wait for idle connections", async () => {
    const server = await startTestServer(WORLD);
    const socket = await openSocket(server.url);
    const closed = readToEnd(socket);
    socket.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    await new Promise((resolve) => socket.once("data", resolve));
    await server.close();
    await closed;
  });
});

/** The log is written after the responses: reads it until it is complete. */
async function textOf(file: string, complete: (text: string) => boolean): Promise<string> {
  for (let look = 0; look < 100_000; look++) {
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    if (complete(text)) return text;
    await nextTick();
  }
  throw new Error(`${file} is not complete`);
}

test("a start that fails because one of its two ports is in use frees the other", async () => {
  const occupant = createServer().listen(0, "127.0.0.1");
  await once(occupant, "listening");
  const taken = String((occupant.address() as AddressInfo).port);
  const free = String(await freePort());
  for (const ports of [
    { PORT: free, METRICS: taken },
    { PORT: taken, METRICS: free },
  ]) {
    await assert.rejects(startTestServer(WORLD, ports), { code: "EADDRINUSE" });
    const server = await startTestServer(WORLD, { PORT: free });
    await server.close();
  }
  occupant.close();
});

describe("the commands of docs/operating.md", () => {
  const commands = readFileSync(join(import.meta.dirname, "..", "docs", "operating.md"), "utf8")
    .split("## Walk-through")[1]
    ?.split("\n## ")[0]
    ?.matchAll(/```sh\n(.*?)```/gs)
    .map(([, block = ""]) => block)
    .toArray() as string[];
  const find = (text: string) => commands.find((block) => block.includes(text)) as string;

  test("start a server as an ordinary user, without the socket folder of the system's own", async () => {
    const folder = mkdtempSync(join(serverTemporaryFolder(), "triptych-operating-"));
    const { uid, gid } = SERVER_USER;
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
    const { initdb } = await findBinaries(folder);
    const port = String(await freePort());
    const env = { ...process.env, PATH: `${dirname(initdb)}:${process.env["PATH"]}` };
    const run = (command: string) =>
      execFileSync("sh", ["-c", `umask 077; ${command}`], { ...SERVER_USER, cwd: folder, env, stdio: "pipe" });
    try {
      run(find("openssl rand"));
      run(find("initdb -D primary"));
      run(find("pg_ctl -D primary").replaceAll("5432", port));
      const password = readFileSync(join(folder, "admin.password"), "utf8").trim();
      const admin = new Client({
        host: "127.0.0.1",
        port: Number(port),
        user: "admin",
        password,
        database: "postgres",
      });
      await admin.connect();
      for (const [, statement = ""] of find("CREATE ROLE triptych").matchAll(/-c "(.*)"/g)) {
        await admin.query(statement.replace(/\$\(cat (\w+)\.password\)/, "$1"));
      }
      await admin.end();
      const owner = new Client(`postgres://triptych:store@127.0.0.1:${port}/triptych`);
      await owner.connect();
      await owner.query("CREATE TABLE mine (id bigint)");
      await owner.end();
      for (const block of commands.filter((command) => /pg_ctl .* start/.test(command)))
        assert.match(block, /-k \/tmp/);
    } finally {
      if (existsSync(join(folder, "primary", "postmaster.pid"))) run("pg_ctl -D primary -m immediate -w stop");
      rmSync(folder, { recursive: true });
    }
  });

  test("write the process ids of the nodes, also where the machine's own Node is older: a signal to one stops that node", async () => {
    const folder = temporaryFolder();
    // An older Node starts the one in node_modules as its child.
    const [own, older] = [join(folder.path, "node_modules", ".bin"), join(folder.path, "older")];
    for (const path of [own, older]) mkdirSync(path, { recursive: true });
    symlinkSync(process.execPath, join(own, "node"));
    writeFileSync(join(older, "node"), `#!/bin/sh\n"${process.execPath}" "$@" &\nwait\n`, { mode: 0o755 });
    symlinkSync(join(import.meta.dirname, "..", "bin"), join(folder.path, "bin"));
    writeFileSync(join(folder.path, "cluster.env"), "DEMO=off\nLOG_LEVEL=silent\n");
    const port = await freePort();
    const start = find("node$node.pid").replace("1 2 3", "1").replace("808$node", String(port));
    const env = programEnvironment({ PATH: `${older}:${process.env["PATH"]}` });
    execFileSync("sh", ["-c", start], { cwd: folder.path, env, stdio: "ignore" });
    const pid = Number(readFileSync(join(folder.path, "node1.pid"), "utf8"));
    try {
      await until(() => isReady(port));
      process.kill(pid, "SIGKILL");
      await until(async () => !(await isReady(port)));
      assert.ok(existsSync(join(folder.path, "node1", STORE_FILE)), "it used the folder of the command");
    } finally {
      if (listProcesses().some((process) => process.pid === pid)) process.kill(pid, "SIGKILL");
      folder.remove();
    }
  });
});

async function isReady(port: number): Promise<boolean> {
  try {
    const request = { path: "/readyz", headers: { authorization: null } };
    return (await sendRequest(`http://127.0.0.1:${port}`, request)).status === 200;
  } catch {
    return false;
  }
}
