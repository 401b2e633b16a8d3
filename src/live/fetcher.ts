/**
 * Makes one HTTPS request to a fixed host, with a deadline and a limit on the size of the answer. It follows no
 * redirects, accepts no compressed answers and keeps no cookies. Errors never contain a URL: it may have a key in it.
 */
import { once } from "node:events";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { Agent, request as httpsRequest } from "node:https";
import { errorCode } from "#domain/error-code.ts";

export interface HttpCall {
  host: string;
  /** With the query. */
  path: string;
  headers: Readonly<Record<string, string>>;
  /** Sent with POST. */
  body?: string;
}

export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Where a host is dialled; tests answer in its place. The certificate must be the host's in any case. */
export interface Dial {
  host: string;
  port: number;
  ca?: string;
}

export interface FetcherOptions {
  hosts: readonly string[];
  timeoutMs: number;
  maxBytes: number;
  maxSockets: number;
  dial?: (host: string) => Dial;
}

/** No usable answer. The message continues a sentence that begins with the name of the source. */
export class UpstreamError extends Error {
  override name = "UpstreamError";
  /** Whether the same request may succeed in a moment. */
  readonly isTransient: boolean;

  constructor(message: string, isTransient: boolean) {
    super(message);
    this.isTransient = isTransient;
  }
}

export class Fetcher {
  readonly #options: FetcherOptions;
  readonly #agent: Agent;

  constructor(options: FetcherOptions) {
    this.#options = options;
    this.#agent = new Agent({ keepAlive: true, maxSockets: options.maxSockets, minVersion: "TLSv1.2" });
  }

  async fetch({ host, path, headers, body }: HttpCall): Promise<HttpAnswer> {
    const { hosts, timeoutMs, maxBytes, dial = dialHost } = this.#options;
    if (!hosts.includes(host) || !path.startsWith("/")) throw new Error(`${host} is no host of this source`);
    const { ca, ...target } = dial(host);
    const signal = AbortSignal.timeout(timeoutMs);
    const request = httpsRequest({
      agent: this.#agent,
      ...target,
      ...(ca !== undefined && { ca }),
      servername: host,
      method: body === undefined ? "GET" : "POST",
      path,
      headers: { "user-agent": "triptych", "accept-encoding": "identity", ...headers, host },
      signal,
    });
    // One that comes after the answer began is also that of the answer.
    request.on("error", () => undefined);
    try {
      // By the signal too: a request whose answer changes the protocol ends without an error.
      const [response] = (await once(request.end(body), "response", { signal })) as [IncomingMessage];
      return await readAnswer(response, maxBytes);
    } catch (error) {
      request.destroy();
      if (error instanceof UpstreamError) throw error;
      if (signal.aborted) throw new UpstreamError(`did not answer within ${timeoutMs / 1_000} s`, false);
      throw new UpstreamError(`could not be reached (${errorCode(error) ?? "unknown error"})`, true);
    }
  }

  close(): void {
    this.#agent.destroy();
  }
}

function dialHost(host: string): Dial {
  return { host, port: 443 };
}

async function readAnswer(response: IncomingMessage, maxBytes: number): Promise<HttpAnswer> {
  const { statusCode: status = 0, headers } = response;
  if (status >= 300 && status < 400) throw new UpstreamError("redirected the request elsewhere", false);
  if (!["", "identity"].includes(headers["content-encoding"] ?? ""))
    throw new UpstreamError("sent a compressed answer", false);
  const chunks: Buffer[] = [];
  let size = 0;
  const checkSize = (bytes: number) => {
    if (bytes > maxBytes) throw new UpstreamError(`sent more than ${Math.floor(maxBytes / 1024 / 1024)} MiB`, false);
  };
  checkSize(Number(headers["content-length"] ?? 0));
  const body: AsyncIterable<Buffer> = response;
  for await (const chunk of body) {
    checkSize((size += chunk.length));
    chunks.push(chunk);
  }
  return { status, headers, body: Buffer.concat(chunks).toString("utf8") };
}
