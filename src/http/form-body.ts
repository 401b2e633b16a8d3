/** Parses the parameters of a POST body: multipart, URL-encoded or JSON. Rejects files. */
import { Busboy } from "@fastify/busboy";
import { isFields } from "#domain/fields.ts";
import { ApiError } from "#errors";
import type { RawInput } from "#api/input.ts";
import { findRepeatedKey } from "./repeated-key.ts";

/** Of a multipart body. */
const MAX_FIELDS = 8;

/** A repeated name becomes an array, which input.ts rejects with its name. */
class FormFields {
  readonly values: RawInput = {};

  add(name: string, value: string): void {
    const earlier = Object.hasOwn(this.values, name) ? this.values[name] : undefined;
    if (Array.isArray(earlier)) {
      earlier.push(value);
      return;
    }
    Object.defineProperty(this.values, name, {
      value: earlier === undefined ? value : [earlier, value],
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
}

export async function readFormBody(contentType: string, body: Buffer): Promise<RawInput> {
  const type = contentType.split(";")[0]?.trim().toLowerCase();
  if (type === "multipart/form-data") return readMultipart(contentType, body);
  if (type === "application/x-www-form-urlencoded") return readUrlEncoded(body);
  return readJson(body);
}

/** Throws for a parameter of a body that is in the query too: a proxy in front may have looked at the other. */
export function refuseInBoth(query: RawInput, body: RawInput): void {
  const repeated = Object.keys(body).filter((name) => Object.hasOwn(query, name));
  if (repeated.length === 0) return;
  const names = repeated.map((name) => name.slice(0, 60)).join(", ");
  throw new ApiError("repeated_parameter", `${names} in the query string must be sent once, in the request body`, {
    errors: repeated.map((parameter) => ({ in: "query", parameter, reason: "must be sent once, in the request body" })),
  });
}

function readUrlEncoded(body: Buffer): RawInput {
  const text = body.toString("utf8");
  if (isJsonObject(text)) throw invalid("is JSON, sent as a form; send it with Content-Type: application/json");
  const fields = new FormFields();
  for (const [name, value] of new URLSearchParams(text)) fields.add(name, value);
  return fields.values;
}

function readJson(body: Buffer): RawInput {
  let value: unknown;
  try {
    value = body.length === 0 ? {} : JSON.parse(body.toString("utf8"));
  } catch {
    const hint = /^[\w.-]+=/.test(body.toString("latin1"))
      ? "; a form is sent with Content-Type: application/x-www-form-urlencoded"
      : "";
    throw invalid(`is not well-formed JSON${hint}`);
  }
  if (!isFields(value)) throw invalid("must be a JSON object of parameters");
  const repeated = findRepeatedKey(body.toString("utf8"));
  if (repeated !== null) throw invalid(`has the key ${JSON.stringify(repeated.slice(0, 100))} twice`);
  return value;
}

/** `curl --data '{…}'` sends JSON with the content type of a form. */
function isJsonObject(text: string): boolean {
  if (!/^\s*\{/.test(text)) return false;
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}

function readMultipart(contentType: string, body: Buffer): Promise<RawInput> {
  if (isJsonObject(body.toString("utf8")))
    throw invalid("is JSON, sent as multipart form data; send it with Content-Type: application/json");
  return new Promise((resolve, reject) => {
    const fields = new FormFields();
    let count = 0;
    const fail = (error: unknown) =>
      reject(error instanceof ApiError ? error : invalid("is not well-formed multipart form data"));
    let parser: InstanceType<typeof Busboy>;
    try {
      parser = new Busboy({
        headers: { "content-type": contentType },
        limits: { fields: MAX_FIELDS + 1, fieldNameSize: 100 },
      });
    } catch (error) {
      fail(error);
      return;
    }
    parser.on("field", (name, value) => {
      fields.add(name, value);
      if (++count > MAX_FIELDS) fail(invalid(`has more than ${MAX_FIELDS} fields`));
    });
    parser.on("file", (name, stream) => {
      stream.resume();
      fail(invalid(`has a file in ${name}; parameters must be plain fields`));
    });
    parser.on("error", fail);
    parser.on("finish", () => resolve(fields.values));
    parser.end(body);
  });
}

function invalid(what: string): ApiError {
  return new ApiError("invalid_body", `the request body ${what}`);
}
