/** Responses to paths and methods that no route has. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Operation } from "#api/platform.ts";
import { redactTokens } from "#auth/token-format.ts";
import { suggest } from "#domain/suggest.ts";
import { ApiError } from "#errors";
import { EXPORT_KINDS } from "#export/kinds.ts";
import { UPLOAD_PATH } from "./uploads/upload-routes.ts";

/** Returns a function from a path to its `Allow` header; null for an unknown path. */
export function trackAllowedMethods(app: FastifyInstance): (path: string) => string | null {
  const methodsByPath = new Map<string, Set<string>>();
  app.addHook("onRoute", ({ url, method }) => {
    const methods = methodsByPath.get(url) ?? new Set(["OPTIONS"]);
    for (const name of [method].flat()) methods.add(name);
    if (methods.has("GET")) methods.add("HEAD");
    methodsByPath.set(url, methods);
  });
  return (path) => {
    const methods =
      methodsByPath.get(path) ?? [...methodsByPath].find(([url]) => url.includes("/:") && fitsRoute(url, path))?.[1];
    return methods === undefined ? null : [...methods].toSorted().join(", ");
  };
}

/** Whether a path is one of a route with parameters, such as `/ingest/:token/…`. */
function fitsRoute(route: string, path: string): boolean {
  const [expected, segments] = [route.split("/"), path.split("/")];
  return (
    expected.length === segments.length &&
    expected.every((name, index) => (name.startsWith(":") ? segments[index] !== "" : name === segments[index]))
  );
}

/** Returns the methods of the path for an OPTIONS request, and refuses any other. */
export function requireOptions(
  request: FastifyRequest,
  allowedMethods: (path: string) => string | null,
  operations: readonly Operation[],
): string {
  const path = pathOf(request);
  const isOptions = request.method === "OPTIONS";
  const allow = isOptions && path === "*" ? "GET, HEAD, OPTIONS, POST" : allowedMethods(path);
  if (allow === null) throw unknownPath(request, operations);
  if (isOptions) return allow;
  const hint = isUploadPath(path) ? `; ${UPLOAD_HINT}` : "";
  const detail = `${redactedPath(request)} allows ${allow}, not ${request.method}${hint}`;
  throw new ApiError("method_not_allowed", detail, { headers: { allow } });
}

export function pathOf({ raw: { url = "" } }: FastifyRequest): string {
  const query = url.indexOf("?");
  return query < 0 ? url : url.slice(0, query);
}

const UPLOAD_HINT =
  "POST files to /ingest/files, or give the browser extension this address as its server; see docs/importing.md";

function isUploadPath(path: string): boolean {
  return /^\/+ingest\b/i.test(path);
}

/** For messages. The URLs of uploads and feeds contain a token, even if no route matches them; others may. */
function redactedPath(request: FastifyRequest): string {
  const path = pathOf(request);
  if (/^\/+feeds\b/i.test(path)) return "/feeds/…";
  if (isUploadPath(path) && path !== UPLOAD_PATH) return "/ingest/…";
  return redactTokens(path);
}

export function unknownPath(request: FastifyRequest, operations: readonly Operation[]): ApiError {
  const path = pathOf(request);
  const shown = redactedPath(request).slice(0, 200);
  if (isUploadPath(path)) return new ApiError("unknown_path", `${shown} is for uploads: ${UPLOAD_HINT}`);
  // The prefix is often forgotten, or the slash at the end is one too many.
  const [near] = suggest(
    path
      .split("/")
      .filter((part, index) => part !== "" && !(index === 1 && part === "api"))
      .join("/"),
    [...operations.map(({ name }) => name), ...EXPORT_KINDS.map(({ name }) => `export/${name}`)],
    1,
  );
  const hint = near === undefined ? "see /docs/ for all paths" : `did you mean /api/${near}?`;
  return new ApiError("unknown_path", `no such path: ${shown}; ${hint}`);
}
