/**
 * The HTTP server: what applies to every request (ids, versions, methods, size and time limits, log, metrics), and the
 * routes. Every error is a problem response; see problem-response.ts.
 */
import { randomUUID } from "node:crypto";
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import type { Operation } from "#api/platform.ts";
import { isSecureRequest, readSessionCookie } from "#auth/session-cookie.ts";
import { redactTokens } from "#auth/token-format.ts";
import type { Principal } from "#auth/tokens.ts";
import { suggest } from "#domain/suggest.ts";
import { ApiError, type ErrorCode, ERRORS } from "#errors";
import type { FailedAttempts } from "#rate-limit/failed-attempts.ts";
import { registerAdmin } from "./admin-handler.ts";
import type { RunAdmin } from "./admin/run-admin.ts";
import { API_VERSION } from "./api-version.ts";
import { registerBatch } from "./batch-route.ts";
import { checkRequest } from "./check-request.ts";
import { ConnectionGuard, type ConnectionLimits } from "./connection-guard.ts";
import { registerConsole } from "./console.ts";
import { setCorsHeaders } from "./cors.ts";
import { registerDocs } from "./docs.ts";
import { type ExportServices, limitExports, registerExports } from "./export-routes.ts";
import { registerFeeds } from "./feeds/feed-routes.ts";
import { registerHealthRoutes } from "./health-routes.ts";
import { registerMcpRoute } from "./mcp-route.ts";
import type { Metrics } from "./metrics.ts";
import { registerPictures } from "./pictures.ts";
import { type OperationServices, registerOperations } from "./operation-handler.ts";
import {
  BODY_TIMEOUT_MS,
  bodyTimeout,
  respondToClientError,
  respondToExpectation,
  sendProblem,
} from "./problem-response.ts";
import type { RecentError, RecentErrors } from "./admin/recent-errors.ts";
import { PUBLIC, requireAccess, type RouteEntry } from "./route-access.ts";
import { type CacheOptions, ResponseCache } from "./response-cache.ts";
import { continueTrace, parseTraceparent, type RequestSpan, type RequestTracer } from "./trace-context.ts";
import type { UsageCounter } from "./usage-counter.ts";
import { registerUploads, UPLOAD_PATH, type UploadServices } from "./uploads/upload-routes.ts";
import { registerWellKnown, type WellKnownServices } from "./well-known.ts";

const MAX_HEADER_BYTES = 16 * 1024;
const MAX_BODY_BYTES = 64 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;
/** Node has one timeout for all requests: this one is for uploads, `limitBodyTime` is for the others. */
const UPLOAD_TIMEOUT_MS = 3_600_000;
const DROP_STALE_EVERY_MS = 1_000;
const WARN_EVERY_MS = 60_000;
/** Not sent: the status that proxies, too, log for a client that gave up. */
const CLIENT_CLOSED_REQUEST = 499;

/** Allowed values of X-Request-Id, since it appears in logs and responses. */
const REQUEST_ID = /^[\w.:-]{1,128}$/;

const BODY_TYPES = ["multipart/form-data", "application/x-www-form-urlencoded", "application/json"];
const PROBE_PATHS = new Set(["/healthz", "/readyz", "/metrics"]);

export interface HttpServices extends Omit<OperationServices, "cache">, WellKnownServices {
  operations: readonly Operation[];
  cache: CacheOptions;
  logger: FastifyBaseLogger;
  metrics: Metrics;
  metricsPublic: boolean;
  ingest: UploadServices;
  exports: Omit<ExportServices, "tokens" | "limiter" | "acquireExport">;
  /** Whether the console is served at `/`. */
  console: boolean;
  runAdmin: RunAdmin;
  usage: UsageCounter;
  errors: RecentErrors;
  /** Null unless traces are sent. */
  tracer: RequestTracer | null;
  connections: Omit<ConnectionLimits, "idleMs"> & { keepAliveMs: number };
  /** Null without rate limits. */
  failedAttempts: FailedAttempts | null;
  ping(): Promise<void>;
}

