/**
 * The HTTP server: what applies to every request (ids, versions, methods, size and time limits, log, metrics), and the
 * routes. Every error is a problem response; see problem-response.ts.
 */
import { randomUUID } from "node:crypto";
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from "fastify";
import type { Operation } from "#api/platform.ts";
import { isSecureRequest, readSessionCookie } from "#auth/session-cookie.ts";
import { redactTokens } from "#auth/token-format.ts";
import type { Principal } from "#auth/tokens.ts";
import { ApiError, type ErrorCode } from "#errors";
import type { FailedAttempts } from "#rate-limit/failed-attempts.ts";
import { registerAdmin } from "./admin-handler.ts";
import type { RunAdmin } from "./admin/run-admin.ts";
import { API_VERSION } from "./api-version.ts";
import { registerBatch } from "./batch-route.ts";
import { checkRequest } from "./check-request.ts";
import { ConnectionGuard, type ConnectionLimits } from "./connection-guard.ts";
import { type ConsoleOptions, registerConsole } from "./console.ts";
import { setCorsHeaders } from "./cors.ts";
import { registerDocs } from "./docs.ts";
import { type ExportServices, limitExports, registerExports } from "./export-routes.ts";
import { registerFeeds } from "./feeds/feed-routes.ts";
import { registerHealthRoutes } from "./health-routes.ts";
import { registerMcpRoute } from "./mcp-route.ts";
import { registerPictures } from "./pictures.ts";
import { type OperationServices, registerOperations } from "./operation-handler.ts";
import {
  BODY_TIMEOUT_MS,
  bodyTimeout,
  respondToClientError,
  respondToExpectation,
  sendProblem,
} from "./problem-response.ts";
import { recordRequest, type RequestRecorders, unfinishedStatus } from "./record-request.ts";
import { PUBLIC, requireAccess, type RouteEntry } from "./route-access.ts";
import { type CacheOptions, ResponseCache } from "./response-cache.ts";
import { continueTrace, parseTraceparent, type RequestSpan, type RequestTracer } from "./trace-context.ts";
import { pathOf, requireOptions, trackAllowedMethods, unknownPath } from "./unknown-route.ts";
import { registerUploads, type UploadServices } from "./uploads/upload-routes.ts";
import { registerWellKnown, type WellKnownServices } from "./well-known.ts";

const MAX_HEADER_BYTES = 16 * 1024;
const MAX_BODY_BYTES = 64 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;
/** Node has one timeout for all requests: this one is for uploads, `limitBodyTime` is for the others. */
const UPLOAD_TIMEOUT_MS = 3_600_000;
const DROP_STALE_EVERY_MS = 1_000;
const WARN_EVERY_MS = 60_000;

/** Allowed values of X-Request-Id, since it appears in logs and responses. */
const REQUEST_ID = /^[\w.:-]{1,128}$/;

const BODY_TYPES = ["multipart/form-data", "application/x-www-form-urlencoded", "application/json"];

export interface HttpServices extends Omit<OperationServices, "cache">, RequestRecorders, WellKnownServices {
  operations: readonly Operation[];
  cache: CacheOptions;
  metricsPublic: boolean;
  ingest: UploadServices;
  exports: Omit<ExportServices, "tokens" | "limiter" | "acquireExport">;
  /** Null if no console is served at `/`. */
  console: ConsoleOptions | null;
  runAdmin: RunAdmin;
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
      guard.afterResponses(socket, () => {
        respondToClientError(error, socket, randomUUID());
        guard.endAfterError(socket);
      }),
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
    if (!guard.requestStarted(request.raw, performance.now())) {
      reply.hijack();
      return;
    }
    // Without `finish` the client has not got the whole response, and Fastify does not call `onResponse`.
    reply.raw.on("close", () => {
      if (!request.isRecorded) recordRequest(services, request, reply, unfinishedStatus(request));
    });
    reply.headers({
      "x-request-id": request.id,
      "api-version": API_VERSION,
      "x-content-type-options": "nosniff",
      // Also for crawlers that did not ask for robots.txt: answers are about people.
      "x-robots-tag": "noindex",
    });
    const isCorsAllowed = setCorsHeaders(request, reply, services.corsOrigins);
    startTrace(services.tracer, request, reply);
    limitBody(request, reply);
    checkRequest(request);
    request.sessionCookie = readSessionCookie(request, isSecureRequest(request, services.publicUrl));
    if (request.method === "OPTIONS" || request.is404) {
      // Before any body is read: a wrong path or method is wrong whatever the body.
      const allow = requireOptions(request, allowedMethods, services.operations);
      if (isCorsAllowed && pathOf(request) !== "*") reply.header("access-control-allow-methods", allow);
      reply.code(204).header("allow", allow).send();
      return;
    }
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

  registerRoutes(app, services);
  return app;
}

function registerRoutes(app: FastifyInstance, services: HttpServices): void {
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
  if (services.console !== null) registerConsole(app, services.console);
  else app.get("/", { config: PUBLIC }, async (_request, reply) => reply.redirect("/docs/", 302));
  registerPictures(app);
  registerWellKnown(app, services);
}

function startTrace(tracer: RequestTracer | null, request: FastifyRequest, reply: FastifyReply): void {
  const parent = parseTraceparent(request.headers["traceparent"]);
  request.span = tracer?.start(request.method, parent) ?? null;
  const trace = request.span ?? (parent === null ? null : continueTrace(parent));
  if (trace === null) return;
  reply.header("traceparent", trace.traceparent);
  request.traceId = trace.traceId;
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
  return guard;
}

function openCache(app: FastifyInstance, options: CacheOptions): ResponseCache {
  const cache = new ResponseCache(options);
  const timer = setInterval(() => cache.dropStale(Date.now()), DROP_STALE_EVERY_MS);
  timer.unref();
  app.addHook("onClose", async () => clearInterval(timer));
  return cache;
}

/** Except for uploads: rejects a body that takes longer than 15 s to arrive, and reads little of one that no route takes. */
function limitBody(request: FastifyRequest, reply: FastifyReply): void {
  const { "content-length": length, "transfer-encoding": coding } = request.headers;
  const hasBody = coding !== undefined || (length !== undefined && length !== "0");
  if (!hasBody || request.routeOptions.config.isUpload === true) return;
  // Node reads and drops all of a body that nobody has begun to read; of this one it reads no more than it buffers.
  request.raw.read(0);
  const timer = setTimeout(() => {
    // A body that no route reads may have arrived without `close`.
    if (reply.sent || reply.raw.headersSent || request.raw.complete) return;
    reply.header("connection", "close");
    sendProblem(request, reply, bodyTimeout());
  }, BODY_TIMEOUT_MS);
  request.raw.once("close", () => clearTimeout(timer));
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
