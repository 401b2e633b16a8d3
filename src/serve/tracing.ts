/** Traces, if OTEL_EXPORTER_OTLP_ENDPOINT is set. Only then the OpenTelemetry SDK is loaded. */
import type { Logger } from "pino";
import type { Config } from "#config";
import type { Tracing } from "./otlp-tracing.ts";

export async function openTracing({ otlpEndpoint }: Config, log: Logger): Promise<Tracing | null> {
  if (otlpEndpoint === null) return null;
  const { createOtlpTracing } = await import("./otlp-tracing.ts");
  return createOtlpTracing(otlpEndpoint, (message) => log.warn({ endpoint: otlpEndpoint }, message));
}
