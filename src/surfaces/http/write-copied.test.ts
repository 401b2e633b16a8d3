import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { test } from "node:test";
import { writeCopied } from "./write-copied.ts";

test("what was written is what arrives, whatever becomes of the bytes and however late it is read", async () => {
  const server = createServer({ pauseOnConnect: true }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const arriving = once(server, "connection");
  const writing = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const [reading] = (await arriving) as [Socket];

  const expected: Buffer[] = [];
  const bytes = Buffer.alloc(200_000);
  for (let number = 0; number < 200; number++) {
    // Up to more than is copied into the room that is used again.
    const body = bytes.subarray(0, (number * 7_919) % bytes.length).fill(number);
    const head = `head ${number}\r\n`;
    expected.push(Buffer.concat([Buffer.from(head), body]));
    writeCopied(writing, head, body);
    bytes.fill(255);
  }
  assert.ok(writing.writableLength > 0, "the system has taken all at once: nothing was tried");
  writing.end();
  const arrived: Buffer[] = [];
  reading.on("data", (chunk: Buffer) => arrived.push(chunk)).resume();
  await once(reading, "end");
  reading.end();
  server.close();
  assert.ok(Buffer.concat(arrived).equals(Buffer.concat(expected)));
});