declare module "fastify" {
  interface FastifyContextConfig {
    operation?: string;
    /** The route takes files, which may be large and slow. */
    isUpload?: boolean;
  }
  interface FastifyRequest {
    traceId?: string;
    /** Who sent the request; null until it is known. */
    principal: Principal | null;
    sessionCookie: string | null;
    sessionExpiresAt: number | null;
    /** Why the request was refused or failed. */
    problem: ApiError | null;
    /** Null unless traces are sent. */
    span: RequestSpan | null;
    /** Whether the request is in the log, the metrics and the usage. */
    isRecorded: boolean;
  }
  interface FastifyInstance {
    /** All routes, with who may call them. */
    accessTable: readonly RouteEntry[];
  }
}

/** Operations check their input themselves. Without this Fastify loads its two compilers, a fifth of the time of a start. */
function refuseSchema(): never {
  throw new Error("a route has no schema of its own");
}

export function createServer(services: HttpServices): FastifyInstance {
  const app = fastify({
    loggerInstance: services.logger,
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger per request costs more than its one line, which names the request itself.
    childLoggerFactory: (logger) => logger,
    bodyLimit: MAX_BODY_BYTES,
    // The address of a request is then that of the client, as the proxy says.
    trustProxy: services.connections.isTrustedProxy,
    requestTimeout: UPLOAD_TIMEOUT_MS,
    connectionTimeout: 0,
    keepAliveTimeout: services.connections.keepAliveMs,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    schemaController: { compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema } },
    // Parameters of paths are checked as others are, and so is the length of the URL; the router would fail on long ones.
    routerOptions: { maxParamLength: MAX_HEADER_BYTES },
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: 1_000,
      // Node's own check responds with an empty 400; `checkRequest` does it instead.
      requireHostHeader: false,
    },
    genReqId: ({ headers: { "x-request-id": id } }) =>
      typeof id === "string" && REQUEST_ID.test(id) && redactTokens(id) === id ? id : randomUUID(),
    clientErrorHandler: (error, socket) =>
      guard.afterResponses(socket, () => respondToClientError(error, socket, randomUUID())),
    frameworkErrors: (error, request, reply) => {
      reply.headers({ "x-request-id": request.id, "api-version": API_VERSION });
      sendProblem(request, reply, error);
    },
  });
  const guard = guardConnections(app, services);
  const allowedMethods = trackAllowedMethods(app);
  app.decorate("accessTable", requireAccess(app));
  for (const name of ["principal", "sessionCookie", "sessionExpiresAt", "problem", "span"])
    app.decorateRequest(name, null);
  app.decorateRequest("isRecorded", false);

  app.removeAllContentTypeParsers();
  app.addContentTypeParser(BODY_TYPES, { parseAs: "buffer", bodyLimit: MAX_BODY_BYTES }, (request, body, done) => {
    const encoding = request.headers["content-encoding"];
    if (encoding === undefined || encoding === "identity") done(null, body);
    else done(new ApiError("unsupported_media_type", "request bodies must not be compressed (Content-Encoding)"));
  });
  app.setErrorHandler((error, request, reply) =>
    sendProblem(request, reply, limitFailure(services.failedAttempts, request, error)),
  );
  app.setNotFoundHandler((request, reply) => sendProblem(request, reply, unknownPath(request, services.operations)));
  app.server.on("checkExpectation", (_request, response) => respondToExpectation(response, randomUUID()));

  app.addHook("onRequest", (request, reply, done) => {
    guard.requestStarted(request.raw, performance.now());
    // Without `finish` the client has not got the whole response, and Fastify does not call `onResponse`.
    reply.raw.on("close", () => {
      if (!request.isRecorded) recordRequest(services, request, reply, unfinishedStatus(request));
    });
    reply.headers({ "x-request-id": request.id, "api-version": API_VERSION, "x-content-type-options": "nosniff" });
    const isCorsAllowed = setCorsHeaders(request, reply, services.corsOrigins);
    const parent = parseTraceparent(request.headers["traceparent"]);
    request.span = services.tracer?.start(request.method, parent) ?? null;
    const trace = request.span ?? (parent === null ? null : continueTrace(parent));
    if (trace !== null) {
      reply.header("traceparent", trace.traceparent);
      request.traceId = trace.traceId;
    }
    checkRequest(request);
    request.sessionCookie = readSessionCookie(request, isSecureRequest(request, services.publicUrl));
    const isOptions = request.method === "OPTIONS";
    if (isOptions || request.is404) {
      // Before any body is read: a wrong path or method is wrong whatever the body.
      const path = pathOf(request);
      const allow = isOptions && path === "*" ? "GET, HEAD, OPTIONS, POST" : allowedMethods(path);
      if (allow === null) throw unknownPath(request, services.operations);
      if (!isOptions)
        throw new ApiError(
          "method_not_allowed",
          `${redactedPath(request)} allows ${allow}, not ${request.method}${isUploadPath(path) ? `; ${UPLOAD_HINT}` : ""}`,
          { headers: { allow } },
        );
      if (isCorsAllowed && path !== "*") reply.header("access-control-allow-methods", allow);
      reply.code(204).header("allow", allow).send();
      return;
    }
    limitBodyTime(request, reply);
    done();
  });

  let isClosing = false;
  app.addHook("preClose", async () => {
    isClosing = true;
  });
  app.addHook("onSend", (_request, reply, _payload, done) => {
    // A stopping server would wait for the next request of a connection that stays open.
    if (isClosing) reply.header("connection", "close");
    done();
  });

  app.addHook("onResponse", (request, reply, done) => {
    guard.responseFinished(request.raw, performance.now());
    recordRequest(services, request, reply, reply.statusCode);
    done();
  });

  registerOperations(app, services.operations, { ...services, cache: openCache(app, services.cache) });
  registerBatch(app, services.operations, services);
  registerFeeds(app, services.operations, services);
  const acquireExport = limitExports(services.limiter);
  registerMcpRoute(app, services.operations, { ...services, exports: { ...services.exports, acquireExport } });
  registerUploads(app, services.ingest);
  registerAdmin(app, services);
  const { tokens, limiter } = services;
  registerExports(app, { ...services.exports, tokens, limiter, acquireExport });
  registerHealthRoutes(app, services);
  registerDocs(app);
  if (services.console) registerConsole(app);
  else app.get("/", { config: PUBLIC }, async (_request, reply) => reply.redirect("/docs/", 302));
  registerPictures(app);
  registerWellKnown(app, services);
  return app;
}

