/** Compresses response bodies. */
import type { Transform } from "node:stream";
import { promisify } from "node:util";
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  zstdCompress,
} from "node:zlib";
import { perfCounters } from "#domain/perf-counters.ts";
import type { Encoding } from "./negotiation.ts";

/** Smaller bodies fit into one packet anyway. */
export const COMPRESS_FROM_BYTES = 1024;

const asyncGzip = promisify(gzip);
const asyncBrotli = promisify(brotliCompress);
const asyncZstd = promisify(zstdCompress);

/** `fast` for the body of a response, `thorough` for static documents that are compressed once. */
type Effort = "fast" | "thorough";

const LEVELS: Record<Effort, Record<Encoding, number>> = {
  // From quality 4 on, brotli beats gzip in both size and time.
  fast: { zstd: 3, br: 4, gzip: 6 },
  // 4 MB in less than half a second each; the highest levels take 3 to 8 s to save another tenth.
  thorough: { zstd: 12, br: 7, gzip: 9 },
};

/** Runs in the thread pool. */
export function compress(body: Buffer, encoding: Encoding, effort: Effort): Promise<Buffer> {
  perfCounters.bodiesCompressed++;
  const level = LEVELS[effort][encoding];
  switch (encoding) {
    case "zstd":
      return asyncZstd(body, { params: { [constants.ZSTD_c_compressionLevel]: level } });
    case "br":
      return asyncBrotli(body, {
        params: { [constants.BROTLI_PARAM_QUALITY]: level, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
      });
    case "gzip":
      return asyncGzip(body, { level });
  }
}

/** As `fast`, for a body that is made while it is sent. */
export function createCompressor(encoding: Encoding): Transform {
  perfCounters.bodiesCompressed++;
  const level = LEVELS.fast[encoding];
  switch (encoding) {
    case "zstd":
      return createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: level } });
    case "br":
      return createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: level } });
    case "gzip":
      return createGzip({ level });
  }
}
