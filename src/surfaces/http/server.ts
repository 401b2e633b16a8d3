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
import type { Operation } from "#contract/platform.ts";
import { ApiError } from "#errors";
import { ConnectionGuard, type ConnectionLimits } from "./connection-guard.ts";
import { allowCrossOrigin } from "./cross-origin.ts";
import { registerDocs } from "./docs.ts";
import type { Metrics } from "./metrics.ts";
import { type IngestServices, registerIngest } from "../ingest-http/ingest-routes.ts";
import type { AnswerRoom } from "./answer-memory.ts";
import { answering, type AnsweringServices } from "./answering.ts";
import { FastLane, type LaneServices } from "./fast-lane.ts";
import { openLane } from "./open-lane.ts";
import { registerOperations } from "./operation-routes.ts";
import {
  answerBrokenRequest,
  answerUnmetExpectation,
  BODY_WITHIN_MS,
  bodyTooLate,
  sendProblem,
} from "./problem-reply.ts";
import { registerProbes } from "./probes.ts";
import { REQUEST_ID } from "./request-id.ts";
import type { RequestLog } from "./request-log.ts";
import { continueTrace } from "./trace-context.ts";
import { API_VERSION } from "./version.ts";

const MAX_ADDRESS = 8 * 1024;
const MAX_HEADERS = 16 * 1024;
const MAX_BODY = 64 * 1024;
const HEADERS_TIMEOUT_MS = 10_000;
/** Node knows one time-out for all requests: this one is for uploads, the others are watched by `limitBodyTime`. */
const UPLOAD_TIMEOUT_MS = 3_600_000;
/** Between warnings that connections were turned away. */
const WARN_EVERY_MS = 60_000;

const BODY_TYPES = ["multipart/form-data", "application/x-www-form-urlencoded", "application/json"];

export interface HttpServices extends Omit<AnsweringServices, "failed"> {
  operations: readonly Operation[];
  /** See `Store`. */
  stamp(): number | null;
  answerRoom: Omit<AnswerRoom, "failed">;
  logger: FastifyBaseLogger;
  requestLog: RequestLog;
  metrics: Metrics;
  metricsPublic: boolean;
  ingest: IngestServices;
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
      guard.afterResponses(socket, () => answerBrokenRequest(error, socket, randomUUID())),
    frameworkErrors: (error, request, reply) => {
      reply.headers({ "x-request-id": request.id, "api-version": API_VERSION });
      sendProblem(request, reply, error);
    },
  });

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

  app.addHook("onRequest", async (request, reply) => {
    reply.headers({ "x-request-id": request.id, "api-version": API_VERSION, "x-content-type-options": "nosniff" });
    const crossOrigin = allowCrossOrigin(request, reply, services.corsOrigins);
    const trace = continueTrace(request.headers["traceparent"]);
    if (trace !== null) {
      reply.header("traceparent", trace.traceparent);
      request.traceId = trace.traceId;
    }
    const address = request.raw.url ?? "";
    if (address.length > MAX_ADDRESS)
      throw new ApiError(
        "address_too_long",
        `the address has ${address.length} characters, at most ${MAX_ADDRESS} are read`,
      );
    if (request.headers.host === undefined && request.raw.httpVersion === "1.1") {
      throw new ApiError("malformed_request", "an HTTP/1.1 request must carry a Host header");
    }
    checkVersion(request);
    if (request.method !== "OPTIONS" && !request.is404) return;
    const path = pathOf(request);
    const allow = allowedAt(path);
    if (request.method === "OPTIONS" && (allow !== null || path === "*")) {
      if (crossOrigin && allow !== null) reply.header("access-control-allow-methods", allow);
      return reply
        .code(204)
        .header("allow", allow ?? "GET, HEAD, OPTIONS, POST")
        .send();
    }
    // Before any body is read: a wrong path or method is wrong whatever is sent to it.
    if (request.is404) {
      if (allow === null) throw notFound(request);
      throw new ApiError("method_not_allowed", `${path} takes ${allow}, not ${request.method}`, { headers: { allow } });
    }
  });

  let closing = false;
  app.addHook("preClose", async () => {
    closing = true;
  });
  // A connection that stays open would keep a stopping server waiting for the next request.
  app.addHook("onSend", async (_request, reply) => {
    if (closing) reply.header("connection", "close");
  });
  app.server.on("checkExpectation", (_request, response) => {
    answerUnmetExpectation(response, randomUUID());
  });

  app.addHook("preParsing", async (request, reply) => limitBodyTime(request, reply));

  app.addHook("onResponse", async (request, reply) => {
    const { operation } = request.routeOptions.config as { operation?: string };
    services.metrics.record(operation ?? "other", reply.statusCode, reply.elapsedTime / 1000);
    services.requestLog.write({
      requestId: request.id,
      traceId: request.traceId,
      method: request.method,
      // The query may hold what people look for: the log says which path, not which words.
      path: loggedPath(request),
      status: reply.statusCode,
      ms: reply.elapsedTime,
      now: Date.now(),
      // Supervisors ask every second: that all is well is worth no line.
      quiet: PROBES.has(request.routeOptions.url ?? "") && reply.statusCode < 400,
    });
  });

  const operations = services.operations.map((operation) => ({
    operation,
    answering: answering(operation, {
      ...services,
      failed: (requestId, cause) => services.logger.error({ request_id: requestId, err: cause }, "request failed"),
    }),
  }));
  registerOperations(app, operations);
  // Pages that may read answers are told so with every one of them: that is the framework's business.
  if (services.corsOrigins.length === 0) {
    const failed = (error: unknown) => services.logger.warn({ err: error }, "long answers are not kept in a file");
    const answerRoom = { ...services.answerRoom, failed };
    openFastLane(app, { ...services, operations, log: services.requestLog, answerRoom }, keepAliveMs);
  }
  // After the fast lane, which takes the place of the listeners that it finds.
  const guard = guardConnections(app, services);
  registerIngest(app, services.ingest);
  registerProbes(app, services);
  registerDocs(app, services.operations);
  return app;
}

/** Goes before the framework: what it does not take is the framework's. */
function openFastLane(app: FastifyInstance, services: LaneServices, keepAliveMs: number): void {
  const lane = new FastLane(services);
  const closeLane = openLane(app.server, lane, { firstMs: HEADERS_TIMEOUT_MS, keepAliveMs });
  app.addHook("preClose", async () => closeLane());
  app.addHook("onClose", async () => lane.close());
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
  if (request.raw.complete || isIngest(request)) return;
  const timer = setTimeout(() => {
    if (reply.sent) return;
    reply.header("connection", "close");
    sendProblem(request, reply, bodyTooLate());
  }, BODY_WITHIN_MS);
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
