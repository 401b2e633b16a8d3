/**
 * Makes one HTTPS request to a fixed host, with a deadline and a limit on the size of the answer. It follows no
 * redirects, accepts no compressed answers and keeps no cookies. Errors never contain a URL: it may have a key in it.
 */
import { Agent, request as httpsRequest } from "node:https";
import type { IncomingHttpHeaders } from "node:http";

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
    const target = dial(host);
    return new Promise((resolve, reject) => {
      const request = httpsRequest(
        {
          agent: this.#agent,
          host: target.host,
          port: target.port,
          ...(target.ca !== undefined && { ca: target.ca }),
          servername: host,
          method: body === undefined ? "GET" : "POST",
          path,
          headers: { "user-agent": "triptych", "accept-encoding": "identity", ...headers, host },
        },
        (response) => {
          const status = response.statusCode ?? 0;
          const tooLarge = () => new UpstreamError(`sent more than ${Math.floor(maxBytes / 1024 / 1024)} MiB`, false);
          if (status >= 300 && status < 400) return end(new UpstreamError("redirected the request elsewhere", false));
          if (!["", "identity"].includes(response.headers["content-encoding"] ?? ""))
            return end(new UpstreamError("sent a compressed answer", false));
          if (Number(response.headers["content-length"] ?? 0) > maxBytes) return end(tooLarge());
          const chunks: Buffer[] = [];
          let size = 0;
          response.on("data", (chunk: Buffer) => {
            size += chunk.length;
            if (size > maxBytes) end(tooLarge());
            else chunks.push(chunk);
          });
          response.on("error", (error) => end(toUpstreamError(error)));
          response.on("end", () => {
            clearTimeout(timer);
            resolve({ status, headers: response.headers, body: Buffer.concat(chunks).toString("utf8") });
          });
        },
      );
      const timer = setTimeout(
        () => end(new UpstreamError(`did not answer within ${timeoutMs / 1_000} s`, false)),
        timeoutMs,
      );
      const end = (error: UpstreamError) => {
        clearTimeout(timer);
        reject(error);
        request.destroy();
      };
      request.on("error", (error) => end(toUpstreamError(error)));
      request.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

function dialHost(host: string): Dial {
  return { host, port: 443 };
}

function toUpstreamError(error: Error): UpstreamError {
  const { code = "unknown error" } = error as NodeJS.ErrnoException;
  return new UpstreamError(`could not be reached (${code})`, true);
}
