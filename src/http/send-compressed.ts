/** Sends a text that is made for one request, in the encoding that the client prefers. */
import { pipeline, Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { compress, COMPRESS_FROM_BYTES, createCompressor } from "./compression.ts";
import { chooseEncoding } from "./negotiation.ts";

export async function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
): Promise<FastifyReply> {
  varyByEncoding(reply);
  const body = Buffer.from(text);
  const encoding = body.length < COMPRESS_FROM_BYTES ? null : chooseEncoding(request.headers["accept-encoding"]);
  if (encoding === null) return reply.send(body);
  const compressed = await compress(body, encoding, "fast");
  return reply.header("content-encoding", encoding).send(compressed);
}

/** Makes each part when the client has read those before it. */
export function streamCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: AsyncIterable<string>,
): FastifyReply {
  varyByEncoding(reply);
  const body = Readable.from(parts, { objectMode: false });
  const encoding = chooseEncoding(request.headers["accept-encoding"]);
  if (encoding === null) return reply.send(body);
  // Whatever ends one of the two early ends the other.
  const compressed = pipeline(body, createCompressor(encoding), () => undefined);
  return reply.header("content-encoding", encoding).send(compressed);
}

/** Also for a 304, which has the header of the whole response. */
export function varyByEncoding(reply: FastifyReply): FastifyReply {
  return reply.header("vary", [reply.getHeader("vary") ?? [], "Accept-Encoding"].flat().join(", "));
}
