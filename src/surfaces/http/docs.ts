/** /openapi.json, the browsable reference at /docs/ and the error list at /docs/errors. All of it works offline. */
import { randomBytes } from "node:crypto";
import fastify, { type FastifyInstance, type FastifyReply } from "fastify";
import { openApi } from "#contract/openapi.ts";
import type { Operation } from "#contract/platform.ts";
import { SERVICE_VERSION } from "../service-version.ts";
import { sendCompressed } from "./compression.ts";
import { errorPage } from "./error-page.ts";
import { API_VERSION } from "./version.ts";

/** Styles are written inline by the reference; scripts come from here or carry this answer's nonce. */
function contentPolicy(nonce: string): string {
  return [
    "default-src 'self'",
    nonce === "" ? "script-src 'none'" : `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

export function registerDocs(app: FastifyInstance, operations: readonly Operation[]): void {
  const document = JSON.stringify(openApi(operations, { service: SERVICE_VERSION, contract: API_VERSION }));
  app.get("/openapi.json", async (request, reply) => {
    reply
      .type("application/json; charset=utf-8")
      .headers({ "cache-control": "public, max-age=300", vary: "Accept-Encoding" });
    return sendCompressed(request, reply, document);
  });

  app.get("/", async (_request, reply) => reply.redirect("/docs/", 302));
  app.get("/docs", async (_request, reply) => reply.redirect("/docs/", 301));
  app.get("/docs/errors", async (_request, reply) => html(reply, "").send(errorPage()));

  app.get("/docs/", async (_request, reply) => {
    const nonce = randomBytes(16).toString("base64url");
    const page = await (await reference(nonce)).inject("/docs/");
    return html(reply, nonce).send(page.body);
  });

  let script: Promise<string> | undefined;
  app.get("/docs/js/scalar.js", async (request, reply) => {
    script ??= reference("").then(async (inner) => (await inner.inject("/docs/js/scalar.js")).body);
    reply
      .type("text/javascript; charset=utf-8")
      .headers({ "cache-control": "public, max-age=86400", vary: "Accept-Encoding" });
    return sendCompressed(request, reply, await script);
  });
}

/** Four megabytes of script that most processes never serve: loaded when first asked for, kept off the start. */
async function reference(nonce: string): Promise<FastifyInstance> {
  const { default: scalar } = await import("@scalar/fastify-api-reference");
  const inner = fastify();
  await inner.register(scalar, {
    routePrefix: "/docs",
    configuration: {
      url: "/openapi.json",
      pageTitle: "Triptych API",
      // Nothing on the page leads out of the house.
      withDefaultFonts: false,
      telemetry: false,
      showDeveloperTools: "never",
      hideClientButton: true,
      agent: { disabled: true },
      mcp: { disabled: true },
      ...(nonce === "" ? {} : { nonce }),
    },
  });
  return inner;
}

function html(reply: FastifyReply, nonce: string): FastifyReply {
  return reply.type("text/html; charset=utf-8").headers({
    "content-security-policy": contentPolicy(nonce),
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
  });
}
