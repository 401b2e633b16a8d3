import { promisify } from "node:util";
import { brotliCompress, constants, gzip, zstdCompress } from "node:zlib";
import type { Encoding } from "./negotiation.ts";

/** Smaller bodies fit into the packets they take anyway. */
export const COMPRESS_FROM_BYTES = 1024;

const asyncGzip = promisify(gzip);
const asyncBrotli = promisify(brotliCompress);
const asyncZstd = promisify(zstdCompress);

export function compress(body: Buffer, encoding: Encoding): Promise<Buffer> {
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
