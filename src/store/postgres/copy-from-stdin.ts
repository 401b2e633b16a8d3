/**
 * COPY … FROM STDIN, pipelined with other statements: rows follow the command without waiting for the server's
 * CopyInResponse; if the server rejects the command, it discards them.
 */
import type { Duplex } from "node:stream";
import { type PoolClient, Query, type QueryResult } from "pg";

const COPY_DATA = 0x64;
const COPY_DONE = Buffer.from([0x63, 0, 0, 0, 4]);
const COPY_FAIL = Buffer.from([0x66, 0, 0, 0, 5, 0]);

/** The driver's own handler would fail the COPY for lack of rows. */
class CopyQuery extends Query {
  handleCopyInResponse(): void {}
}

/** A statement in progress. */
export interface Sending<Result> {
  /** Resolves when the next statement may be sent; absent if it may be sent immediately. */
  sent?: Promise<void>;
  result: Promise<Result>;
}

/** `chunks` are lines in COPY's text format. The result is the row count. */
export function copyFromStdin(client: PoolClient, text: string, chunks: Iterable<string>): Sending<number> {
  const { promise: result, resolve, reject } = Promise.withResolvers<number>();
  const onResult = (error: Error | undefined, copied: Pick<QueryResult, "rowCount">) => {
    if (error == null) resolve(copied.rowCount ?? 0);
    else reject(error);
  };
  client.query(new CopyQuery(text, onResult));
  const sent = send(client.connection.stream, chunks);
  // Why rows could not be produced says more than the server's error that they did not come.
  sent.catch(reject);
  return { sent, result };
}

async function send(stream: Duplex, chunks: Iterable<string>): Promise<void> {
  try {
    for (const chunk of chunks) {
      // A lost connection is reported through the result.
      if (!stream.writable) return;
      if (!stream.write(encodeChunk(chunk))) await drained(stream);
    }
    stream.write(COPY_DONE);
  } catch (error) {
    stream.write(COPY_FAIL);
    throw error;
  }
}

function encodeChunk(chunk: string): Buffer {
  const length = Buffer.byteLength(chunk);
  const message = Buffer.allocUnsafe(5 + length);
  message[0] = COPY_DATA;
  message.writeInt32BE(4 + length, 1);
  message.write(chunk, 5);
  return message;
}

/** Resolves when the stream takes more data, or is closed. */
function drained(stream: Duplex): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      stream.off("drain", end).off("close", end);
      resolve();
    };
    stream.on("drain", end).on("close", end);
  });
}
