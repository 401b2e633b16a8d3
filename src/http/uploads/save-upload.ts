/** Saves uploaded files, with limits. File names are kept, since formats take facts from them, but never used as paths. */
import { createWriteStream } from "node:fs";
import { basename, join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy } from "@fastify/busboy";
import type { FastifyRequest } from "fastify";
import { storageFaultOf } from "#domain/storage-fault.ts";
import { ApiError } from "#errors";

const MAX_FILES = 100;

/** Readable by the owner only, and on the disk once it is closed: an upload that was acknowledged survives a power cut. */
const NEW_FILE = { flags: "wx", mode: 0o600, flush: true };

export async function saveBody(request: FastifyRequest, folder: string, name: string, maxBytes: number): Promise<void> {
  // Without a body and its type there is no stream.
  const body = (request.body as Readable | undefined) ?? Readable.from([]);
  await pipeline(body, createSizeLimit(maxBytes), createWriteStream(join(folder, name), NEW_FILE));
}

/** Returns the names of the files of a multipart form. */
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
    const write = pipeline(stream, createWriteStream(join(folder, name), NEW_FILE));
    write.catch((error: Error) => parser.destroy(error));
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
    // An interrupted file would wait for bytes that never come.
    for (const file of files) file.destroy();
    await Promise.allSettled(writes);
    throw error instanceof ApiError || storageFaultOf(error) !== null
      ? error
      : new ApiError("invalid_body", "the request body is not well-formed multipart form data", { cause: error });
  }
  if (tooMany) throw new ApiError("invalid_body", `the request body has more than ${MAX_FILES} files`);
  if (names.length === 0) throw new ApiError("invalid_body", "the request body has no file");
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

// oxlint-disable-next-line no-control-regex -- control characters are what is removed
const UNSAFE_IN_NAMES = /[\u0000-\u001f<>:"|?*]/g;

const MAX_NAME_BYTES = 200;

/** The base name without characters that are special in file systems; numbered if it exists. */
function safeName(filename: string, taken: readonly string[]): string {
  const plain = basename(filename.replaceAll("\\", "/")).replaceAll(UNSAFE_IN_NAMES, "_").replace(/^\.+/, "");
  const name = lastBytes(plain, MAX_NAME_BYTES) || "upload";
  let free = name;
  for (let number = 1; taken.includes(free); number++) free = `${number}-${name}`;
  return free;
}

/** Keeps the end of the name, which identifies the format. */
function lastBytes(text: string, limit: number): string {
  const bytes = Buffer.from(text);
  return bytes.length <= limit
    ? text
    : bytes
        .subarray(bytes.length - limit)
        .toString("utf8")
        .replace(/^\ufffd+/, "");
}
