/** An error of a thread as a message: an error that is copied loses its class, its causes and its codes. */
import { StoreOpenError } from "#store/sql/store-open-error.ts";

export interface ThreadFailure {
  name: string;
  message: string;
  stack?: string | undefined;
  /** What tells a full or failing disk from a bug: see domain/storage-fault.ts. */
  code?: string;
  errcode?: number;
}

export function toFailure(error: unknown): ThreadFailure {
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  const { code, errcode } = findCodes(error);
  return {
    name,
    message,
    stack,
    ...(typeof code === "string" && { code }),
    ...(typeof errcode === "number" && { errcode }),
  };
}

/** Of the error, or of the first cause that has any: causes stay in their thread. */
function findCodes(error: unknown): { code?: unknown; errcode?: unknown } {
  if (!(error instanceof Error)) return {};
  return "code" in error || "errcode" in error ? error : findCodes(error.cause);
}

/** The class that callers check for is restored by its name. */
export function toError({ name, message, stack, ...codes }: ThreadFailure): Error {
  if (name === "StoreOpenError") return Object.assign(new StoreOpenError(message), codes);
  return Object.assign(new Error(message), { name, ...codes, ...(stack !== undefined && { stack }) });
}
