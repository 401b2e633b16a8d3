/**
 * Answers plain requests without the framework, and those that were asked before from memory. It is the same answering
 * as the routes': here only reading the request and writing the reply are done by hand. See lane-connection.ts for what
 * goes over the wire.
 */
import { randomUUID } from "node:crypto";
import { PERSONAL_SCOPE } from "#access/scopes.ts";
import type { Bearer, TokenRegistry } from "#access/tokens.ts";
import type { RawInput } from "#contract/input.ts";
import { type Operation, readScope } from "#contract/platform.ts";
import { AnswerMemory, type AnswerRoom } from "./answer-memory.ts";
import type { Asked } from "./answer-making.ts";
import { type Answered, type Answering, type Reply, VARY } from "./answering.ts";
import { readFormBody } from "./form-body.ts";
import type { Metrics, Series } from "./metrics.ts";
import { chooseEncoding, type Encoding } from "./negotiation.ts";
import { FORM_TYPE, type PlainHeaders, plainQuery, type PlainRequest } from "./plain-request.ts";
import type { AnsweredOperation } from "./operation-routes.ts";
import type { Remembered } from "./remembered.ts";
import type { RequestLog } from "./request-log.ts";
import { REQUEST_ID } from "./request-id.ts";
import { API_VERSION } from "./version.ts";

export interface LaneServices {
  operations: readonly AnsweredOperation[];
  tokens: TokenRegistry;
  metrics: Metrics;
  log: RequestLog;
  /** Changes whenever something was written to the store; null where that cannot be told at once. */
  stamp: () => number | null;
  answerRoom: AnswerRoom;
}

/** Where replies go. */
export interface Outlet {
  send(reply: Reply): void;
}

/** What an address leads to. */
interface Lane {
  operation: Operation;
  scope: string;
  answering: Answering;
  series: Series;
}

interface Exchange {
  outlet: Outlet;
  headers: PlainHeaders;
  began: number;
  now: number;
  requestId: string;
  /** Of the store before anything is read: what is written meanwhile makes the answer old. Null where none is known. */
  stamp: number | null;
  /** Undefined for a token that has yet to be proven. */
  bearer: Bearer | undefined;
}

const HOUR_MS = 3_600_000;
const LOOK_EVERY_MS = 1_000;

export class FastLane {
  readonly #services: LaneServices;
  readonly #lanes = new Map<string, Lane>();
  readonly #memory: AnswerMemory<Lane>;
  readonly #looking: NodeJS.Timeout;

  constructor(services: LaneServices) {
    this.#services = services;
    this.#memory = new AnswerMemory(services.answerRoom);
    this.#looking = setInterval(() => this.#look(), LOOK_EVERY_MS);
    this.#looking.unref();
    for (const { operation, answering } of services.operations) {
      const [platform, ...others] = operation.reads;
      // What spans platforms depends on more than one scope.
      if (platform === undefined || others.length > 0) continue;
      const series = services.metrics.series(operation.name);
      this.#lanes.set(operation.path, { operation, scope: readScope(platform), answering, series });
    }
  }

  /** When no more requests come. */
  close(): void {
    clearInterval(this.#looking);
    this.#memory.close();
  }

  /** Where nobody asks, what was written is noticed all the same: nothing of somebody who was erased stays in a file. */
  #look(): void {
    const stamp = this.#stamp(Date.now());
    if (stamp !== null) this.#memory.see(stamp);
  }

  /** False if the request is not for here: then nothing has happened to it. */
  take({ method, url, headers, body }: PlainRequest, outlet: Outlet): boolean {
    const now = Date.now();
    const exchange = {
      outlet,
      headers,
      began: performance.now(),
      now,
      requestId: idOf(headers.requestId),
      stamp: this.#stamp(now),
      bearer: this.#bearerOf(headers.authorization, now),
    };
    return method === "GET" ? this.#takeAddress(exchange, url) : this.#takeForm(exchange, url, body);
  }

  #takeAddress(exchange: Exchange, url: string): boolean {
    if (this.#giveAgain(exchange, url)) return true;
    const mark = url.indexOf("?");
    const lane = this.#lanes.get(mark < 0 ? url : url.slice(0, mark));
    if (lane === undefined || lane.operation.endpoint.method !== "GET") return false;
    const query = plainQuery(url, mark < 0 ? url.length : mark + 1);
    if (query === null) return false;
    this.#make(exchange, lane, url, query, () => query);
    return true;
  }

