/** Decompresses gzip, xz, zstd and brotli streams. Brotli has no magic bytes and is recognised by its suffix. */
import type { Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflateRaw, createZstdDecompress } from "node:zlib";
import { errorCode } from "#domain/error-code.ts";
import type { ByteStream } from "./byte-stream.ts";
import { UnreadableError } from "./unreadable-error.ts";
import { decodeXz } from "./xz.ts";

export type Compression = "gzip" | "xz" | "zstd" | "brotli" | "deflate";

const MAGIC: [Compression, number[]][] = [
  ["gzip", [0x1f, 0x8b]],
  ["xz", [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
  ["zstd", [0x28, 0xb5, 0x2f, 0xfd]],
];

const SUFFIXES: Record<Compression, RegExp> = {
  gzip: /\.(?:gz|gzip)$|(?<=\.)tgz$/i,
  xz: /\.xz$|(?<=\.)txz$/i,
  zstd: /\.(?:zst|zstd)$|(?<=\.)tzst$/i,
  brotli: /\.br$/i,
  deflate: /(?!)/,
};

export function detectCompression(head: Buffer, name: string): Compression | null {
  for (const [compression, magic] of MAGIC) {
    if (magic.every((byte, offset) => head[offset] === byte)) return compression;
  }
  return SUFFIXES.brotli.test(name) ? "brotli" : null;
}

/** `posts.json.xz` -> `posts.json`, `all.tgz` -> `all.tar`. */
export function stripCompressionSuffix(name: string, compression: Compression): string {
  return name.replace(SUFFIXES[compression], (suffix) => (suffix.startsWith(".") ? "" : "tar"));
}

export function decompress(compression: Compression, input: ByteStream): AsyncIterable<Buffer> {
  return compression === "xz" ? decodeXz(input) : decode(DECOMPRESSORS[compression], compression === "zstd", input);
}

type Decompressor = Transform & { readonly bytesWritten: number };

// A readable buffer of one chunk: when a stream fails Node drops what is buffered, which would lose the last complete
// records of a truncated file.
const OPTIONS = { chunkSize: 64 * 1024, readableHighWaterMark: 1 };

const DECOMPRESSORS: Record<Exclude<Compression, "xz">, () => Decompressor> = {
  gzip: () => createGunzip(OPTIONS),
  deflate: () => createInflateRaw(OPTIONS),
  zstd: () => createZstdDecompress(OPTIONS),
  brotli: () => createBrotliDecompress(OPTIONS),
};

/** `hasFrames`: Node's zstd stops after the first frame, so every frame gets a new decompressor. */
async function* decode(create: () => Decompressor, hasFrames: boolean, input: ByteStream): AsyncGenerator<Buffer> {
  const iterator = input[Symbol.asyncIterator]();
  let unread: Buffer | undefined;
  let inputError: unknown;
  let decompressor: Decompressor | undefined;

  async function feed(to: Decompressor): Promise<void> {
    for (;;) {
      let chunk = unread;
      unread = undefined;
      if (chunk === undefined) {
        try {
          const next = await iterator.next();
          if (next.done === true) break;
          chunk = next.value;
        } catch (error) {
          inputError = error;
          break;
        }
      }
      const before = to.bytesWritten;
      await writeChunk(to, chunk);
      if (to.destroyed) return;
      const used = to.bytesWritten - before;
      if (used < chunk.length) {
        if (hasFrames) unread = chunk.subarray(used);
        return;
      }
    }
    to.end();
  }

  try {
    do {
      decompressor = create();
      const feeding = feed(decompressor);
      yield* decompressor;
      await feeding;
    } while (unread !== undefined);
    if (inputError !== undefined) throw inputError;
  } catch (error) {
    throw inputError ?? toZlibError(error);
  } finally {
    decompressor?.destroy();
    await iterator.return?.();
  }
}

/** Resolves when the chunk is consumed, or the stream is closed. */
function writeChunk(decompressor: Decompressor, chunk: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      decompressor.off("close", done);
      resolve();
    };
    decompressor.once("close", done);
    decompressor.write(chunk, done);
  });
}

function toZlibError(error: unknown): unknown {
  if (error instanceof UnreadableError) return error;
  const code = errorCode(error);
  if (code === undefined) return error;
  if (code === "Z_BUF_ERROR") return new UnreadableError("cut_short", error);
  if (code.includes("window")) return new UnreadableError("too_much_memory", error);
  return new UnreadableError("damaged", error);
}
