/**
 * The HTTP server: what holds for every request (ids, versions, methods, limits of size and time) and the routes.
 * Everything wrong is answered with one body; see problem-reply.ts.
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
import { ApiError } from "#errors";
import { ConnectionGuard, type ConnectionLimits } from "./connection-guard.ts";
import { registerCors } from "./cors.ts";
import { registerDocs } from "./docs.ts";
import type { Metrics } from "./metrics.ts";
import { type UploadServices, registerUploads } from "./uploads/upload-routes.ts";
import { type OperationServices, registerOperations } from "./operation-handler.ts";
import {
  respondToClientError,
  respondToExpectation,
  BODY_TIMEOUT_MS,
  bodyTimeout,
  sendProblem,
} from "./problem-response.ts";
import { registerHealthRoutes } from "./health-routes.ts";
import { REQUEST_ID } from "./request-id.ts";
import { type CacheOptions, ResponseCache } from "./response-cache.ts";
import { continueTrace } from "./trace-context.ts";
import { API_VERSION } from "./api-version.ts";

const MAX_ADDRESS = 8 * 1024;
const MAX_HEADERS = 16 * 1024;
const MAX_BODY = 64 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;
/** Node knows one time-out for all requests: this one is for uploads, the others are watched by `limitBodyTime`. */
const UPLOAD_TIMEOUT_MS = 3_600_000;
/** Between warnings that connections were turned away. */
const WARN_EVERY_MS = 60_000;

const BODY_TYPES = ["multipart/form-data", "application/x-www-form-urlencoded", "application/json"];

export interface HttpServices extends Omit<OperationServices, "cache"> {
  operations: readonly Operation[];
  cache: CacheOptions;
  logger: FastifyBaseLogger;
  metrics: Metrics;
  metricsPublic: boolean;
  ingest: UploadServices;
  corsOrigins: readonly string[];
  connections: Pick<ConnectionLimits, "maxConnections" | "slowClientMs"> & { keepAliveMs: number };
  ping(): Promise<void>;
}

const PROBES = new Set(["/healthz", "/readyz", "/metrics"]);

export function createServer(services: HttpServices): FastifyInstance {
  const { keepAliveMs } = services.connections;
  const app = fastify({
    loggerInstance: services.logger,
    logController: new LogController({ disableRequestLogging: true }),
    // A logger per request costs more than its line; lines name the request instead.
    childLoggerFactory: (logger) => logger,
    bodyLimit: MAX_BODY,
    requestTimeout: UPLOAD_TIMEOUT_MS,
    connectionTimeout: 0,
    keepAliveTimeout: keepAliveMs,
    forceCloseConnections: "idle",
    return503OnClosing: false,
    http: {
      maxHeaderSize: MAX_HEADERS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: 1_000,
      // Without it Node answers an empty 400 of its own; we check it ourselves.
      requireHostHeader: false,
    },
    genReqId: (request) => {
      const given = request.headers["x-request-id"];
      return typeof given === "string" && REQUEST_ID.test(given) ? given : randomUUID();
    },
    clientErrorHandler: (error, socket) =>
      guard.afterResponses(socket, () => respondToClientError(error, socket, randomUUID())),
    frameworkErrors: (error, request, reply) => {
      reply.headers({ "x-request-id": request.id, "api-version": API_VERSION });
      sendProblem(request, reply, error);
    },
  });

  const guard = guardConnections(app, services);

  app.removeAllContentTypeParsers();
  app.addContentTypeParser(BODY_TYPES, { parseAs: "buffer", bodyLimit: MAX_BODY }, (request, body, done) => {
    const encoding = request.headers["content-encoding"];
    if (encoding !== undefined && encoding !== "identity") {
      done(new ApiError("unsupported_media_type", "request bodies must not be compressed (Content-Encoding)"));
    } else done(null, body);
  });

  app.setErrorHandler((error, request, reply) => sendProblem(request, reply, error));
  app.setNotFoundHandler((request, reply) => sendProblem(request, reply, notFound(request)));

  const methods = new Map<string, Set<string>>();
  app.addHook("onRoute", ({ url, method }) => {
    const known = methods.get(url) ?? new Set(["OPTIONS"]);
    for (const name of [method].flat()) known.add(name);
    if (known.has("GET")) known.add("HEAD");
    methods.set(url, known);
  });
  const allowedAt = (path: string) => {
    const known = methods.get(path);
    return known === undefined ? null : [...known].toSorted().join(", ");
  };

  app.addHook("onRequest", (request, reply, done) => {
    guard.requestStarted(request.raw, Date.now());
    limitBodyTime(request, reply);
    reply.headers({ "x-request-id": request.id, "api-version": API_VERSION, "x-content-type-options": "nosniff" });
    const crossOrigin = registerCors(request, reply, services.corsOrigins);
    const trace = continueTrace(request.headers["traceparent"]);
    if (trace !== null) {
      reply.header("traceparent", trace.traceparent);
      request.traceId = trace.traceId;
    }
    const address = request.raw.url ?? "";
    if (address.length > MAX_ADDRESS)
      throw new ApiError(
        "uri_too_long",
        `the address has ${address.length} characters, at most ${MAX_ADDRESS} are read`,
      );
    if (request.headers.host === undefined && request.raw.httpVersion === "1.1") {
      throw new ApiError("malformed_request", "an HTTP/1.1 request must carry a Host header");
    }
    checkVersion(request);
    if (request.method !== "OPTIONS" && !request.is404) return done();
    const path = pathOf(request);
    const allow = allowedAt(path);
    if (request.method === "OPTIONS" && (allow !== null || path === "*")) {
      if (crossOrigin && allow !== null) reply.header("access-control-allow-methods", allow);
      reply
        .code(204)
        .header("allow", allow ?? "GET, HEAD, OPTIONS, POST")
        .send();
      return;
    }
    // Before any body is read: a wrong path or method is wrong whatever is sent to it.
    if (request.is404) {
      if (allow === null) throw notFound(request);
      throw new ApiError("method_not_allowed", `${path} takes ${allow}, not ${request.method}`, { headers: { allow } });
    }
    done();
  });

  let closing = false;
  app.addHook("preClose", async () => {
    closing = true;
  });
  // A connection that stays open would keep a stopping server waiting for the next request.
  app.addHook("onSend", (_request, reply, _payload, done) => {
    if (closing) reply.header("connection", "close");
    done();
  });
  app.server.on("checkExpectation", (_request, response) => {
    respondToExpectation(response, randomUUID());
  });

  app.addHook("onResponse", (request, reply, done) => {
    guard.responseFinished(request.raw, Date.now());
    const { operation } = request.routeOptions.config as { operation?: string };
    services.metrics.record(operation ?? "other", reply.statusCode, reply.elapsedTime / 1000);
    const isQuietProbe = PROBES.has(request.routeOptions.url ?? "") && reply.statusCode < 400;
    // Supervisors ask every second; the query may hold what people look for.
    services.logger[isQuietProbe ? "debug" : "info"](
      {
        request_id: request.id,
        trace_id: request.traceId,
        method: request.method,
        path: loggedPath(request),
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 1_000) / 1_000,
      },
      "request",
    );
    done();
  });

  registerOperations(app, services.operations, { ...services, cache: openCache(app, services.cache) });
  registerUploads(app, services.ingest);
  registerHealthRoutes(app, services);
  registerDocs(app, services.operations);
  return app;
}

