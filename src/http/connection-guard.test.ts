import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { createServer } from "node:http";
import type { Socket } from "node:net";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { ConnectionGuard } from "./connection-guard.ts";

/** A loopback interface has one address of IPv6, so these sockets only have theirs. */
function connectFrom(remoteAddress: string): Socket {
  return Object.assign(new EventEmitter(), {
    remoteAddress,
    destroy: () => undefined,
    destroySoon: () => undefined,
  }) as unknown as Socket;
}

test("all addresses of a /64 network of IPv6 count as one address", (t) => {
  const closed: string[] = [];
  const server = createServer();
  const limits = {
    maxConnections: 100,
    maxPerAddress: 3,
    isTrustedProxy: () => false,
    slowClientMs: 1_000,
    idleMs: 1_000,
  };
  const guard = new ConnectionGuard(server, limits, (reason) => closed.push(reason));
  t.after(() => guard.stop());
  const sockets = [1, 2, 3, 4].map((host) => connectFrom(`2001:db8:1:1::${host}`));
  for (const socket of sockets) server.emit("connection", socket);
  assert.deepEqual(closed, ["address_full"]);
  // Another network, and addresses of IPv4, which also come in the form of IPv6.
  for (const address of ["2001:db8:1:2::1", "192.0.2.1", "::ffff:192.0.2.2", "::ffff:192.0.2.3"])
    for (let count = 0; count < 3; count++) server.emit("connection", connectFrom(address));
  assert.equal(closed.length, 1);
  // One that closes makes room.
  sockets[0]?.emit("close");
  server.emit("connection", connectFrom("2001:db8:1:1::5"));
  assert.equal(closed.length, 1);
});

/** A socket of which the system takes so many bytes each 100 ms. */
function readerOf(bytesPer100Ms: number) {
  const handle = { bytesWritten: 100_000_000, writeQueueSize: 100_000_000 };
  const timer = setInterval(() => (handle.writeQueueSize -= bytesPer100Ms), 100).unref();
  const socket = Object.assign(connectFrom("192.0.2.1"), {
    _handle: handle,
    writableLength: 100_000_000,
    bytesRead: 0,
    resetAndDestroy() {
      clearInterval(timer);
      socket.emit("close");
    },
  });
  return socket;
}

test("a reader that takes a little again and again is cut off, one with a slow link is not", async (t) => {
  const closed: string[] = [];
  const server = createServer();
  const limits = {
    maxConnections: 9,
    maxPerAddress: 9,
    isTrustedProxy: () => false,
    slowClientMs: 2_000,
    idleMs: 2_000,
  };
  const guard = new ConnectionGuard(server, limits, (reason) => closed.push(reason));
  t.after(() => guard.stop());
  // 0.5 and 8 KB per second.
  const [trickle, slow] = [readerOf(50), readerOf(800)];
  t.after(() => slow.resetAndDestroy());
  const opened = performance.now();
  const trickleClosed = once(trickle, "close");
  let isSlowOpen = true;
  slow.once("close", () => (isSlowOpen = false));
  for (const socket of [trickle, slow]) server.emit("connection", socket);
  // A guard without a least rate never closes it, and no event of the test would keep the process alive.
  await Promise.race([trickleClosed, pause(15_000)]);
  assert.deepEqual([closed, isSlowOpen], [["slow_reader"], true]);
  await pause(Math.max(0, opened + 6_000 - performance.now()));
  assert.ok(isSlowOpen);
});
