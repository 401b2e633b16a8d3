import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import { Type } from "#api/schema.ts";
import { type Channel, type MethodTable, RpcChannel } from "./rpc-channel.ts";

const METHODS = {
  double: { params: Type.Number(), result: Type.Number() },
  fail: { params: Type.Null(), result: Type.Null() },
  hang: { params: Type.Null(), result: Type.Null() },
  forget: { params: Type.Null(), result: Type.Number() },
  note: { params: Type.String() },
} satisfies MethodTable;

/** One end of a channel that carries JSON, as that of a process does. */
class ChannelEnd extends EventEmitter implements Channel {
  other: ChannelEnd | null = null;

  send(message: object, onFailure: (error: Error) => void): void {
    const text = JSON.stringify(message);
    queueMicrotask(() => {
      this.other?.emit("message", JSON.parse(text));
      if (this.other === null) onFailure(new Error("closed"));
    });
  }

  onMessage(listener: (message: unknown) => void): void {
    this.on("message", listener);
  }

  onClose(listener: () => void): void {
    this.once("disconnect", listener);
  }
}

function connect() {
  const [near, far] = [new ChannelEnd(), new ChannelEnd()];
  [near.other, far.other] = [far, near];
  const notes: string[] = [];
  const errors: string[] = [];
  const onError = (error: Error) => void errors.push(error.message);
  // Listens for as long as its channel does.
  void new RpcChannel(far, {
    remote: {},
    local: METHODS,
    handlers: {
      double: (number) => number * 2,
      fail: async () => {
        throw Object.assign(new Error("taken"), { code: "EADDRINUSE", port: 80 });
      },
      hang: () => new Promise<null>(() => undefined),
      forget: () => undefined as never,
      note(text) {
        if (text === "bad") throw new Error("a bad note");
        notes.push(text);
      },
    },
    onError,
  });
  const rpc = new RpcChannel(near, { remote: METHODS, local: {}, handlers: {}, onError });
  return { rpc, near, far, notes, errors };
}

const nextTick = () => new Promise((resolve) => setImmediate(resolve));

test("concurrent calls each get their own result", async () => {
  const { rpc } = connect();
  assert.deepEqual(await Promise.all([1, 2, 3].map((number) => rpc.call("double", number))), [2, 4, 6]);
});

test("an error arrives with its properties and is not logged as a protocol error", async () => {
  const { rpc, errors } = connect();
  await assert.rejects(rpc.call("fail", null), { message: "taken", code: "EADDRINUSE", port: 80 });
  assert.deepEqual(errors, []);
});

test("when the other process exits, pending calls fail and later ones fail immediately", async () => {
  const { rpc, near } = connect();
  const pending = rpc.call("hang", null);
  near.emit("disconnect");
  await assert.rejects(pending, /exited/);
  await assert.rejects(rpc.call("double", 1), /exited/);
});

test("a call whose message cannot be sent fails", async () => {
  const { rpc, near } = connect();
  near.other = null;
  await assert.rejects(rpc.call("double", 1), { message: "closed" });
});

test("a notification gets no response; an error of its handler is logged", async () => {
  const { rpc, notes, errors } = connect();
  rpc.notify("note", "hello");
  rpc.notify("note", "bad");
  await nextTick();
  assert.deepEqual(notes, ["hello"]);
  assert.deepEqual(errors, ["a bad note"]);
});

test("a handler without a result is an error on both sides, never null", async () => {
  const { rpc, errors } = connect();
  await assert.rejects(rpc.call("forget", null), { message: "RPC method forget has no valid result" });
  assert.deepEqual(errors, ["RPC method forget has no valid result"]);
});

test("unknown methods, malformed parameters and malformed messages are refused and logged", async () => {
  const { near, far, errors } = connect();
  const responses: unknown[] = [];
  near.on("message", (message) => responses.push(message));
  for (const message of [
    { id: 1, method: "toString", params: null },
    { id: 2, method: "double", params: "2" },
    { method: "note" },
    { id: 3 },
    "text",
    null,
  ])
    far.emit("message", message);
  await nextTick();
  assert.deepEqual(
    responses.map((response) => (response as { error: { message: string } }).error.message),
    ['unknown RPC method "toString"', "malformed parameters of RPC method double"],
  );
  assert.deepEqual(
    errors.filter((message) => !message.includes("matches no pending call")).toSorted(),
    [
      "malformed parameters of RPC method double",
      'malformed RPC message: "text"',
      "malformed RPC message: null",
      'malformed RPC message: {"id":3}',
      'malformed RPC message: {"method":"note"}',
      'unknown RPC method "toString"',
    ].toSorted(),
  );
});

test("a malformed result fails the call; a response to no call is logged", async () => {
  const { rpc, near, errors } = connect();
  const pending = rpc.call("hang", null);
  near.emit("message", { id: 1, result: 7 });
  await assert.rejects(pending, { message: "RPC method hang returned a malformed result" });
  near.emit("message", { id: 1, result: null });
  assert.deepEqual(errors, ["RPC response 1 matches no pending call"]);
});
