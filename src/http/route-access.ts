/**
 * Who may call a route. Every route says so in its config, or the server does not start; docs/scopes.md lists them all, and
 * a test sends each of them tokens of every scope.
 */
import type { FastifyInstance } from "fastify";

/** The scopes of which a token needs one; `token` if any valid token will do, `public` if none is needed. */
export type RouteAccess = readonly string[] | "token" | "public";

export interface RouteEntry {
  method: string;
  path: string;
  access: RouteAccess;
}

/** The config of a route that needs no token. */
export const PUBLIC = { access: "public" } as const;

declare module "fastify" {
  interface FastifyContextConfig {
    access?: RouteAccess;
  }
}

/** Refuses routes that do not say who may call them. Returns the list of routes, which fills as they are registered. */
export function requireAccess(app: FastifyInstance): readonly RouteEntry[] {
  const routes: RouteEntry[] = [];
  app.addHook("onRoute", ({ method, url, config }) => {
    const access = config?.access;
    if (access === undefined)
      throw new Error(`${String(method)} ${url} does not say who may call it: set config.access`);
    for (const name of [method].flat()) if (name !== "HEAD") routes.push({ method: name, path: url, access });
  });
  return routes;
}
