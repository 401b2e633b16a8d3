/** An error as a message: a copy loses its class, its causes and their codes. */
import { errorCode } from "#domain/error-code.ts";
import { toError } from "#domain/to-error.ts";
import { ApiError, type ErrorCode, type ParameterError } from "#errors";
import { StoreOpenError } from "#store/sql/store-open-error.ts";

export interface RpcError {
  message: string;
  name?: string;
  stack?: string | undefined;
  errors?: ParameterError[];
  headers?: Record<string, string>;
  /** Plain properties, such as the codes by which domain/storage-fault.ts tells a failing disk from a bug. */
  [property: string]: unknown;
}

/** Classes that callers check for, restored by their name. */
const CLASSES: Readonly<Record<string, (failure: RpcError) => Error>> = {
  StoreOpenError: ({ message }) => new StoreOpenError(message),
  ApiError({ message, code, errors, headers }) {
    return new ApiError(code as ErrorCode, message, { ...(errors && { errors }), ...(headers && { headers }) });
  },
};

export function toRpcError(thrown: unknown): RpcError {
  const error = toError(thrown);
  const { name, message, stack } = error;
  const isPlain = ([, value]: [string, unknown]) => ["string", "number", "boolean"].includes(typeof value);
  const plain = Object.fromEntries(Object.entries(error).filter(isPlain));
  const api = error instanceof ApiError && { errors: error.errors, headers: error.headers };
  return { ...findCodes(error), ...plain, ...api, name, message, stack };
}

/** Codes of the error, or of the first cause that has any: causes stay where they are. */
function findCodes(error: unknown): object {
  if (!(error instanceof Error)) return {};
  if (!("code" in error || "errcode" in error)) return findCodes(error.cause);
  const code = errorCode(error);
  const errcode = "errcode" in error ? error.errcode : undefined;
  return { ...(code !== undefined && { code }), ...(typeof errcode === "number" && { errcode }) };
}

export function fromRpcError(failure: RpcError): Error {
  const restore = CLASSES[failure.name ?? ""] ?? (({ message }) => new Error(message));
  const { stack, ...properties } = failure;
  return Object.assign(restore(failure), properties, stack !== undefined && { stack });
}
