/** Writes uploaded bytes to disk under limits. Names are kept for their facts, never as paths. */
import { createWriteStream } from "node:fs";
import { basename, join } from "node:path";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy } from "@fastify/busboy";
import type { FastifyRequest } from "fastify";
import { ApiError } from "#errors";

const MAX_FILES = 100;

export async function saveBody(request: FastifyRequest, folder: string, name: string, maxBytes: number): Promise<void> {
  await pipeline(
    request.body as Readable,
    createSizeLimit(maxBytes),
    createWriteStream(join(folder, name), { flags: "wx" }),
  );
}

/** The names of the files that a multipart form held. */
export async function saveForm(request: FastifyRequest, folder: string, maxBytes: number): Promise<string[]> {
  const contentType = request.headers["content-type"] ?? "";
  if (!/^multipart\/form-data\b/i.test(contentType)) {
    throw new ApiError("unsupported_media_type", "files are uploaded as multipart/form-data");
  }
  const names: string[] = [];
  const files: Readable[] = [];
  const writes: Promise<void>[] = [];
  const parser = createParser(contentType);
  parser.on("file", (_field, stream, filename) => {
    const name = safeName(filename, names);
    names.push(name);
    files.push(stream);
    const write = pipeline(stream, createWriteStream(join(folder, name), { flags: "wx" }));
    write.catch(() => parser.destroy());
    writes.push(write);
  });
  let tooMany = false;
  parser.on("filesLimit", () => {
    tooMany = true;
  });
  try {
    await pipeline(request.body as Readable, createSizeLimit(maxBytes), parser);
    await Promise.all(writes);
  } catch (error) {
    // A file that is cut off waits for bytes that will not come: its writing is ended with it.
    for (const file of files) file.destroy();
    await Promise.allSettled(writes);
    throw error instanceof ApiError
      ? error
      : new ApiError("invalid_body", "the request body is not well-formed multipart form data", { cause: error });
  }
  if (tooMany) throw new ApiError("invalid_body", `the request body holds more than ${MAX_FILES} files`);
  if (names.length === 0) throw new ApiError("invalid_body", "the request body holds no file");
  return names;
}

function createParser(contentType: string): InstanceType<typeof Busboy> {
  try {
    return new Busboy({ headers: { "content-type": contentType }, limits: { files: MAX_FILES, fields: 20 } });
  } catch (error) {
    throw new ApiError("invalid_body", "the request body is not well-formed multipart form data", { cause: error });
  }
}

function createSizeLimit(maxBytes: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (bytes > maxBytes) done(new ApiError("body_too_large", `an upload may have at most ${maxBytes} bytes`));
      else done(null, chunk);
    },
  });
}

// oxlint-disable-next-line no-control-regex -- control characters are what is taken out
const UNSAFE_IN_NAMES = /[\u0000-\u001f<>:"|?*]/g;

const MAX_NAME_BYTES = 200;

/** The last part of the name, without what a file system could take for more than a name; numbered if it is taken. */
function safeName(filename: string, taken: readonly string[]): string {
  const plain = basename(filename.replaceAll("\\", "/")).replaceAll(UNSAFE_IN_NAMES, "_").replace(/^\.+/, "");
  const name = lastBytes(plain, MAX_NAME_BYTES) || "upload";
  let free = name;
  for (let number = 1; taken.includes(free); number++) free = `${number}-${name}`;
  return free;
}

/** The end of a name is what tells its format. */
function lastBytes(text: string, limit: number): string {
  const bytes = Buffer.from(text);
  return bytes.length <= limit
    ? text
    : bytes
        .subarray(bytes.length - limit)
        .toString("utf8")
        .replace(/^\ufffd+/, "");
}
