import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { createServer } from "node:http";
import type { Socket } from "node:net";
import { test } from "node:test";
import { ConnectionGuard } from "./connection-guard.ts";

/** A loopback interface has one address of IPv6, so these sockets only have theirs. */
function connectFrom(remoteAddress: string): Socket {
  return Object.assign(new EventEmitter(), { remoteAddress, destroy: () => undefined }) as unknown as Socket;
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
