/**
 * Saves uploaded files, with limits. The names of files and of the folders around them are kept, since formats take facts
 * from them, but cleaned: none leads out of the upload's directory.
 */
import { createHash } from "node:crypto";
import { createWriteStream, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy } from "@fastify/busboy";
import type { FastifyRequest } from "fastify";
import { storageFaultOf } from "#domain/storage-fault.ts";
import { ApiError } from "#errors";

const MAX_FILES = 100;

/** Readable by the owner only, and on the disk once it is closed: an upload that was acknowledged survives a power cut. */
const NEW_FILE = { flags: "wx", mode: 0o600, flush: true };

/** Returns the digest of its bytes. */
export async function saveBody(
  request: FastifyRequest,
  folder: string,
  name: string,
  maxBytes: number,
): Promise<string> {
  // Without a body and its type there is no stream.
  const body = request.body instanceof Readable ? request.body : Readable.from([]);
  return writeFile([body, createSizeLimit(maxBytes)], join(folder, name));
}

export interface SavedFile {
  /** With its folders. */
  name: string;
  digest: string;
}

/** Returns the files of a multipart form. */
export async function saveForm(request: FastifyRequest, folder: string, maxBytes: number): Promise<SavedFile[]> {
  const contentType = request.headers["content-type"] ?? "";
  if (!/^multipart\/form-data\b/i.test(contentType)) {
    throw new ApiError("unsupported_media_type", "files are uploaded as multipart/form-data");
  }
  const names: string[] = [];
  const files: Readable[] = [];
  const writes: Promise<string>[] = [];
  const parser = createParser(contentType);
  parser.on("file", (_field, stream, filename) => {
    const name = freePath(filename, names);
    names.push(name);
    files.push(stream);
    const write = saveFile(stream, join(folder, name));
    write.catch((error: Error) => parser.destroy(error));
    writes.push(write);
  });
  let tooMany = false;
  let digests: string[] = [];
  parser.on("filesLimit", () => {
    tooMany = true;
  });
  try {
    if (!(request.body instanceof Readable)) throw new Error("the request has no body");
    await pipeline(request.body, createSizeLimit(maxBytes), parser);
    digests = await Promise.all(writes);
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
  return names.map((name, at) => ({ name, digest: digests[at] ?? "" }));
}

function saveFile(stream: Readable, path: string): Promise<string> {
  // Before anything else can happen to the stream.
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  return writeFile([stream], path);
}

/** Returns the digest of what was written. */
async function writeFile(streams: [Readable, ...Transform[]], path: string): Promise<string> {
  const hash = createHash("sha256");
  const hashing = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  await pipeline([...streams, hashing, createWriteStream(path, NEW_FILE)]);
  return hash.digest("hex");
}

function createParser(contentType: string): InstanceType<typeof Busboy> {
  try {
    const limits = { files: MAX_FILES, fields: 20 };
    return new Busboy({ headers: { "content-type": contentType }, limits, preservePath: true });
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
/** Those around the file; facts are in the nearest. */
const MAX_FOLDERS = 5;

/** The cleaned path below the upload's directory; its name is numbered if it, or a folder of that name, exists. */
function freePath(filename: string, taken: readonly string[]): string {
  const [last = "", ...folders] = filename.replaceAll("\\", "/").split("/").toReversed();
  const name = safeName(last) || "upload";
  const folder = folders
    // The wide colon, which tools write where a file system has no other.
    .map((segment) => safeName(segment.replaceAll(":", "：")))
    .filter((segment) => segment !== "")
    .slice(0, MAX_FOLDERS)
    .toReversed()
    .map((segment) => `${segment}/`)
    .join("");
  const isTaken = (path: string) => taken.some((other) => `${other}/`.startsWith(`${path}/`));
  // A file where the folder would be.
  const around = taken.some((other) => folder.startsWith(`${other}/`)) ? "" : folder;
  let free = around + name;
  for (let number = 1; isTaken(free); number++) free = `${around}${number}-${name}`;
  return free;
}

/** Without characters that are special in file systems; empty if nothing else is in it. */
function safeName(name: string): string {
  return lastBytes(name.replaceAll(UNSAFE_IN_NAMES, "_").replace(/^\.+/, ""), MAX_NAME_BYTES);
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
