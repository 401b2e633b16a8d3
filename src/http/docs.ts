/** /openapi.json, the browsable reference at /docs/, and guides, among them the list of errors. All of it works offline. */
import { hash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { DAY_S } from "#domain/time.ts";
import { readPage } from "./built-pages.ts";
import { GUIDE_NAMES, guidePath } from "./guides.ts";
import { readPackageFile } from "./package-files.ts";
import { FAVICON, PAGE_STYLE } from "./page.ts";
import { PUBLIC } from "./route-access.ts";
import { registerAsset } from "./static-asset.ts";

const HTML = "text/html; charset=utf-8";
const JAVASCRIPT = "text/javascript; charset=utf-8";
const FIVE_MINUTES_S = 300;

export function registerDocs(app: FastifyInstance): void {
  app.get("/docs", { config: PUBLIC }, async (_request, reply) => reply.redirect("/docs/", 301));

  registerAsset(app, {
    path: "/openapi.json",
    contentType: "application/json; charset=utf-8",
    maxAgeSeconds: FIVE_MINUTES_S,
    render: async () => Buffer.from(JSON.stringify(JSON.parse(await readPackageFile("openapi.json")))),
  });
  registerAsset(app, {
    path: "/docs/",
    contentType: HTML,
    maxAgeSeconds: FIVE_MINUTES_S,
    // The reference adds styles to the page at run time, so their hashes cannot be listed.
    headers: pageHeaders(
      "script-src 'self'",
      "style-src 'unsafe-inline'",
      "connect-src 'self'",
      "img-src 'self' data:",
      "font-src 'self' data:",
    ),
    render: () => readPage("reference.html"),
  });
  registerAsset(app, {
    path: "/docs/js/start.js",
    contentType: JAVASCRIPT,
    maxAgeSeconds: FIVE_MINUTES_S,
    render: () => readPage("start.js"),
  });
  registerAsset(app, {
    path: "/docs/js/scalar.js",
    contentType: JAVASCRIPT,
    maxAgeSeconds: DAY_S,
    render: () => readPage("scalar.js"),
  });
  registerAsset(app, {
    path: "/favicon.svg",
    contentType: "image/svg+xml",
    maxAgeSeconds: DAY_S,
    render: () => Buffer.from(FAVICON),
  });
  for (const name of GUIDE_NAMES)
    registerAsset(app, {
      path: guidePath(name),
      contentType: HTML,
      maxAgeSeconds: FIVE_MINUTES_S,
      headers: pageHeaders(`style-src 'sha256-${hash("sha256", PAGE_STYLE, "base64")}'`, "img-src 'self'"),
      render: () => readPage(`${name}.html`),
    });
}

/** A page may do only what these directives allow. No page has an inline script. */
function pageHeaders(...directives: string[]): Record<string, string> {
  const policy = [
    "default-src 'none'",
    ...directives,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    "content-security-policy": policy.join("; "),
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    // For browsers that do not know frame-ancestors.
    "x-frame-options": "DENY",
  };
}
