/** Every route of the service with tokens of every scope: what docs/scopes.md says is what a client meets. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import fastify from "fastify";
import { scopesFor } from "#auth/scopes.ts";
import { requireAccess, type RouteEntry } from "#http/route-access.ts";
import { PLATFORMS } from "#platforms/registry.ts";
import { sendRequest } from "./http-client.ts";
import { startTestServer, type TestServer } from "./test-server.ts";
import { openTokenIssuer, type TokenIssuer } from "./test-tokens.ts";
import { WORLD } from "./world.ts";

const SCOPES = scopesFor(PLATFORMS.map(({ name }) => name)).map(({ name }) => name);

test("a route that does not say who may call it is refused at the start", () => {
  const app = fastify();
  requireAccess(app);
  assert.throws(() => app.get("/open", async () => "secret"), /GET \/open does not say who may call it/);
});

describe("routes and scopes", () => {
  let server: TestServer;
  let desk: TokenIssuer;
  before(async () => {
    server = await startTestServer(WORLD, { RATE_LIMIT: "off", METRICS: "public" });
    desk = await openTokenIssuer(server);
  });
  after(async () => {
    await desk.close();
    await server.close();
  });

  /** Whether the route refuses it for its token, whatever else is wrong with the request. */
  async function isRefused({ method, path }: RouteEntry, token: string | null): Promise<boolean> {
    const inPath = /:(?:token|key)\b/.test(path);
    const isBasic = /^\/api\/(?:import-dataset|check-query)/.test(path);
    const sent = token ?? "nothing";
    const { status } = await sendRequest(server.url, {
      method,
      path: path.replace(/:(?:token|key)\b/, sent).replaceAll(/:\w+/g, "unknown"),
      headers: {
        authorization:
          token === null || inPath
            ? null
            : isBasic
              ? `Basic ${Buffer.from(`x:${token}`).toString("base64")}`
              : `Bearer ${token}`,
      },
    });
    return status === 401 || status === 403;
  }

  test("a route is open to the scopes in its row and to no other", async () => {
    const every = (await desk.issue({ scopes: SCOPES })).token;
    const without = new Map<string, string>();
    const routes = server.running.server.accessTable;
    assert.ok(routes.length > 60);
    for (const route of routes) {
      const name = `${route.method} ${route.path}`;
      const { access } = route;
      assert.equal(await isRefused(route, null), access !== "public", `${name} without a token`);
      assert.equal(await isRefused(route, every), false, `${name} with every scope`);
      if (typeof access === "string") continue;
      const others = SCOPES.filter((scope) => !access.includes(scope));
      const key = others.join();
      if (!without.has(key)) without.set(key, (await desk.issue({ scopes: others })).token);
      assert.equal(
        await isRefused(route, without.get(key) ?? ""),
        true,
        `${name} with all scopes but ${access.join()}`,
      );
    }
  });
});
