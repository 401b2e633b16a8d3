/** Tokens are nowhere but with their owner: a token is sent in every place where it can stand, and then looked for everywhere. */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { reportClaim } from "#testing/claims.ts";
import { until } from "#testing/until.ts";
import { type HttpRequest, OPERATIONS, sendRaw, sendRequest } from "./http-client.ts";
import { assertProblem } from "./problem.ts";
import { startTestServer, temporaryFolder, type TestServer } from "./test-server.ts";
import { bearerHeader, openTokenIssuer, type TokenIssuer } from "./test-tokens.ts";
import { GOOD_REQUESTS, WORLD } from "./world.ts";

const LOOKUP = "/api/shortvideo/user/info-with-region?uniqueId=ines.varga";
const FORM = { "content-type": "application/x-www-form-urlencoded" };
const JSON_BODY = { "content-type": "application/json" };

describe("a token", () => {
  const folder = temporaryFolder();
  const logFile = join(folder.path, "service.log");
  let server: TestServer;
  let issuer: TokenIssuer;
  let token: string;
  let keyId: string;
  before(async () => {
    server = await startTestServer(WORLD, {
      LOG_FILE: logFile,
      LOG_LEVEL: "trace",
      METRICS: "public",
      RATE_LIMIT: "off",
    });
    issuer = await openTokenIssuer(server);
    const issued = await issuer.issue({ scopes: ["read:shortvideo", "export", "ingest", "feed"] });
    token = issued.token;
    keyId = issued.record.keyId;
  });
  after(async () => {
    await issuer.close();
    await server.close();
    folder.remove();
  });

  const secretOf = () => token.slice(13, 45);

  test("is refused in the query under any name and case, and anything of its form under every name", async () => {
    const names = [
      "token",
      "TOKEN",
      "Token",
      "key",
      "KEY",
      "api_key",
      "apiKey",
      "API-KEY",
      "access_token",
      "auth",
      "bearer",
    ];
    for (const name of [...names, "uniqueId", "q", "anything"]) {
      const response = await sendRequest(server.url, {
        path: `${LOOKUP}&${name}=${names.includes(name) ? "of-any-form" : token}`,
        headers: bearerHeader(token),
      });
      const { errors } = assertProblem(response, "token_in_query", name);
      assert.equal(errors[0]?.parameter, name);
    }
    const asName = await sendRequest(server.url, { path: `${LOOKUP}&${token}=1`, headers: bearerHeader(token) });
    assertProblem(asName, "token_in_query");
    // Names that only contain such a word are parameters like others.
    for (const name of ["pagination_token", "tokens", "keyword"])
      assert.equal(
        (await sendRequest(server.url, { path: `${LOOKUP}&${name}=x`, headers: bearerHeader(token) })).status,
        200,
      );
  });

  test("is in no answer, log line, metric, file or process title, wherever it was sent", async () => {
    const own = bearerHeader(token);
    const anywhere = [token, encodeURIComponent(token).replace("_", "%5F")];
    const requests = anywhere.flatMap((text): HttpRequest[] => [
      { path: `/${text}` },
      { path: `/api/${text}` },
      { path: `/api/shortvideo/${text}/detail` },
      { path: `/api/shortvideo/post/detail/${text}` },
      { path: `/docs/${text}` },
      { path: `/ingest/${text}` },
      { path: `/ingest/${text}/api/check-query/?key=none` },
      { path: `/feeds/${text}` },
      { path: `/feeds/${text}/search.atom?q=` },
      { path: `/media/${text}` },
      { path: `${LOOKUP}&x=${text}` },
      { path: `/api/shortvideo/post/detail?videoId=${text}` },
      { path: `/api/search?q=${text}` },
      { path: `/healthz?${text}` },
      { path: `/%zz${text}` },
      { path: LOOKUP, headers: { "x-request-id": text } },
      { path: "/nowhere", headers: { "x-request-id": text } },
      { path: LOOKUP, headers: { authorization: `Basic ${text}` } },
      { path: LOOKUP, headers: { authorization: text } },
      { path: LOOKUP, headers: { authorization: `Bearer ${text}x` } },
      { path: LOOKUP, headers: { "user-agent": text, referer: `https://a.example/${text}`, cookie: `token=${text}` } },
      { path: LOOKUP, headers: { origin: `https://${text}`, traceparent: text, "api-version": text } },
      { path: LOOKUP, headers: { prefer: text, "if-none-match": text, accept: text, "x-forwarded-for": text } },
      { method: "POST", path: "/mcp", headers: { ...JSON_BODY, origin: `https://${text}.example` }, body: "{}" },
      {
        method: "POST",
        path: "/mcp",
        headers: JSON_BODY,
        body: JSON.stringify({ jsonrpc: "2.0", id: text, method: text }),
      },
      { method: "POST", path: "/api/photoshare/get-posts", headers: FORM, body: `username_or_url=${text}` },
      { method: "POST", path: "/api/photoshare/get-posts", headers: JSON_BODY, body: `{"${text}":1,"${text}":2}` },
      { method: "POST", path: "/api/photoshare/get-posts", headers: { "content-type": text }, body: "x" },
      {
        method: "POST",
        path: "/api/batch",
        headers: JSON_BODY,
        body: JSON.stringify({ requests: [{ operation: text }] }),
      },
      {
        method: text
          .slice(0, 10)
          .toUpperCase()
          .replaceAll(/[^A-Z]/g, "A"),
        path: `/${text}`,
      },
      { path: "/api/export/posts?format=csv" },
    ]);
    let seen = "";
    for (const { headers, ...request } of requests) {
      const response = await sendRequest(server.url, { headers: { ...own, ...headers }, ...request }).catch(() => null);
      if (response !== null)
        seen += `${request.path.slice(0, 40)} ${JSON.stringify(response.headers)} ${response.text}\n`;
    }
    for (const line of [`GET /${token}`, `GET /${token} HTTP/9.9`, `${token}: x`, `GET / HTTP/1.1\r\n${token}`])
      seen += (await sendRaw(server.url, `${line}\r\nHost: ${token}\r\n\r\n`)).map(({ text }) => text).join("");
    seen += (await sendRequest(server.url, { path: "/metrics" })).text;
    const isIn = (text: string) => text.includes(secretOf()) || text.includes(encodeURIComponent(secretOf()));
    const leak = seen.split("\n").find(isIn);
    assert.equal(leak, undefined);
    // The log is written in batches.
    await until(async () => readFileSync(logFile, "utf8").includes('"/metrics"'));
    assert.equal(readFileSync(logFile, "utf8").split("\n").find(isIn), undefined);
    for (const file of globSync("**", { cwd: server.dataDir, withFileTypes: true }).filter((entry) => entry.isFile()))
      assert.ok(!readFileSync(join(file.parentPath, file.name)).includes(secretOf()), file.name);
    for (const file of ["cmdline", "comm"]) assert.ok(!isIn(readFileSync(`/proc/self/${file}`, "latin1")), file);
    reportClaim(
      "Tokens are in no answer, log, metric, file or process title",
      `sent in ${requests.length + 4} places, found in 0`,
    );
  });

  test("stops within a second of its revocation, also for cached answers", async () => {
    const scopes = OPERATIONS.flatMap(({ reads }) => reads.map((platform) => `read:${platform}`));
    const revoked = await issuer.issue({ scopes: [...new Set(scopes)] });
    const paths = OPERATIONS.filter(({ endpoint }) => endpoint.method === "GET")
      .slice(0, 5)
      .map(({ name, path }) => `${path}?${new URLSearchParams(GOOD_REQUESTS[name]).toString()}`);
    const ask = (path: string) => sendRequest(server.url, { path, headers: bearerHeader(revoked.token) });
    for (const path of [...paths, ...paths]) assert.equal((await ask(path)).status, 200, path);
    await issuer.registry.revoke(revoked.record.keyId);
    const revokedAt = performance.now();
    let lastAcceptedMs = 0;
    await until(async () => {
      const sentMs = performance.now() - revokedAt;
      const statuses = await Promise.all(paths.map(async (path) => (await ask(path)).status));
      if (statuses.includes(200)) lastAcceptedMs = sentMs;
      return statuses.every((status) => status === 401);
    });
    // Sent before the second was over, whatever the machine did meanwhile.
    assert.ok(lastAcceptedMs < 1_000, `accepted ${lastAcceptedMs} ms later`);
    assert.ok(keyId !== revoked.record.keyId);
    reportClaim(
      "A revoked token stops within a second",
      `last accepted ${Math.round(lastAcceptedMs)} ms after, cached answers too`,
    );
  });
});
