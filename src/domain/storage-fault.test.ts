import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { storageFaultOf } from "./storage-fault.ts";

function errorWith(fields: object): Error {
  return Object.assign(new Error("failed"), fields);
}

test("faults are told from the codes of Node, SQLite and PostgreSQL, wherever they are among the causes", () => {
  for (const [fields, fault] of [
    [{ code: "ENOSPC" }, "full"],
    [{ code: "53100" }, "full"],
    [{ code: "EIO" }, "io"],
    // SQLITE_IOERR_FSYNC, SQLITE_CORRUPT_VTAB, SQLITE_BUSY_SNAPSHOT
    [{ code: "ERR_SQLITE_ERROR", errcode: 10 | (4 << 8) }, "io"],
    [{ code: "ERR_SQLITE_ERROR", errcode: 11 | (1 << 8) }, "damaged"],
    [{ code: "ERR_SQLITE_ERROR", errcode: 5 | (2 << 8) }, "locked"],
    [{ code: "23505" }, null],
    [{}, null],
  ] as const) {
    assert.equal(storageFaultOf(errorWith(fields)), fault);
    assert.equal(storageFaultOf(new Error("outer", { cause: errorWith(fields) })), fault);
  }
  assert.equal(storageFaultOf("ENOSPC"), null);
});

test("a full store of SQLite itself is one", () => {
  const db = new DatabaseSync(":memory:");
  db.exec("PRAGMA max_page_count = 2; CREATE TABLE t (x)");
  assert.throws(
    () => db.exec("INSERT INTO t VALUES (zeroblob(100000))"),
    (error) => storageFaultOf(error) === "full",
  );
  db.close();
});
