/** Pages of other origins may call only if the operator named them. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { startTestServer } from "./test-server.ts";
import { sendRequest, namesIn } from "./http-client.ts";
import { WORLD } from "./world.ts";

const PROFILE = "/api/shortvideo/user/info-with-region?uniqueId=ines.varga";

describe("cross-origin pages", () => {
  const PREFLIGHT = { authorization: null, origin: "https://app.example", "access-control-request-method": "GET" };

  test("may call nothing by default", async () => {
    const server = await startTestServer(WORLD, { RATE_LIMIT: "off" });
    try {
      for (const response of [
        await sendRequest(server.url, { path: PROFILE, headers: { origin: "https://app.example" } }),
        await sendRequest(server.url, { method: "OPTIONS", path: PROFILE, headers: PREFLIGHT }),
      ]) {
        assert.deepEqual(
          Object.keys(response.headers).filter((name) => name.startsWith("access-control-")),
          [],
        );
      }
    } finally {
      await server.close();
    }
  });

  test("may call when the operator named their origin, and only then", async () => {
    const server = await startTestServer(WORLD, {
      RATE_LIMIT: "off",
      CORS_ORIGINS: "https://app.example, http://localhost:5173",
    });
    try {
      for (const origin of ["https://app.example", "http://localhost:5173"]) {
        const response = await sendRequest(server.url, { path: PROFILE, headers: { origin } });
        assert.equal(response.header("access-control-allow-origin"), origin);
        const exposed = namesIn(response.header("access-control-expose-headers"));
        for (const name of ["ratelimit", "chart-day", "trends-as-of"]) assert.ok(exposed.includes(name), name);
      }
      const preflight = await sendRequest(server.url, { method: "OPTIONS", path: PROFILE, headers: PREFLIGHT });
      assert.equal(preflight.status, 204);
      assert.equal(preflight.header("access-control-allow-origin"), "https://app.example");
      assert.equal(preflight.header("access-control-allow-methods"), "GET, HEAD, OPTIONS");
      assert.ok(namesIn(preflight.header("access-control-allow-headers")).includes("authorization"));
      for (const origin of [
        "https://other.example",
        "http://app.example",
        "https://app.example:8443",
        "null",
        "https://app.example.other.example",
      ]) {
        const response = await sendRequest(server.url, { path: PROFILE, headers: { origin } });
        assert.equal(response.status, 200);
        assert.equal(response.header("access-control-allow-origin"), null, origin);
      }
    } finally {
      await server.close();
    }
  });

  test("can read why they were refused", async () => {
    const server = await startTestServer(WORLD, { CORS_ORIGINS: "https://app.example" });
    try {
      const wrong: Record<string, string | null>[] = [
        { authorization: null },
        { authorization: "Bearer nonsense" },
        { "api-version": "2020-01-01" },
      ];
      for (const headers of wrong) {
        const response = await sendRequest(server.url, {
          path: PROFILE,
          headers: { origin: "https://app.example", ...headers },
        });
        assert.ok(response.status >= 400);
        assert.equal(response.header("access-control-allow-origin"), "https://app.example", JSON.stringify(headers));
      }
    } finally {
      await server.close();
    }
  });

  test("do not share cached answers: Vary names Origin beside the rest", async () => {
    const server = await startTestServer(WORLD, { CORS_ORIGINS: "https://app.example" });
    try {
      const callers: Record<string, string>[] = [{ origin: "https://app.example" }, {}];
      for (const headers of callers) {
        const response = await sendRequest(server.url, { path: PROFILE, headers });
        assert.deepEqual(namesIn(response.header("vary")), [
          "accept",
          "accept-encoding",
          "authorization",
          "cookie",
          "origin",
          "prefer",
        ]);
      }
    } finally {
      await server.close();
    }
  });
});
