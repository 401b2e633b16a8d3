import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { describeBug, isFaultOfInput, storageFaultOf } from "./storage-fault.ts";

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

test("errors of Node about values and memory are no fault of the disk, the database or the network", () => {
  for (const [fields, expected] of [
    [{}, true],
    [{ code: "ERR_WORKER_OUT_OF_MEMORY" }, true],
    [{ code: "ERR_INVALID_ARG_TYPE" }, true],
    [{ code: "ERR_STRING_TOO_LONG" }, true],
    // SQLITE_TOOBIG, SQLITE_CONSTRAINT_UNIQUE, SQLITE_FULL
    [{ code: "ERR_SQLITE_ERROR", errcode: 18 }, true],
    [{ code: "ERR_SQLITE_ERROR", errcode: 19 | (8 << 8) }, true],
    [{ code: "ERR_SQLITE_ERROR", errcode: 13 }, false],
    [{ code: "22021" }, true],
    [{ code: "57P01" }, false],
    [{ code: "ECONNRESET" }, false],
    [{ code: "ERR_SOCKET_CLOSED" }, false],
    [{ code: "ERR_STREAM_PREMATURE_CLOSE" }, false],
    [{ code: "ERR_TLS_CERT_ALTNAME_INVALID" }, false],
    [{ code: "service_unavailable" }, false],
    [{ name: "StoreOpenError" }, false],
  ] as const) {
    assert.equal(isFaultOfInput(errorWith(fields)), expected, JSON.stringify(fields));
    assert.equal(isFaultOfInput(new Error("outer", { cause: errorWith(fields) })), expected, JSON.stringify(fields));
  }
  assert.throws(() => structuredClone(() => 1), isFaultOfInput);
});

test("a bug is described by its kind and place, not by its message, which may quote a person", () => {
  const describes = (error: unknown) => /^SyntaxError at storage-fault\.test\.ts:\d+:\d+$/.test(describeBug(error));
  assert.throws(() => JSON.parse("nora"), describes);
  assert.equal(describeBug("nora"), "string");
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
