import assert from "node:assert/strict";
import { test } from "node:test";
import { checkFromParser, checkFromStoreThread, checkToParser, checkToStoreThread } from "./thread-messages.ts";

test("a known message is passed on as it is", () => {
  const activity = new SharedArrayBuffer(16);
  for (const [check, message] of [
    [checkToParser, { kind: "read", request: {}, prerender: true, activity }],
    [checkToParser, { kind: "next", lostClaims: [] }],
    [checkToParser, { kind: "claimResponse", response: "busy" }],
    [checkToParser, { kind: "claimResponse", response: { claimId: 1, name: "a", previous: [] } }],
    [checkFromParser, { kind: "step", step: null }],
    [checkFromParser, { kind: "step", step: { kind: "fileDone", claimId: 1 } }],
    [checkFromParser, { kind: "claimRequest", request: { name: "a", fingerprint: null } }],
    [checkToStoreThread, { kind: "import", id: 1, request: {} }],
    [checkToStoreThread, { kind: "call", id: 1, port: "tokens", method: "writeToken", args: [] }],
    [checkFromStoreThread, { kind: "waiting", id: 1, files: [] }],
    [checkFromStoreThread, { kind: "result", id: 1, result: undefined }],
  ] as const) {
    assert.equal(check(message), message);
  }
});

test("an unknown or incomplete message is an error that names the receiver and the kind", () => {
  for (const [check, message, kind] of [
    [checkToParser, { kind: "stop" }, "stop"],
    [checkToParser, { kind: "next" }, "next"],
    [checkToParser, { kind: "claimResponse", response: { name: "a" } }, "claimResponse"],
    [checkFromParser, { kind: "step", step: { kind: "page" } }, "step"],
    [checkFromParser, { step: null }, "undefined"],
    [checkToStoreThread, null, "object"],
    [checkToStoreThread, { kind: "call", id: 1, port: "toString", method: "call", args: [] }, "call"],
    [checkFromStoreThread, "done", "string"],
    [checkFromStoreThread, { kind: "toString" }, "toString"],
  ] as const) {
    assert.throws(() => check(message), {
      message: new RegExp(`^the (?:owner of the )?(?:parser|store) thread received .* "${kind}"$`),
    });
  }
});
