/** How the service serves the console: a strict policy, deep links, cached files, and a service without a build. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import fastify from "fastify";
import { registerConsole } from "#http/console.ts";
import { sendProblem } from "#http/problem-response.ts";
import { buildConsoleIfStale } from "#serve/console-build.ts";
import { sendRequest } from "../http-client.ts";
import { startTestServer, temporaryFolder, type TestServer } from "../test-server.ts";

/** What Vite writes, in small. */
const FILES: Record<string, string> = {
  "dist/console/build.json": JSON.stringify({ hash: "1", assets: ["index-abc123.js", "index-abc123.css"] }),
  "dist/console/index.html": "<!doctype html><title>Triptych</title>",
  "dist/console/assets/index-abc123.js": `console.log(1);\n${"// long enough to be compressed\n".repeat(100)}`,
  "dist/console/assets/index-abc123.css": "body { color: red }",
};

function appWith(files: Record<string, string>) {
  const app = fastify();
  app.setErrorHandler((error, request, reply) => sendProblem(request, reply, error));
  registerConsole(app, { program: "npx triptych" }, async (path) => {
    const text = files[path];
    if (text === undefined) throw new Error(`${path} is missing`);
    return text;
  });
  return app;
}

test("every page is the same document, under a policy without inline script, styles or other hosts", async () => {
  const app = appWith(FILES);
  for (const url of [
    "/",
    "/explore",
    "/explore/shortvideo/post/1?tab=history",
    "/trends/charts",
    "/data",
    "/access",
    "/playground",
  ]) {
    const { statusCode, body, headers } = await app.inject({ url });
    assert.deepEqual(
      [statusCode, body, headers["cache-control"]],
      [200, FILES["dist/console/index.html"], "no-cache"],
      url,
    );
    const policy = String(headers["content-security-policy"]);
    assert.match(
      policy,
      /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self';/,
    );
    assert.match(policy, /require-trusted-types-for 'script'; trusted-types 'none'$/);
    assert.doesNotMatch(policy, /unsafe|https:|\*/);
  }
});

test("media of other hosts are allowed only by the cookie that the person's switch sets", async () => {
  const app = appWith(FILES);
  const policyWith = async (cookie: string) =>
    String((await app.inject({ url: "/", headers: { cookie } })).headers["content-security-policy"]);
  assert.match(await policyWith("a=b; triptych_media=on"), /img-src 'self' https:; media-src 'self' https:;/);
  for (const cookie of ["triptych_media=off", "x_triptych_media=on", "triptych_media=only", ""])
    assert.doesNotMatch(await policyWith(cookie), /https:/, cookie);
});

test("files are cached for good, compressed once, and a new build replaces them", async () => {
  const files = { ...FILES };
  const app = appWith(files);
  const url = "/assets/index-abc123.js";
  const { headers } = await app.inject({ url, headers: { "accept-encoding": "br" } });
  assert.deepEqual(
    [headers["cache-control"], headers["content-encoding"], headers["content-type"]],
    ["public, max-age=31536000, immutable", "br", "text/javascript; charset=utf-8"],
  );
  assert.equal((await app.inject({ url: "/assets/../build.json" })).statusCode, 404);
  assert.equal((await app.inject({ url: "/assets/other.js" })).statusCode, 404);
  files["dist/console/index.html"] = "newer";
  files["dist/console/build.json"] = JSON.stringify({ hash: "2", assets: [] });
  assert.equal((await app.inject({ url: "/" })).body, "newer");
  assert.equal((await app.inject({ url })).statusCode, 404);
});

test("without a build, the page says so and links to the reference; a build that appears is served", async () => {
  const files: Record<string, string> = {};
  const app = appWith(files);
  const { statusCode, body, headers } = await app.inject({ url: "/" });
  assert.equal(statusCode, 200);
  assert.match(body, /The console is (?:being|not) built[\s\S]*href="\/docs\/"/);
  assert.match(String(headers["content-security-policy"]), /^default-src 'none'; style-src 'sha256-/);
  Object.assign(files, FILES);
  assert.equal((await app.inject({ url: "/" })).body, FILES["dist/console/index.html"]);
});

test("a build in a process of its own tells how long it took, or why it failed, and can be stopped", async () => {
  const folder = temporaryFolder();
  const program = (name: string, text: string) => {
    const path = join(folder.path, `${name}.mjs`);
    writeFileSync(path, text);
    return path;
  };
  try {
    assert.equal(await buildConsoleIfStale(join(folder.path, "none.mjs")).result, null);
    assert.equal(await buildConsoleIfStale(program("fresh", "")).result, null);
    assert.equal(await buildConsoleIfStale(program("built", 'console.log("built in 1234 ms")')).result, 1234);
    const failing = program("failing", 'process.stderr.write("no space left\\nsecond line\\n"); process.exitCode = 1;');
    await assert.rejects(buildConsoleIfStale(failing).result, /^Error: no space left$/);
    const endless = buildConsoleIfStale(program("endless", "setInterval(() => {}, 1000)"));
    endless.stop();
    assert.equal(await endless.result, null);
  } finally {
    folder.remove();
  }
});

describe("beside the API", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer([]);
  });
  after(() => server.close());

  test("unknown paths of the API stay problems, and pages need no token", async () => {
    const open = (path: string) => sendRequest(server.url, { path, headers: { authorization: null } });
    for (const path of ["/api/nothing", "/api/explore", "/admin/nothing", "/nothing", "/explorer"]) {
      const response = await open(path);
      assert.equal(response.status, 404, path);
      assert.equal(response.header("content-type"), "application/problem+json; charset=utf-8");
    }
    assert.equal((await open("/explore/shortvideo/post/1")).status, 200);
    assert.equal((await open("/docs/")).status, 200);
  });
});

test("CONSOLE=off leads from / to the reference", async () => {
  const server = await startTestServer([], { CONSOLE: "off" });
  try {
    const { status, headers } = await sendRequest(server.url, { path: "/", headers: { authorization: null } });
    assert.deepEqual([status, headers["location"]], [302, "/docs/"]);
    assert.equal((await sendRequest(server.url, { path: "/explore" })).status, 404);
  } finally {
    await server.close();
  }
});
