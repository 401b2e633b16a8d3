/** Dashboards, rules and alerts in deploy/ name metrics that the service has, and traces reach a collector. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { parse } from "yaml";
import { readConfig } from "#config";
import { AggregateMetrics } from "#serve/cluster/aggregate-metrics.ts";
import { readImports, sourceFiles } from "#testing/import-graph.ts";
import { until } from "#testing/until.ts";
import { breakOffRequest, sendRequest } from "./http-client.ts";
import { runCommand } from "./run-command.ts";
import { startTestServer, temporaryFolder, TEST_TOKEN } from "./test-server.ts";
import { bearerHeader, openTokenIssuer } from "./test-tokens.ts";
import { WORLD } from "./world.ts";

const DEPLOY = resolve(import.meta.dirname, "../deploy");

interface Rules {
  groups: { rules: { record?: string; alert?: string; expr: string; annotations?: Record<string, string> }[] }[];
}

interface Dashboard {
  panels: { title: string; targets: { expr: string }[] }[];
}

/** All that one process or several may have, with their types. */
async function knownMetrics(): Promise<Map<string, string>> {
  const server = await startTestServer([], { METRICS: "public" });
  const { text: served } = await sendRequest(server.url, { path: "/metrics" });
  await server.close();
  const rendered = served + (await new AggregateMetrics().text([]));
  return new Map([...rendered.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = "", type = ""]) => [name, type]));
}

/** The name of the metric that a sample belongs to: a histogram has three. */
function familyOf(sample: string, known: ReadonlyMap<string, string>): string {
  const histogram = /^(.*)_(?:bucket|sum|count)$/.exec(sample)?.[1] ?? "";
  return known.get(histogram) === "histogram" ? histogram : sample;
}

