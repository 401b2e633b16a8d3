/**
 * COPY … FROM STDIN among other statements of a connection. Rows go right behind the command, without waiting for the
 * server to ask for them: where it refuses the command it drops them. Each part is made while the server takes those
 * before.
 */
import type { Duplex } from "node:stream";
import { type PoolClient, Query, type QueryResult } from "pg";

const COPY_DATA = 0x64;
const COPY_DONE = Buffer.from([0x63, 0, 0, 0, 4]);
const COPY_FAIL = Buffer.from([0x66, 0, 0, 0, 5, 0]);

/** The driver would refuse to copy when it is asked for rows that it does not have: here they are on their way. */
class CopyQuery extends Query {
  handleCopyInResponse(): void {}
}

/** A statement under way. */
export interface Sending<Answer> {
  /** All that belongs to it is on its way: the next one may go. Absent when it went at once. */
  sent?: Promise<void>;
  answer: Promise<Answer>;
}

/** `parts` are lines as COPY reads them. The answer is the number of rows that were kept. */
export function copyFromStdin(client: PoolClient, text: string, parts: Iterable<string>): Sending<number> {
  const { promise: answer, resolve, reject } = Promise.withResolvers<number>();
  const told = (error: Error | undefined, result: Pick<QueryResult, "rowCount">) => {
    if (error == null) resolve(result.rowCount ?? 0);
    else reject(error);
  };
  client.query(new CopyQuery(text, told));
  const sent = send(client.connection.stream, parts);
  // Why rows could not be made says more than the server's word that they did not come.
  sent.catch(reject);
  return { sent, answer };
}

async function send(stream: Duplex, parts: Iterable<string>): Promise<void> {
  try {
    for (const part of parts) {
      // A connection that is lost tells whoever waits for the answer.
      if (!stream.writable) return;
      if (!stream.write(messageOf(part))) await emptied(stream);
    }
    stream.write(COPY_DONE);
  } catch (error) {
    stream.write(COPY_FAIL);
    throw error;
  }
}

function messageOf(part: string): Buffer {
  const length = Buffer.byteLength(part);
  const message = Buffer.allocUnsafe(5 + length);
  message[0] = COPY_DATA;
  message.writeInt32BE(4 + length, 1);
  message.write(part, 5);
  return message;
}

/** The system has taken what was written, or there is nobody to take it. */
function emptied(stream: Duplex): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      stream.off("drain", end).off("close", end);
      resolve();
    };
    stream.on("drain", end).on("close", end);
  });
}
