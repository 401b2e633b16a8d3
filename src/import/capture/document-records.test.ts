import assert from "node:assert/strict";
import { test } from "node:test";
import type { Collector } from "#api/importer.ts";
import { hasRecord, listRecords } from "./document-records.ts";
import { withCaptureTime } from "./with-capture-time.ts";

test("a document is one record, a list of them, or a wrapped list", () => {
  assert.deepEqual(listRecords({ id: 1 }), [{ id: 1 }]);
  assert.deepEqual(listRecords([{ id: 1 }, 2]), [{ id: 1 }, 2]);
  assert.deepEqual(listRecords({ collector: [{ id: 1 }] }, "data", "collector"), [{ id: 1 }]);
  assert.deepEqual(listRecords({ collector: {} }, "collector"), [{ collector: {} }]);
});

test("a shape is looked for among the first twenty records, past errors and other values", () => {
  const isPost = (record: Readonly<Record<string, unknown>>) => "id" in record;
  assert.equal(hasRecord([null, "error", {}, { id: 1 }], isPost), true);
  assert.equal(hasRecord([...Array.from({ length: 20 }, () => ({})), { id: 1 }], isPost), false);
  assert.equal(hasRecord([], isPost), false);
});

test("the time around a record is given to those that do not say their own", () => {
  const times: unknown[] = [];
  const collect = { post: ({ capturedAt }) => void times.push(capturedAt) } as Partial<Collector> as Collector;
  withCaptureTime(collect, 5).post({ id: "1" });
  withCaptureTime(collect, 5).post({ id: "1", capturedAt: 7 });
  withCaptureTime(collect, undefined).post({ id: "1" });
  assert.deepEqual(times, [5, 7, undefined]);
});
