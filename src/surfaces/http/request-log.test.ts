import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { pino } from "pino";
import { RequestLog, type RequestLine } from "./request-log.ts";

const LINE: RequestLine = {
  requestId: "5a1f2f0e-2a2d-4c57-9d7a-0a1b2c3d4e5f",
  traceId: undefined,
  method: "GET",
  path: "/api/longvideo/search",
  status: 200,
  ms: 1.25,
  now: Date.UTC(2026, 10, 15, 12),
  quiet: false,
};

/** The same request told to both: to pino through a logger of its own, as the framework makes it. */
function bothLogs(level = "info") {
  const ours: string[] = [];
  const theirs: string[] = [];
  let now = 0;
  const logger = pino(
    { level, base: null, timestamp: () => `,"time":${now}` },
    { write: (line: string) => void theirs.push(line) },
  );
  const log = new RequestLog({ add: (line) => void ours.push(line) }, logger);
  const tell = (line: RequestLine) => {
    log.write(line);
    ({ now } = line);
    const fields = {
      request_id: line.requestId,
      trace_id: line.traceId,
      method: line.method,
      path: line.path,
      status: line.status,
      ms: Math.round(line.ms * 1000) / 1000,
    };
    logger.child({ reqId: line.requestId })[line.quiet ? "debug" : "info"](fields, "request");
  };
  return { ours, theirs, logger, tell };
}

test("a request's line says what pino says of it", () => {
  const { ours, theirs, tell } = bothLogs();
  tell(LINE);
  tell({ ...LINE, traceId: "0af7651916cd43dd8448eb211c80319c", method: "POST", status: 404 });
  assert.deepEqual(ours, theirs);
  assert.deepEqual(JSON.parse(ours[0] ?? ""), {
    level: 30,
    time: LINE.now,
    reqId: LINE.requestId,
    request_id: LINE.requestId,
    method: "GET",
    path: "/api/longvideo/search",
    status: 200,
    ms: 1.25,
    msg: "request",
  });
});

test("whatever stands in a path or an id, the line is pino's to the byte and holds it unchanged", () => {
  const text = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 150 }),
    fc.string({
      unit: fc.constantFrom('"', "\\", "\n", "\0", "\u001f", "\u007f", "\u2028", "é", "/", "a"),
      maxLength: 8,
    }),
  );
  fc.assert(
    fc.property(
      text,
      fc.option(text, { nil: undefined }),
      text,
      fc.integer({ min: 100, max: 599 }),
      fc.oneof(fc.double({ min: 0, max: 100_000, noNaN: true }), fc.nat(10_000)),
      fc.nat(3),
      (requestId, traceId, path, status, ms, after) => {
        const { ours, theirs, tell } = bothLogs();
        tell(LINE);
        tell({ ...LINE, requestId, traceId, path, status, ms, now: LINE.now + after });
        assert.deepEqual(ours, theirs);
        assert.deepEqual(
          ours.map((line) => line.indexOf("\n") === line.length - 1),
          [true, true],
        );
        const read = JSON.parse(ours[1] ?? "") as Record<string, unknown>;
        assert.deepEqual([read["request_id"], read["trace_id"], read["path"]], [requestId, traceId, path]);
      },
    ),
    { numRuns: 500 },
  );
});

test("every thousandth of a millisecond is written as the number it is", () => {
  const { ours, theirs, tell } = bothLogs();
  for (let number = 0; number <= 2_000; number++) tell({ ...LINE, ms: number / 1_000 });
  assert.deepEqual(ours, theirs);
});

test("the level says what is logged, also when it changes later", () => {
  const { ours, theirs, logger, tell } = bothLogs("silent");
  const counts: Record<string, number> = {};
  for (const level of ["silent", "trace", "debug", "info", "warn", "error", "fatal"]) {
    logger.level = level;
    const before = ours.length;
    tell(LINE);
    tell({ ...LINE, quiet: true });
    counts[level] = ours.length - before;
  }
  assert.deepEqual(counts, { silent: 0, trace: 2, debug: 2, info: 1, warn: 0, error: 0, fatal: 0 });
  assert.deepEqual(ours, theirs);
});
