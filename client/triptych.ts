/**
 * A client for Triptych without dependencies, for Node, Deno, Bun and browsers. Every operation is a function; requests
 * that fail for a moment are retried.
 *
 *   const triptych = createClient({ url: "http://127.0.0.1:8080", token });
 *   const { userInfo } = await triptych.shortvideo.userInfoWithRegion({ uniqueId: "nora.lindqvist" });
 *   for await (const post of triptych.shortvideo.musicPosts.items({ musicId })) console.log(post.desc);
 */
import type { Input, OperationInfo, RequestOptions, Send } from "./operation.ts";
import { createOperations } from "./operations.ts";

export type { ApiResponse, List, Lookup, RequestOptions } from "./operation.ts";
export type * from "./operations.ts";

export interface ClientOptions {
  /** Where the service is, such as `http://127.0.0.1:8080`. */
  url: string;
  /** Leave it out in a page of the service itself, whose session is a cookie. */
  token?: string;
  /** How often a request is retried after a network failure, 429, 502, 503 or 504; 3 by default. */
  retries?: number;
  /** The longest wait before a retry; a longer `Retry-After` is an error. 30 s by default. */
  maxWaitMs?: number;
  /** For one attempt; 30 s by default. */
  timeoutMs?: number;
  fetch?: typeof fetch;
}

/** The body of every error response (RFC 9457). */
export interface Problem {
  status: number;
  code: string;
  title: string;
  detail: string;
  errors?: { in: string; parameter: string; reason: string }[];
}

/** The service rejected a request. */
export class TriptychError extends Error {
  override name = "TriptychError";
  readonly status: number;
  /** Such as `account_not_found`; `unexpected_response` if something other than the service responded. */
  readonly code: string;
  readonly problem: Problem | null;
  readonly requestId: string | null;
  /** Seconds after which to try again; null if that would not help. */
  readonly retryAfterS: number | null;

  constructor(response: Response, problem: Problem | null) {
    const status = `${response.status} ${response.statusText}`.trim();
    super(problem?.detail ?? `the server responded with ${status}${response.ok ? ", but not with JSON" : ""}`);
    this.status = response.status;
    this.code = problem?.code ?? "unexpected_response";
    this.problem = problem;
    this.requestId = response.headers.get("x-request-id");
    this.retryAfterS = parseRetryAfter(response.headers.get("retry-after"));
  }
}

export type Client = ReturnType<typeof createClient>;

export function createClient(options: ClientOptions) {
  return createOperations(createSend(options));
}

const RETRIED_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const FIRST_BACKOFF_MS = 250;

function createSend({
  url,
  token,
  retries = 3,
  maxWaitMs = 30_000,
  timeoutMs = 30_000,
  ...options
}: ClientOptions): Send {
  const base = url.replace(/\/+$/, "");
  const send = options.fetch ?? fetch;
  const authorization: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };

  async function attempt(operation: OperationInfo, input: Input, { signal, headers }: RequestOptions) {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(input)) if (value !== undefined) parameters.set(name, String(value));
    const isGet = operation.method === "GET";
    const query = isGet && parameters.size > 0 ? `?${parameters.toString()}` : "";
    const timeout = AbortSignal.timeout(timeoutMs);
    return send(`${base}${operation.path}${query}`, {
      method: operation.method,
      headers: { accept: "application/json", ...headers, ...authorization },
      ...(isGet ? {} : { body: parameters }),
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
  }

  return async (operation, input, request) => {
    for (let retry = 0; ; retry++) {
      let response: Response;
      let text: string;
      try {
        response = await attempt(operation, input, request);
        text = await response.text();
      } catch (error) {
        if (retry >= retries) throw error;
        await wait(backoffMs(retry), request.signal);
        continue;
      }
      const body = parseJson(text);
      if (response.ok && body !== undefined) return { body, headers: response.headers };
      const error = new TriptychError(response, isProblem(body) ? body : null);
      const waitMs = error.retryAfterS === null ? backoffMs(retry) : error.retryAfterS * 1_000;
      if (!RETRIED_STATUSES.has(error.status) || retry >= retries || waitMs > maxWaitMs) throw error;
      await wait(waitMs, request.signal);
    }
  };
}

/** Full jitter: clients that failed together do not come back together. */
function backoffMs(retry: number): number {
  return Math.random() * FIRST_BACKOFF_MS * 2 ** retry;
}

function wait(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, milliseconds);
    if (signal?.aborted === true) onAbort();
    else signal?.addEventListener("abort", onAbort, { once: true });
  });
}

/** Undefined if it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isProblem(body: unknown): body is Problem {
  return typeof body === "object" && body !== null && "code" in body && "detail" in body;
}

/** Seconds or a date. */
function parseRetryAfter(header: string | null): number | null {
  if (header === null) return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, (at - Date.now()) / 1_000);
}