function guardConnections(app: FastifyInstance, { connections, metrics, logger }: HttpServices): ConnectionGuard {
  const { maxConnections, keepAliveMs } = connections;
  const limits = { ...connections, idleMs: keepAliveMs + HEADERS_TIMEOUT_MS };
  let warnedAt = 0;
  const guard = new ConnectionGuard(app.server, limits, (reason) => {
    metrics.countClosedConnection(reason);
    const now = Date.now();
    if (reason !== "full" || now - warnedAt < WARN_EVERY_MS) return;
    warnedAt = now;
    logger.warn({ max_connections: maxConnections }, "connections refused: MAX_CONNECTIONS reached");
  });
  app.addHook("preClose", async () => guard.closeUnused());
  app.addHook("onClose", async () => guard.stop());
  return guard;
}

/** Returns a function from a path to its `Allow` header; null for an unknown path. */
function trackAllowedMethods(app: FastifyInstance): (path: string) => string | null {
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

function openCache(app: FastifyInstance, options: CacheOptions): ResponseCache {
  const cache = new ResponseCache(options);
  const timer = setInterval(() => cache.dropStale(Date.now()), DROP_STALE_EVERY_MS);
  timer.unref();
  app.addHook("onClose", async () => clearInterval(timer));
  return cache;
}

/** One line in the log, one count in metrics and usage, one span. */
function recordRequest(services: HttpServices, request: FastifyRequest, reply: FastifyReply, status: number): void {
  request.isRecorded = true;
  const { elapsedTime } = reply;
  const { operation = "other", url } = request.routeOptions.config;
  const path = shownRoute(request);
  const keyId = request.principal?.keyId;
  services.metrics.record(operation, status, elapsedTime / 1000);
  if (keyId !== undefined) services.usage.count(keyId, operation, status, Date.now());
  if (request.problem !== null) services.errors.add(toRecentError(request, request.problem, path));
  request.span?.end({
    route: path,
    operation,
    status,
    requestId: request.id,
    keyId,
  });
  // Supervisors probe every second.
  const level = status < 400 && PROBE_PATHS.has(url) ? "debug" : "info";
  services.logger[level](
    {
      request_id: request.id,
      trace_id: request.traceId,
      method: request.method,
      path,
      key_id: keyId,
      status,
      ms: Math.round(elapsedTime * 1_000) / 1_000,
    },
    "request",
  );
}

/** Of a response that the client did not get to its end: the service failed, or the client closed the connection. */
function unfinishedStatus({ problem }: FastifyRequest): number {
  return problem === null ? CLIENT_CLOSED_REQUEST : ERRORS[problem.code].status;
}

/** Rejects a body that takes longer than 15 s to arrive, except for uploads. */
function limitBodyTime(request: FastifyRequest, reply: FastifyReply): void {
  const { "content-length": length, "transfer-encoding": coding } = request.headers;
  const hasBody = coding !== undefined || (length !== undefined && length !== "0");
  if (!hasBody || request.routeOptions.config.isUpload === true) return;
  const timer = setTimeout(() => {
    // A body that no route reads may have arrived without `close`.
    if (reply.sent || reply.raw.headersSent || request.raw.complete) return;
    reply.header("connection", "close");
    sendProblem(request, reply, bodyTimeout());
  }, BODY_TIMEOUT_MS);
  request.raw.once("close", () => clearTimeout(timer));
}

const NO_ROUTE = "(no such path)";
const NO_METHOD = "(no such method)";

/** For logs, errors and spans. A path that no route has may contain anything, also a secret or a name: nothing of it is repeated. */
function shownRoute({ is404, problem, routeOptions }: FastifyRequest): string {
  if (!is404) return routeOptions.config.url;
  return problem?.code === "method_not_allowed" ? NO_METHOD : NO_ROUTE;
}

function toRecentError(request: FastifyRequest, problem: ApiError, path: string): RecentError {
  return {
    at: Date.now(),
    requestId: request.id,
    method: request.method,
    path,
    status: ERRORS[problem.code].status,
    code: problem.code,
    detail: request.is404 ? ERRORS[problem.code].title : problem.message,
    keyId: request.principal?.keyId ?? null,
  };
}

function pathOf({ raw: { url = "" } }: FastifyRequest): string {
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

/** Errors of requests without a valid token. */
const FAILED_ATTEMPTS: ReadonlySet<ErrorCode> = new Set([
  "missing_token",
  "invalid_token",
  "ingest_forbidden",
  "invalid_feed_key",
]);

/** An address that sends many requests without a valid token is told to wait. */
function limitFailure(attempts: FailedAttempts | null, request: FastifyRequest, error: unknown): unknown {
  if (attempts === null || !(error instanceof ApiError) || !FAILED_ATTEMPTS.has(error.code)) return error;
  const retryAfterS = attempts.count(request.ip);
  if (retryAfterS === null) return error;
  return new ApiError("rate_limited", `too many requests without a valid token; retry in ${retryAfterS} s`, {
    headers: { "retry-after": String(retryAfterS) },
  });
}

function unknownPath(request: FastifyRequest, operations: readonly Operation[]): ApiError {
  const path = pathOf(request);
  const shown = redactedPath(request).slice(0, 200);
  if (isUploadPath(path)) return new ApiError("unknown_path", `${shown} is for uploads: ${UPLOAD_HINT}`);
  // The prefix is often forgotten, or the slash at the end is one too many.
  const [near] = suggest(
    path
      .split("/")
      .filter((part, index) => part !== "" && !(index === 1 && part === "api"))
      .join("/"),
    operations.map(({ name }) => name),
    1,
  );
  const hint = near === undefined ? "see /docs/ for all paths" : `did you mean /api/${near}?`;
  return new ApiError("unknown_path", `no such path: ${shown}; ${hint}`);
}
