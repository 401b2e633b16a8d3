/**
 * The console: a browser app, served at `/` from dist/console. Its pages are routes of the app, so all of them are the
 * same document. A new build is noticed by its build.json; without a build, `/` says so and links to the reference.
 */
import { hash } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { matchesSchema } from "#api/matches-schema.ts";
import { Type } from "#api/schema.ts";
import { DAY_S } from "#domain/time.ts";
import { ApiError } from "#errors";
import { readPackageFile } from "./package-files.ts";
import { escapeHtml, PAGE_STYLE, renderPage } from "./page.ts";
import { PUBLIC } from "./route-access.ts";
import { createAssetHandler } from "./static-asset.ts";

/** Each is a page of the console, with everything below it. The names of API routes are not among them. */
const PAGES = ["explore", "trends", "data", "playground", "access"];
const FOLDER = "dist/console";
const TYPES: Record<string, string> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
};
/** A build that a start began takes less than this; later there is nothing to wait for. */
const BUILDING_S = 60;

/** Set by the person's switch in the console: pictures and videos may be loaded from the platforms' servers. */
const MEDIA_COOKIE = /(?:^|;\s*)triptych_media=on(?:;|$)/;

/** The document names the program as it is called in a global installation. */
const PROGRAM_META = '<meta name="program" content="triptych"';

type AssetHandler = ReturnType<typeof createAssetHandler>;

interface LoadedConsole {
  hash: string;
  document: string;
  assets: ReadonlyMap<string, AssetHandler>;
}

type ReadFile = (path: string) => Promise<string>;

export interface ConsoleOptions {
  /** Words that start the program, for hints. */
  program: string;
}

export function registerConsole(
  app: FastifyInstance,
  { program }: ConsoleOptions,
  readFile: ReadFile = readPackageFile,
): void {
  const getBuild = buildReader(readFile, program);

  const sendDocument = async (request: FastifyRequest, reply: FastifyReply) => {
    const build = await getBuild();
    reply.headers({ "content-type": "text/html; charset=utf-8", "cache-control": "no-cache", vary: "Cookie" });
    if (build === null) return sendPlainPage(reply);
    const isMediaAllowed = MEDIA_COOKIE.test(request.headers.cookie ?? "");
    return reply.headers(documentHeaders(isMediaAllowed)).send(build.document);
  };
  for (const path of ["/", ...PAGES.flatMap((page) => [`/${page}`, `/${page}/*`])])
    app.get(path, { config: PUBLIC }, sendDocument);

  app.get("/assets/:name", { config: PUBLIC }, async (request, reply) => {
    const { name } = request.params as { name: string };
    const asset = (await getBuild())?.assets.get(name);
    if (asset === undefined) throw new ApiError("unknown_path", "no such file of the console; reload the page");
    return asset(request, reply);
  });
}

const Build = Type.Object({ hash: Type.String(), assets: Type.Array(Type.String()) });

/** Reads the files of a build once. */
function buildReader(readFile: ReadFile, program: string): () => Promise<LoadedConsole | null> {
  let current: LoadedConsole | null = null;
  return async () => {
    try {
      const build: unknown = JSON.parse(await readFile(`${FOLDER}/build.json`));
      if (!matchesSchema(Build, build)) return current;
      if (current?.hash !== build.hash) {
        const html = await readFile(`${FOLDER}/index.html`);
        const document = html.replace(PROGRAM_META, () => `<meta name="program" content="${escapeHtml(program)}"`);
        const assets = new Map(build.assets.map((name) => [name, assetOf(name, readFile)]));
        current = { hash: build.hash, document, assets };
      }
    } catch {
      // There is none, or it is being replaced: what was read before is still whole.
    }
    return current;
  };
}

function assetOf(name: string, readFile: ReadFile): AssetHandler {
  return createAssetHandler({
    contentType: TYPES[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream",
    // The name has a hash of the content.
    maxAgeSeconds: 365 * DAY_S,
    isImmutable: true,
    render: async () => Buffer.from(await readFile(`${FOLDER}/assets/${name}`)),
  });
}

/** Nothing is loaded from another host unless the person has allowed media, and no text can become script. */
function documentHeaders(isMediaAllowed: boolean): Record<string, string> {
  const media = isMediaAllowed ? "'self' https:" : "'self'";
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    `img-src ${media}`,
    `media-src ${media}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return {
    "content-security-policy": policy.join("; "),
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
  };
}

function sendPlainPage(reply: FastifyReply): FastifyReply {
  const isBuilding = process.uptime() < BUILDING_S;
  const state = isBuilding
    ? "The console is being built. This page shows it as soon as it is ready."
    : "The console is not built. The log of the service says why; <code>npm start</code> in a clone with all dependencies builds it.";
  const body = `<h1>Triptych</h1>\n<p>${state}</p>\n<p>The API works without it: see the <a href="/docs/">reference</a>.</p>`;
  reply.headers({
    "content-security-policy": `default-src 'none'; style-src 'sha256-${hash("sha256", PAGE_STYLE, "base64")}'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    "referrer-policy": "no-referrer",
    ...(isBuilding ? { refresh: "2" } : {}),
  });
  return reply.send(renderPage("Console", body));
}
