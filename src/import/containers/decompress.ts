/** gzip, xz, zstd and brotli as streams. Told apart by their first bytes; brotli has none and goes by its name. */
import type { Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflateRaw, createZstdDecompress } from "node:zlib";
import type { Bytes } from "./byte-stream.ts";
import { codeOf, UnreadableError } from "./unreadable-error.ts";
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

export function compressionOf(head: Buffer, name: string): Compression | null {
  for (const [compression, magic] of MAGIC) {
    if (magic.every((byte, at) => head[at] === byte)) return compression;
  }
  return SUFFIXES.brotli.test(name) ? "brotli" : null;
}

/** `posts.json.xz` -> `posts.json`, `all.tgz` -> `all.tar`. */
export function nameWithin(name: string, compression: Compression): string {
  return name.replace(SUFFIXES[compression], (suffix) => (suffix.startsWith(".") ? "" : "tar"));
}

export function decompress(compression: Compression, input: Bytes): AsyncIterable<Buffer> {
  return compression === "xz" ? decodeXz(input) : decode(ENGINES[compression], compression === "zstd", input);
}

type Engine = Transform & { readonly bytesWritten: number };

// A reading side of one chunk: Node drops what it has buffered when a stream fails, and the last whole records before
// the place where a file was cut are in that buffer.
const OPTIONS = { chunkSize: 64 * 1024, readableHighWaterMark: 1 };

const ENGINES: Record<Exclude<Compression, "xz">, () => Engine> = {
  gzip: () => createGunzip(OPTIONS),
  deflate: () => createInflateRaw(OPTIONS),
  zstd: () => createZstdDecompress(OPTIONS),
  brotli: () => createBrotliDecompress(OPTIONS),
};

/** `severalFrames`: Node's zstd stops after the first of several frames, so the next one gets an engine of its own. */
async function* decode(create: () => Engine, severalFrames: boolean, input: Bytes): AsyncGenerator<Buffer> {
  const iterator = input[Symbol.asyncIterator]();
  let left: Buffer | undefined;
  let inputFault: unknown;
  let engine: Engine | undefined;

  async function feed(to: Engine): Promise<void> {
    for (;;) {
      let chunk = left;
      left = undefined;
      if (chunk === undefined) {
        try {
          const next = await iterator.next();
          if (next.done === true) break;
          chunk = next.value;
        } catch (error) {
          inputFault = error;
          break;
        }
      }
      const before = to.bytesWritten;
      await written(to, chunk);
      if (to.destroyed) return;
      const used = to.bytesWritten - before;
      if (used < chunk.length) {
        if (severalFrames) left = chunk.subarray(used);
        return;
      }
    }
    to.end();
  }

  try {
    do {
      engine = create();
      const feeding = feed(engine);
      for await (const output of engine) yield output as Buffer;
      await feeding;
    } while (left !== undefined);
    if (inputFault !== undefined) throw inputFault;
  } catch (error) {
    throw inputFault ?? engineFault(error);
  } finally {
    engine?.destroy();
    await iterator.return?.();
  }
}

/** Resolves when the engine has taken the chunk in, or will take no more. */
function written(engine: Engine, chunk: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      engine.off("close", done);
      resolve();
    };
    engine.once("close", done);
    engine.write(chunk, done);
  });
}

function engineFault(error: unknown): unknown {
  if (error instanceof UnreadableError) return error;
  const code = codeOf(error);
  if (code === undefined) return error;
  if (code === "Z_BUF_ERROR") return new UnreadableError("cut_short", error);
  if (code.includes("window")) return new UnreadableError("too_much_memory", error);
  return new UnreadableError("damaged", error);
}