const DROP_STALE_EVERY_MS = 1_000;

function openCache(app: FastifyInstance, options: CacheOptions): ResponseCache {
  const cache = new ResponseCache(options);
  const timer = setInterval(() => cache.dropStale(Date.now()), DROP_STALE_EVERY_MS);
  timer.unref();
  app.addHook("onClose", async () => clearInterval(timer));
  return cache;
}

function guardConnections(app: FastifyInstance, { connections, metrics, logger }: HttpServices): ConnectionGuard {
  const { maxConnections, slowClientMs, keepAliveMs } = connections;
  const limits = { maxConnections, slowClientMs, idleMs: keepAliveMs + HEADERS_TIMEOUT_MS };
  let warnedAt = 0;
  const guard = new ConnectionGuard(app.server, limits, (reason) => {
    metrics.connectionClosed(reason);
    const now = Date.now();
    if (reason !== "full" || now - warnedAt < WARN_EVERY_MS) return;
    warnedAt = now;
    logger.warn({ max_connections: maxConnections }, "connections refused: MAX_CONNECTIONS reached");
  });
  app.addHook("preClose", async () => guard.closeSilent());
  app.addHook("onClose", async () => guard.stop());
  return guard;
}

/** An ingest address carries a token, whether or not it leads anywhere: the log shows no more than where it begins. */
function loggedPath(request: FastifyRequest): string {
  const path = pathOf(request);
  return /^\/+ingest\b/i.test(path) ? (request.routeOptions.url ?? "/ingest/…") : path;
}

function isIngest(request: FastifyRequest): boolean {
  return (request.routeOptions.config as { ingest?: true }).ingest === true;
}

/** A body that trickles in is given up after 15 s; uploads may take their time. */
function limitBodyTime(request: FastifyRequest, reply: FastifyReply): void {
  const { "content-length": length, "transfer-encoding": coding } = request.headers;
  if ((length === undefined && coding === undefined) || isIngest(request)) return;
  const timer = setTimeout(() => {
    if (reply.sent) return;
    reply.header("connection", "close");
    sendProblem(request, reply, bodyTimeout());
  }, BODY_TIMEOUT_MS);
  request.raw.once("close", () => clearTimeout(timer));
}

function pathOf(request: FastifyRequest): string {
  const url = request.raw.url ?? "";
  const query = url.indexOf("?");
  return query < 0 ? url : url.slice(0, query);
}

function notFound(request: FastifyRequest): ApiError {
  return new ApiError(
    "unknown_path",
    `there is nothing at ${pathOf(request).slice(0, 200)}; /docs lists what there is`,
  );
}

function checkVersion(request: FastifyRequest): void {
  const wanted = request.headers["api-version"];
  if (wanted === undefined || wanted === API_VERSION) return;
  throw new ApiError("unknown_version", `Api-Version must be ${API_VERSION}`, {
    errors: [{ in: "header", parameter: "Api-Version", reason: `must be ${API_VERSION}` }],
  });
}

declare module "fastify" {
  interface FastifyRequest {
    traceId?: string;
  }
}