  #takeForm(exchange: Exchange, url: string, form: string): boolean {
    const lane = this.#lanes.get(url);
    if (lane === undefined || lane.operation.endpoint.method !== "POST") return false;
    const question = `${url} ${form}`;
    if (this.#giveAgain(exchange, question)) return true;
    const plain = plainQuery(form);
    const input = () => plain ?? readFormBody(FORM_TYPE, Buffer.from(form, "latin1"));
    this.#make(exchange, lane, question, NOTHING, input);
    return true;
  }

  /** What is remembered for the same question, if the one who asks may read it. */
  #giveAgain(exchange: Exchange, question: string): boolean {
    const { headers, now, requestId, stamp, bearer } = exchange;
    if (stamp === null || bearer === undefined) return false;
    const kept = this.#keptAs(chooseEncoding(headers.acceptEncoding), keyOf(question, bearer), stamp);
    if (kept === undefined || !bearer.scopes.has(kept.subject.scope)) return false;
    const lane = kept.subject;
    // What was answered once has been read once.
    const again = lane.answering.again(askedWith(headers, requestId, now, NOTHING, NO_INPUT), bearer, kept);
    if (again instanceof Promise)
      void again.then((answered) => this.#keep(exchange, lane, question, answered, "memory"));
    else this.#send(exchange, lane, again, "memory");
    return true;
  }

  /** In the form in which the caller wants it, or else in the one that it is made from. */
  #keptAs(encoding: Encoding | null, key: string, stamp: number): Remembered<Lane> | undefined {
    const formed = encoding === null ? undefined : this.#memory.get(`${encoding} ${key}`, stamp);
    return formed ?? this.#memory.get(key, stamp);
  }

  #make(exchange: Exchange, lane: Lane, question: string, query: RawInput, input: Asked["input"]): void {
    const { headers, requestId, now } = exchange;
    void lane.answering
      .answer(askedWith(headers, requestId, now, query, input))
      .then((answered) => this.#keep(exchange, lane, question, answered, "store"));
  }

  /** Sends it, and remembers it if it lasts. */
  #keep(
    exchange: Exchange,
    lane: Lane,
    question: string,
    { reply, lasting }: Answered,
    from: "memory" | "store",
  ): void {
    const { headers, now, stamp } = exchange;
    // Where it was not known before the answer, who asks is known after it.
    const bearer = exchange.bearer ?? this.#bearerOf(headers.authorization, now);
    if (lasting !== null && stamp !== null && bearer !== undefined) {
      const key = keyOf(question, bearer);
      const { body } = lasting;
      this.#memory.put("encoding" in body ? `${body.encoding} ${key}` : key, stamp, lane, lasting);
    }
    this.#send(exchange, lane, reply, from);
  }

  /** Page tokens change with the hour. */
  #stamp(now: number): number | null {
    const stamp = this.#storeStamp();
    return stamp === null ? null : stamp * 2 ** 20 + (Math.floor(now / HOUR_MS) % 2 ** 20);
  }

  #storeStamp(): number | null {
    try {
      return this.#services.stamp();
    } catch {
      // What is wrong with the store is told by whoever asks it for more.
      return null;
    }
  }

  /** A token that was proven a moment ago. */
  #bearerOf(header: string | undefined, now: number): Bearer | undefined {
    if (header === undefined || !header.startsWith("Bearer ")) return undefined;
    return this.#services.tokens.known(header.slice(7), now) ?? undefined;
  }

  #send(exchange: Exchange, lane: Lane, reply: Reply, from: "memory" | "store"): void {
    const { outlet, began, now, requestId } = exchange;
    const { metrics, log } = this.#services;
    const { status, headers } = reply;
    headers.push("x-request-id", requestId, "api-version", API_VERSION, "x-content-type-options", "nosniff");
    if (status < 400) headers.push("vary", VARY);
    outlet.send(reply);
    const ms = performance.now() - began;
    lane.series.record(status, ms / 1000);
    metrics.answered(from);
    const { endpoint, path } = lane.operation;
    log.write({ requestId, traceId: undefined, method: endpoint.method, path, status, ms, now, quiet: false });
  }
}

const NOTHING: RawInput = {};
const NO_INPUT = () => NOTHING;

/** E-mail, phone and street are in answers for those who may see them. */
function keyOf(question: string, bearer: Bearer): string {
  return bearer.scopes.has(PERSONAL_SCOPE) ? `personal ${question}` : question;
}

function askedWith(
  { authorization, accept, acceptEncoding, ifNoneMatch }: PlainHeaders,
  requestId: string,
  now: number,
  query: RawInput,
  input: Asked["input"],
): Asked {
  return { requestId, now, authorization, accept, acceptEncoding, prefer: undefined, ifNoneMatch, query, input };
}

/** The caller's own, where it can stand in a log and in an answer. */
function idOf(given: string | undefined): string {
  return given !== undefined && REQUEST_ID.test(given) ? given : randomUUID();
}
