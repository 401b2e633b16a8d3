/** Makes an operation's answers: from input to what goes over the wire. */
import { cursorsFor } from "#access/cursors.ts";
import { PERSONAL_SCOPE } from "#access/scopes.ts";
import type { Bearer } from "#access/tokens.ts";
import type { Defaults, Reach } from "#contract/endpoint.ts";
import { insufficientScope } from "#contract/insufficient-scope.ts";
import type { RawInput } from "#contract/input.ts";
import { prepare, type Result } from "#contract/invoke.ts";
import { type Operation, reachOf, readScope } from "#contract/platform.ts";
import { unavailable } from "#errors";
import type { Store } from "#store/store.ts";
import { answerEncoder } from "./answer.ts";
import { httpDate } from "./http-date.ts";
import type { Lasting } from "./remembered.ts";

export interface MakingServices {
  store: Pick<Store, "of">;
  cursorKey: Buffer;
  defaults: Defaults;
  /** How long an answer may take before the caller is told to come again; null where nothing is waited for. */
  patienceMs: number | null;
}

/** A request, as far as an operation looks at it. */
export interface Asked {
  requestId: string;
  now: number;
  authorization: string | undefined;
  accept: string | undefined;
  acceptEncoding: string | undefined;
  prefer: string | undefined;
  ifNoneMatch: string | undefined;
  query: RawInput;
  /** The parameters: of the query, or of the body where they travel there. */
  input(): RawInput | Promise<RawInput>;
}

export interface Made extends Lasting {
  /** Whether it may be given again. */
  lasts: boolean;
}

export interface Making {
  /** How far a caller gets; refuses one that gets nowhere. */
  reachesOf(bearer: Bearer): Reaches;
  answer(asked: Asked, bearer: Bearer, reaches: Reaches): Promise<Made>;
}

export interface Reaches {
  reach: Reach;
  writtenReach: Reach;
}

export function making(operation: Operation, services: MakingServices): Making {
  const { endpoint } = operation;
  const { patienceMs, defaults, cursorKey } = services;
  const invoke = prepare(operation);
  const encode = answerEncoder(operation);
  const isGet = endpoint.method === "GET";

  async function answer(asked: Asked, bearer: Bearer, reaches: Reaches): Promise<Made> {
    const unknownAsNull = prefersUnknownAsNull(asked.prefer);
    const given = asked.input();
    const caller = {
      ...reaches,
      now: asked.now,
      requestId: asked.requestId,
      defaults,
      cursors: cursorsFor(cursorKey, operation.name, asked.now),
      personal: bearer.scopes.has(PERSONAL_SCOPE),
      unknownAsNull,
    };
    const invoked = invoke(caller, given instanceof Promise ? await given : given);
    const result = patienceMs === null ? await invoked : await within(patienceMs, invoked);
    const { text, etag } = encode(result.body, asked);
    const lines = ownLines(result, isGet ? etag : null, unknownAsNull);
    return { etag, lines, body: text, lasts: result.timeless && !unknownAsNull };
  }

  return { answer, reachesOf: reachesOf(operation, services.store) };
}

/** How far a token reaches does not change while it is known. */
function reachesOf(operation: Operation, store: Pick<Store, "of">) {
  const drawn = reachOf(operation, store, "drawn");
  const written = reachOf(operation, store, "written");
  const known = new WeakMap<Bearer, Reaches>();
  return (bearer: Bearer): Reaches => {
    let reaches = known.get(bearer);
    if (reaches === undefined) {
      const hasScope = (scope: string) => bearer.scopes.has(scope);
      known.set(bearer, (reaches = { reach: drawn(hasScope), writtenReach: written(hasScope) }));
    }
    if (reaches.reach.stores.length === 0) throw insufficientScope(operation.reads.map(readScope));
    return reaches;
  };
}

const HEADER_VALUE = /^[\t -~]*$/;

function ownLines({ asOf, headers }: Result, etag: string | null, unknownAsNull: boolean): string {
  let lines = "";
  for (const [name, value] of Object.entries(headers)) {
    // They may hold what captures said, and are written to the wire as they are.
    if (!HEADER_VALUE.test(value)) throw new Error(`${name} cannot be a header: ${JSON.stringify(value)}`);
    lines += `${name}: ${value}\r\n`;
  }
  if (unknownAsNull) lines += "preference-applied: unknown=null\r\n";
  if (asOf !== null && asOf > 0) lines += `last-modified: ${httpDate(asOf)}\r\n`;
  if (etag === null) return `${lines}cache-control: no-store\r\n`;
  return `${lines}etag: ${etag}\r\ncache-control: private, max-age=30\r\n`;
}

/** A store that is slow at every step of an answer must not keep its caller for the sum of them. */
async function within<Value>(ms: number, answer: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(unavailable("the store is slow just now; try again in 1 s", null)), ms);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
    // What comes after its time has nobody to tell.
    answer.catch(() => undefined);
  }
}

/** RFC 7240: a list of preferences; ours is one of them. */
function prefersUnknownAsNull(header: string | undefined): boolean {
  if (header === undefined) return false;
  return header
    .split(",")
    .some((preference) => preference.split(";")[0]?.replaceAll(/[\s"]/g, "").toLowerCase() === "unknown=null");
}