/** Without what stands in braces, brackets and quotes, and without the names of recording rules. */
function metricsIn(expression: string): string[] {
  const bare = expression.replaceAll(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"/g, " ").replaceAll(/\bby \([^)]*\)/g, " ");
  return [...bare.matchAll(/(?<![:\w])(?:triptych|process)_\w+/g)].map(([name]) => name);
}

test("every metric in the rules, the alerts and the dashboard exists, and all that exist are shown", async () => {
  const { groups } = parse(readFileSync(join(DEPLOY, "prometheus/rules.yaml"), "utf8")) as Rules;
  const { panels } = JSON.parse(readFileSync(join(DEPLOY, "grafana/triptych.json"), "utf8")) as Dashboard;
  const rules = groups.flatMap((group) => group.rules);
  const charts = panels.flatMap(({ targets }) => targets);
  const known = await knownMetrics();
  const named = new Set(
    [...rules, ...charts].flatMap(({ expr }) => metricsIn(expr)).map((name) => familyOf(name, known)),
  );
  assert.ok(known.size > 10);
  assert.deepEqual([...named].toSorted(), [...known.keys()].toSorted());
  const recorded = new Set(rules.flatMap(({ record }) => record ?? []));
  for (const { expr } of rules) {
    for (const [name] of expr.matchAll(/triptych:[\w:]+/g)) assert.ok(recorded.has(name), name);
  }
  for (const { alert, annotations } of rules) {
    if (alert !== undefined) assert.ok(annotations?.["summary"] && annotations["description"], alert);
  }
});

test("METRICS takes a port on loopback, or an address and a port", () => {
  const metrics = (value: string) => readConfig({ METRICS: value }).metrics;
  assert.deepEqual(metrics("9464"), { host: "127.0.0.1", port: 9464 });
  assert.deepEqual(metrics("0.0.0.0:9464"), { host: "0.0.0.0", port: 9464 });
  assert.deepEqual(metrics("[::]:9464"), { host: "::", port: 9464 });
  for (const wrong of ["on", "0", "70000", ":9464", "host:", "1.2.3.4"])
    assert.throws(() => metrics(wrong), /METRICS must be off, public, a port number, or an address/, wrong);
});

test("a request whose client gives up is in the log and in the metrics with status 499, others once", async () => {
  const folder = temporaryFolder();
  const LOG_FILE = join(folder.path, "service.log");
  const server = await startTestServer([], { METRICS: "public", LOG_LEVEL: "info", LOG_FILE });
  const desk = await openTokenIssuer(server);
  try {
    const { token, record } = await desk.issue({ scopes: ["ingest"] });
    // From now on the token is known before the body is read.
    await sendRequest(server.url, { path: "/api/search?q=tea", headers: bearerHeader(token) });
    const headers = { "content-type": "multipart/form-data; boundary=x", "x-request-id": "broken-off" };
    await breakOffRequest(server.url, { path: "/ingest/files", headers: { ...headers, ...bearerHeader(token) } });
    const counts = await until(async () => {
      const { text: metrics } = await sendRequest(server.url, { path: "/metrics" });
      const found = metrics.match(/^triptych_requests_total\{operation="(?:ingest|search)".*$/gm) ?? [];
      return found.length === 2 ? found : null;
    });
    assert.deepEqual(counts, [
      'triptych_requests_total{operation="search",status="403"} 1',
      'triptych_requests_total{operation="ingest",status="499"} 1',
    ]);
    const lines = await until(async () => {
      const logged = existsSync(LOG_FILE) ? readFileSync(LOG_FILE, "utf8").trimEnd().split("\n") : [];
      const found = logged.filter((line) => line.includes("broken-off"));
      return found.length === 0 ? null : found.map((line) => JSON.parse(line) as Record<string, unknown>);
    });
    assert.deepEqual(
      lines.map(({ path, status, key_id: keyId }) => [path, status, keyId]),
      [["/ingest/files", 499, record.keyId]],
    );
  } finally {
    await desk.close();
    await server.close();
    folder.remove();
  }
});

interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  status: { code?: number };
  attributes: { key: string; value: Record<string, unknown> }[];
}

interface TraceExport {
  resourceSpans: {
    resource: { attributes: ReceivedSpan["attributes"] };
    scopeSpans: { spans: ReceivedSpan[] }[];
  }[];
}

test("with OTEL_EXPORTER_OTLP_ENDPOINT, each request is a span of the client's trace; none has a token", async () => {
  const bodies: string[] = [];
  const collector = createServer((request, response) => {
    void text(request).then((body) => {
      assert.equal(`${request.method} ${request.url}`, "POST /v1/traces");
      bodies.push(body);
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  await new Promise<void>((listening) => void collector.listen(0, "127.0.0.1", listening));
  const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  try {
    const server = await startTestServer(WORLD, { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, CACHE_MB: "0" });
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
    const sent = { traceparent: `00-${traceId}-00f067aa0ba902b7-01`, "x-request-id": "the-traced-one" };
    const path = "/api/shortvideo/user/info-with-region";
    const response = await sendRequest(server.url, { path: `${path}?uniqueId=ines.varga`, headers: sent });
    await sendRequest(server.url, { path: `/nowhere/${TEST_TOKEN}` });
    // Closing sends what is left.
    await server.close();
    const exported = bodies.flatMap((body) => (JSON.parse(body) as TraceExport).resourceSpans);
    const resource = attributesOf(exported[0]?.resource.attributes ?? []);
    assert.equal(resource["service.name"], "triptych");
    const spans = exported.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
    const span = spans.find(({ name }) => name === `GET ${path}`);
    assert.ok(span);
    assert.deepEqual([span.traceId, span.parentSpanId, span.kind], [traceId, "00f067aa0ba902b7", 2]);
    assert.equal(response.header("traceparent"), `00-${traceId}-${span.spanId}-01`);
    assert.deepEqual(attributesOf(span.attributes), {
      "http.request.method": "GET",
      "http.route": path,
      "http.response.status_code": 200,
      "triptych.operation": path.slice(5),
      "triptych.request_id": "the-traced-one",
      "triptych.key_id": "environment",
    });
    const child = spans.find(({ parentSpanId }) => parentSpanId === span.spanId);
    assert.deepEqual([child?.name, child?.traceId], ["execute", traceId]);
    assert.equal(spans.length, 3);
    assert.ok(!bodies.join().includes(TEST_TOKEN));
    assert.ok(!bodies.join().includes("ines.varga"), "queries are not part of a span");
  } finally {
    collector.closeAllConnections();
    collector.close();
  }
});

function attributesOf(attributes: ReceivedSpan["attributes"]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}

test("a collector's address with a password is refused, and the password printed nowhere", async () => {
  const folder = temporaryFolder();
  try {
    const refused: Record<string, string> = {
      "http://ines:sesame@127.0.0.1:4318":
        "must have no user and password; put the header that the collector needs into OTEL_EXPORTER_OTLP_HEADERS",
      "ines:sesame@127.0.0.1:4318": "must be a URL, such as https://triptych.example",
    };
    for (const [endpoint, problem] of Object.entries(refused)) {
      const env = { DATA_DIR: folder.path, PORT: "0", OTEL_EXPORTER_OTLP_ENDPOINT: endpoint };
      const message = `OTEL_EXPORTER_OTLP_ENDPOINT ${problem}`;
      assert.throws(() => readConfig(env), { name: "ConfigError", message });
      const { stdout, stderr } = await runCommand(["doctor"], env);
      assert.ok(stdout.includes(problem), stdout);
      assert.doesNotMatch(stdout + stderr, /sesame/);
    }
  } finally {
    folder.remove();
  }
});

test("the OpenTelemetry SDK is imported by one file, which is loaded only when traces are sent", () => {
  const imports = readImports(sourceFiles()).filter(({ file }) => file.startsWith("src/"));
  const users = imports.filter(({ target }) => target.startsWith("@opentelemetry/")).map(({ file }) => file);
  assert.deepEqual([...new Set(users)], ["src/serve/otlp-tracing.ts"]);
  const loading = readFileSync(resolve(import.meta.dirname, "../src/serve/tracing.ts"), "utf8");
  assert.doesNotMatch(loading, /^import (?!type).*otlp-tracing/m);
  const importers = imports.filter(({ target }) => target === "src/serve/otlp-tracing.ts").map(({ file }) => file);
  assert.deepEqual([...new Set(importers)], ["src/serve/tracing.ts"]);
});
