/** Head and bytes of an answer in one write: two would be two packets, or cost more than copying. */
import type { Socket } from "node:net";

const ROOM_BYTES = 128 * 1024;

/** Used again and again: most writes are done when they return. */
let room = Buffer.allocUnsafeSlow(ROOM_BYTES);

/** The head is of one byte a character. When it returns, the bytes may change. */
export function writeCopied(socket: Socket, head: string, bytes: Buffer): void {
  const length = head.length + bytes.length;
  const target = length <= ROOM_BYTES ? room : Buffer.allocUnsafeSlow(length);
  target.write(head, "latin1");
  bytes.copy(target, head.length);
  socket.write(target.subarray(0, length));
  // What the system has not taken yet is left to the socket.
  if (target === room && socket.writableLength > 0) room = Buffer.allocUnsafeSlow(ROOM_BYTES);
}
