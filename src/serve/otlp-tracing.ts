/** Spans of requests by the OpenTelemetry SDK, sent in batches as OTLP over HTTP. No span has a query or a token. */
import {
  type Context,
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";
import { SERVICE_VERSION } from "#api/service-version.ts";
import type { ParentSpan, RequestSpan, RequestTracer } from "#http/trace-context.ts";

export interface Tracing extends RequestTracer {
  /** Sends what is left. */
  close(): Promise<void>;
}

const WARN_EVERY_MS = 60_000;
/** A collector that does not respond must not hold up the end of the service. */
const CLOSE_TIMEOUT_MS = 2_000;

export function createOtlpTracing(endpoint: string, onWarning: (message: string) => void): Tracing {
  reportProblems(onWarning);
  const exporter = new OTLPTraceExporter({ url: `${endpoint}/v1/traces`, timeoutMillis: CLOSE_TIMEOUT_MS });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ "service.name": "triptych", "service.version": SERVICE_VERSION }),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: CLOSE_TIMEOUT_MS })],
  });
  const tracer = provider.getTracer("triptych", SERVICE_VERSION);
  return {
    start(method, parent) {
      const attributes = { "http.request.method": method };
      const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, contextOf(parent));
      return toRequestSpan(tracer, span, method);
    },
    close: () => provider.shutdown(),
  };
}

function contextOf(parent: ParentSpan | null): Context {
  if (parent === null) return ROOT_CONTEXT;
  const { traceId, spanId, flags } = parent;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote: true,
  });
}

function toRequestSpan(tracer: Tracer, span: Span, method: string): RequestSpan {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceId,
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`,
    async measure(name, work) {
      const child = tracer.startSpan(name, {}, trace.setSpan(ROOT_CONTEXT, span));
      try {
        return await work();
      } catch (error) {
        child.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        child.end();
      }
    },
    end({ route, operation, status, requestId, keyId }) {
      span.updateName(`${method} ${route}`);
      span.setAttributes({
        "http.route": route,
        "http.response.status_code": status,
        "triptych.operation": operation,
        "triptych.request_id": requestId,
        ...(keyId === undefined ? {} : { "triptych.key_id": keyId }),
      });
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

/** The SDK reports a collector that is away through its own logger. */
function reportProblems(onWarning: (message: string) => void): void {
  let reportedAt = Number.NEGATIVE_INFINITY;
  const report = () => {
    if (Date.now() - reportedAt < WARN_EVERY_MS) return;
    reportedAt = Date.now();
    onWarning("traces cannot be sent; those that do not fit into memory are dropped");
  };
  const ignore = () => undefined;
  diag.setLogger(
    { error: report, warn: report, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}
