import assert from "node:assert/strict";
import { test } from "node:test";
import type { TableReader } from "#store/copy/port.ts";
import { exportSmall } from "./small-export.ts";

test("a table in which nothing matches ends at its time limit, and not at the end of the store", async () => {
  let batches = 0;
  /** Of which no row comes. */
  const row = ["shortvideo", "account", "m1", 1, "{}"];
  const reader: TableReader = {
    async *read() {
      for (; batches < 1_000; batches++) yield [row as never];
    },
    getAccountRows: async () => new Map(),
    getAccountIds: async () => new Map(),
    resolveQuery: () => Promise.reject(new Error("there is no query")),
  };
  const recorded: number[] = [];
  const access = {
    store: { tables: { snapshot: <Result>(work: (from: TableReader) => Promise<Result>) => work(reader) } },
    withoutExpired: async (from: TableReader) => from,
    authorNameOf: () => null,
    recordExport: async (_actor: string, _chosen: object, rows: number) => void recorded.push(rows),
  };
  const request = { kind: "counters", platforms: ["shortvideo"], where: null, maxLength: 10_000 };
  const { rows, isComplete } = await exportSmall(access, "test", request, -1);
  assert.deepEqual([rows, isComplete, recorded], [0, false, [0]]);
  assert.ok(batches < 2, `${batches} batches were read`);
});
