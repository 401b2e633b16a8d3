import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { test } from "node:test";
import { type Channel, RpcChannel } from "./ipc-rpc.ts";

type Theirs = {
  double: { asks: number; gets: number };
  fail: { asks: null; gets: null };
  wait: { asks: null; gets: null };
};

/** An end of a channel that carries JSON, as Node's does. */
class End extends EventEmitter implements Channel {
  other: End | null = null;

  send(message: object, _handle: undefined, _options: undefined, sent: (error: Error | null) => void): boolean {
    const text = JSON.stringify(message);
    queueMicrotask(() => {
      this.other?.emit("message", JSON.parse(text));
      sent(this.other === null ? new Error("closed") : null);
    });
    return true;
  }
}

function linked(): { link: RpcChannel<Theirs>; near: End } {
  const [near, far] = [new End(), new End()];
  [near.other, far.other] = [far, near];
  // Listens for as long as its channel does.
  void new RpcChannel(far, {
    double: (asked: number) => asked * 2,
    fail: async () => {
      throw Object.assign(new Error("taken"), { code: "EADDRINUSE", port: 80 });
    },
    wait: () => new Promise(() => undefined),
  });
  return { link: new RpcChannel<Theirs>(near, {}), near };
}

test("calls at the same time get each its own answer", async () => {
  const { link } = linked();
  const answers = await Promise.all([1, 2, 3].map((asked) => link.call("double", asked)));
  assert.deepEqual(answers, [2, 4, 6]);
});

test("an error comes over with what it is told apart by", async () => {
  await assert.rejects(linked().link.call("fail", null), { message: "taken", code: "EADDRINUSE", port: 80 });
});

test("when the other process is gone, open calls fail and later ones do at once", async () => {
  const { link, near } = linked();
  const open = link.call("wait", null);
  near.emit("disconnect");
  await assert.rejects(open, /gone/);
  await assert.rejects(link.call("double", 1), /gone/);
});

test("what cannot be sent fails", async () => {
  const { link, near } = linked();
  near.other = null;
  await assert.rejects(link.call("double", 1), { message: "closed" });
});
