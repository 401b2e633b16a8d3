import assert from "node:assert/strict";
import { test } from "node:test";
import type { AuditEntry, AuditHead } from "#domain/audit.ts";
import type { AuditTable } from "#store/audit/port.ts";
import { AuditLog } from "./audit-log.ts";

/** A log with as many entries, and what it is stored in. */
async function openLog(count: number) {
  const stored: { entries: AuditEntry[]; head: AuditHead | null } = { entries: [], head: null };
  const table: AuditTable = {
    async append(create) {
      const last = stored.entries.at(-1);
      const { entry, head } = create((last?.number ?? 0) + 1, last?.seal ?? "");
      stored.entries.push(entry);
      stored.head = head;
      return entry;
    },
    list: async (after, limit) => stored.entries.filter(({ number }) => number > after).slice(0, limit),
    listNewest: async (limit) => stored.entries.toReversed().slice(0, limit),
    getHead: async () => stored.head,
  };
  const log = new AuditLog(table, Buffer.from("key"), () => 1);
  for (let at = 0; at < count; at++) await log.record({ actor: "command", action: "export", details: { rows: at } });
  const problems = async () =>
    (await log.verify({ listTokens: async () => [] })).problems.map(({ problem }) => problem);
  return { log, stored, problems };
}

test("gaps are told with their first and last entry", async () => {
  const { stored, problems } = await openLog(5);
  stored.entries = stored.entries.filter(({ number }) => number !== 2);
  assert.deepEqual(await problems(), ["entry 2 is missing"]);
  stored.entries = stored.entries.filter(({ number }) => number !== 3);
  assert.deepEqual(await problems(), ["entries 2 to 3 are missing"]);
  stored.entries = stored.entries.slice(0, 1);
  assert.deepEqual(await problems(), ["entries 2 to 5 are missing"]);
});

test("an entry that was changed is told once, and of many the first twenty", async () => {
  const { stored, problems } = await openLog(25);
  stored.entries = stored.entries.map((entry) => (entry.number === 25 ? { ...entry, seal: "other" } : entry));
  assert.deepEqual(await problems(), ["entry 25 was changed or put in another place"]);
  stored.entries = stored.entries.map((entry) => ({ ...entry, actor: "somebody" }));
  assert.equal((await problems()).length, 20);
});

test("a log whose entries are gone was sealed by nobody else", async () => {
  const { log, stored, problems } = await openLog(1);
  stored.entries = [];
  assert.equal(await log.isSealedHere(), true);
  assert.deepEqual(await problems(), ["entry 1 is missing"]);
});
