/** Answers are compressed as the caller prefers, once they are large enough to gain by it. */
import { promisify } from "node:util";
import { brotliCompress, constants, gzip, zstdCompress } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import { chooseEncoding, type Encoding } from "./negotiation.ts";

/** Smaller bodies fit into the packets they take anyway. */
export const COMPRESS_FROM_BYTES = 1024;

const asyncGzip = promisify(gzip);
const asyncBrotli = promisify(brotliCompress);
const asyncZstd = promisify(zstdCompress);

function compress(body: Buffer, encoding: Encoding): Promise<Buffer> {
  switch (encoding) {
    case "zstd":
      return asyncZstd(body);
    case "br":
      // Quality 4 is where brotli beats gzip in both size and time; its default of 11 is for files made once.
      return asyncBrotli(body, {
        params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
      });
    case "gzip":
      return asyncGzip(body);
  }
}

export interface Compressed {
  encoding: Encoding;
  bytes: Buffer;
}

/** Null where the text goes as it is. */
export async function compressed(text: string, acceptEncoding: string | undefined): Promise<Compressed | null> {
  const encoding = Buffer.byteLength(text) < COMPRESS_FROM_BYTES ? null : chooseEncoding(acceptEncoding);
  return encoding === null ? null : { encoding, bytes: await compress(Buffer.from(text), encoding) };
}

export async function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
): Promise<FastifyReply> {
  const made = await compressed(text, request.headers["accept-encoding"]);
  return made === null ? reply.send(text) : reply.header("content-encoding", made.encoding).send(made.bytes);
}
