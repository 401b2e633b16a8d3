/** Clients that send requests continuously and check every response. */
import { Agent, request as httpRequest } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { seeded } from "../../bench/random.ts";
import type { ExpectedState } from "./expected-state.ts";
import { type CheckedRequest, pickRequest } from "./checked-requests.ts";

const THINK_MS = 150;
/** A response, at worst a 503, must arrive within this time. */
const MAX_RESPONSE_MS = 2_000;
/** The clients and the balancer share a busy machine with what they measure. */
const TOLERANCE_MS = 250;
const TIMEOUT_MS = 10_000;

export interface Tally {
  requests: number;
  good: number;
  unavailable: number;
  /** The details of 503 responses, with their counts. */
  reasons: Map<string, number>;
  wrong: string[];
  slowestMs: number;
  /** Monotonic milliseconds of the last failed or wrong response. */
  lastFailureAt: number;
}

export function createTally(): Tally {
  return { requests: 0, good: 0, unavailable: 0, reasons: new Map(), wrong: [], slowestMs: 0, lastFailureAt: 0 };
}

export interface Load {
  /** Counts further requests here. */
  count(tally: Tally): void;
  stop(): Promise<void>;
}

export interface HttpResponse {
  status: number;
  retryAfter: string | null;
  text: string;
}

export function get(agent: Agent, url: string, token: string): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    const request = httpRequest(url, { agent, headers, timeout: TIMEOUT_MS }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          retryAfter: response.headers["retry-after"] ?? null,
          text: Buffer.concat(chunks).toString("utf8"),
        }),
      );
    });
    request.on("timeout", () => request.destroy(new Error(`no response within ${TIMEOUT_MS} ms`)));
    request.on("error", reject);
    request.end();
  });
}

export function startLoad(url: string, token: string, state: ExpectedState, clients: number): Load {
  const agent = new Agent({ keepAlive: true });
  let tally = createTally();
  const stopping = new AbortController();
  const call = async (random: () => number) => {
    while (!stopping.signal.aborted) {
      await pause(THINK_MS * 2 * random());
      const request = pickRequest(state, random);
      if (request !== null) await sendRequest(request);
    }
  };
  const sendRequest = async (request: CheckedRequest) => {
    // Counted where it was sent: the response may arrive during the next action.
    const counted = tally;
    const startedAt = performance.now();
    const fail = (what: string) => {
      counted.lastFailureAt = performance.now();
      counted.wrong.push(`${request.path}: ${what}`);
    };
    counted.requests++;
    try {
      const { status, retryAfter, text } = await get(agent, url + request.path, token);
      const took = performance.now() - startedAt;
      counted.slowestMs = Math.max(counted.slowestMs, took);
      if (status === 503) {
        counted.unavailable++;
        const reason = /"detail":"([^"]*)/.exec(text)?.[1] ?? text.slice(0, 100);
        counted.reasons.set(reason, (counted.reasons.get(reason) ?? 0) + 1);
        counted.lastFailureAt = performance.now();
        if (retryAfter === null) fail("503 without Retry-After");
      } else {
        const wrong = request.check(status, text);
        if (wrong === null) counted.good++;
        else fail(wrong);
      }
      if (took > MAX_RESPONSE_MS + TOLERANCE_MS) fail(`response (${status}) after ${Math.round(took)} ms`);
    } catch (error) {
      fail(String(error));
    }
  };
  const running = Array.from({ length: clients }, (_, index) => call(seeded(index + 1)));
  return {
    count: (next) => void (tally = next),
    async stop() {
      stopping.abort();
      await Promise.all(running);
      agent.destroy();
    },
  };
}
