/** Responses of the service as they went over the wire, for a bare server to send again. */
import { Agent, request as httpRequest } from "node:http";
import type { LoadRequest } from "./load.ts";

/** Written by Node itself, also in a bare server. */
const WRITTEN_BY_NODE = new Set(["date", "connection", "keep-alive", "transfer-encoding"]);
const CONCURRENCY = 8;

export interface Recording {
  status: number;
  /** Names and values by turns, in their order and spelling. */
  headers: string[];
  keepAliveMs: number;
  etag: string | undefined;
  /** Base64. */
  body: string;
}

/** In the order of the requests; fails on any status but 200 and 304. */
export async function recordResponses(
  url: string,
  requests: readonly LoadRequest[],
  headers: Record<string, string>,
): Promise<Recording[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENCY });
  const recordings: Recording[] = [];
  let next = 0;
  const work = async () => {
    while (next < requests.length) {
      const index = next++;
      const request = requests[index] as LoadRequest;
      recordings[index] = await record(url, { ...request, headers: { ...headers, ...request.headers } }, agent);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work)).finally(() => agent.destroy());
  return recordings;
}

function record(url: string, { method, path, headers, body }: LoadRequest, agent: Agent): Promise<Recording> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url + path, { agent, method: method ?? "GET", headers: headers ?? {} }, (response) => {
      const chunks: Buffer[] = [];
      response.on("error", reject).on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const { statusCode: status = 0, rawHeaders, headers: parsed } = response;
        const bytes = Buffer.concat(chunks);
        if (status !== 200 && status !== 304) reject(new Error(`${path}: ${status} ${bytes.toString()}`));
        const own = rawHeaders.filter(
          (_, index) => !WRITTEN_BY_NODE.has((rawHeaders[index - (index % 2)] as string).toLowerCase()),
        );
        const keepAliveMs = 1_000 * Number(/timeout=(\d+)/.exec(String(parsed["keep-alive"]))?.[1] ?? 0);
        resolve({ status, headers: own, keepAliveMs, etag: parsed.etag, body: bytes.toString("base64") });
      });
    });
    request.on("error", reject).end(body);
  });
}
