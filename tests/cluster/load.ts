/** Callers that ask all the time and hold every answer against what is known. */
import { Agent, request as httpRequest } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { seeded } from "../../bench/random.ts";
import type { ExpectedState } from "./expected-state.ts";
import { pickRequest, type CheckedRequest } from "./questions.ts";

const THINK_MS = 150;
/** At worst 503 within this time. */
const PROMISED_MS = 2_000;
/** The caller and the balancer share a busy machine with what they measure. */
const MEASURING_MS = 250;
const GIVE_UP_MS = 10_000;

export interface Tally {
  requests: number;
  good: number;
  unavailable: number;
  /** What the answers of 503 said, and how often. */
  reasons: Map<string, number>;
  wrong: string[];
  slowestMs: number;
  /** Monotonic milliseconds of the last answer that was no good one. */
  lastFailureAt: number;
}

export function createTally(): Tally {
  return { requests: 0, good: 0, unavailable: 0, reasons: new Map(), wrong: [], slowestMs: 0, lastFailureAt: 0 };
}

export interface Load {
  /** From now on answers are counted here. */
  count(tally: Tally): void;
  stop(): Promise<void>;
}

export interface HttpResponse {
  status: number;
  retryAfter: string | null;
  text: string;
}

export function get(agent: Agent, address: string, token: string): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` };
    const asked = httpRequest(address, { agent, headers, timeout: GIVE_UP_MS }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.on("error", reject);
      answer.on("end", () =>
        resolve({
          status: answer.statusCode ?? 0,
          retryAfter: answer.headers["retry-after"] ?? null,
          text: Buffer.concat(parts).toString("utf8"),
        }),
      );
    });
    asked.on("timeout", () => asked.destroy(new Error(`no answer in ${GIVE_UP_MS} ms`)));
    asked.on("error", reject);
    asked.end();
  });
}

export function startLoad(address: string, token: string, ledger: ExpectedState, callers: number): Load {
  const agent = new Agent({ keepAlive: true });
  let tally = createTally();
  const ending = new AbortController();
  const call = async (random: () => number) => {
    while (!ending.signal.aborted) {
      await pause(THINK_MS * 2 * random());
      const question = pickRequest(ledger, random);
      if (question !== null) await sendRequest(question);
    }
  };
  const sendRequest = async (question: CheckedRequest) => {
    // Counted where it was asked: an answer may come when another action has begun.
    const counted = tally;
    const began = performance.now();
    const fail = (what: string) => {
      counted.lastFailureAt = performance.now();
      counted.wrong.push(`${question.path}: ${what}`);
    };
    counted.requests++;
    try {
      const { status, retryAfter, text } = await get(agent, address + question.path, token);
      const took = performance.now() - began;
      counted.slowestMs = Math.max(counted.slowestMs, took);
      if (status === 503) {
        counted.unavailable++;
        const reason = /"detail":"([^"]*)/.exec(text)?.[1] ?? text.slice(0, 100);
        counted.reasons.set(reason, (counted.reasons.get(reason) ?? 0) + 1);
        counted.lastFailureAt = performance.now();
        if (retryAfter === null) fail("503 without Retry-After");
      } else {
        const wrong = question.check(status, text);
        if (wrong === null) counted.good++;
        else fail(wrong);
      }
      if (took > PROMISED_MS + MEASURING_MS) fail(`an answer (${status}) after ${Math.round(took)} ms`);
    } catch (error) {
      fail(String(error));
    }
  };
  const calling = Array.from({ length: callers }, (_, index) => call(seeded(index + 1)));
  return {
    count: (next) => void (tally = next),
    async stop() {
      ending.abort();
      await Promise.all(calling);
      agent.destroy();
    },
  };
}
