/**
 * The line of a request in the log, to the byte as pino writes it for a logger of the request's own. Neither that logger
 * nor an object is made: with every request they cost more than the line.
 */

export interface RequestLine {
  requestId: string;
  traceId: string | undefined;
  method: string;
  /** Without the query, which may hold what people look for. */
  path: string;
  status: number;
  ms: number;
  /** Unix milliseconds. */
  now: number;
  /** For what is asked every second and worth no line unless somebody debugs. */
  quiet: boolean;
}

const INFO = 30;
const DEBUG = 20;

/** From the level that is logged, whether lines of INFO and of DEBUG are. */
const LOGGED: Readonly<Record<string, { info: boolean; debug: boolean } | undefined>> = {
  trace: { info: true, debug: true },
  debug: { info: true, debug: true },
  info: { info: true, debug: false },
};

export class RequestLog {
  readonly #lines: { add(line: string): void };
  readonly #logger: { readonly level: string };
  #now = Number.NaN;
  /** The same for a whole millisecond. */
  #time = "";

  /** The logger's level may change at any time, and is followed. */
  constructor(lines: { add(line: string): void }, logger: { readonly level: string }) {
    this.#lines = lines;
    this.#logger = logger;
  }

  write({ requestId, traceId, method, path, status, ms, now, quiet }: RequestLine): void {
    const logged = LOGGED[this.#logger.level];
    if (logged === undefined || (quiet && !logged.debug)) return;
    if (now !== this.#now) {
      this.#now = now;
      this.#time = `,"time":${now},"reqId":`;
    }
    const id = quoted(requestId);
    const trace = traceId === undefined ? "" : `,"trace_id":${quoted(traceId)}`;
    this.#lines.add(
      `{"level":${quiet ? DEBUG : INFO}${this.#time}${id},"request_id":${id}${trace},"method":"${method}","path":${quoted(path)},"status":${status},"ms":${roundedMs(ms)},"msg":"request"}\n`,
    );
  }
}

/** All but what JSON escapes. */
const PLAIN = /^[ !#-[\]-\uffff]*$/;

function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** Decimals without the zeros at their end, as numbers are written. */
const THOUSANDTHS = Array.from({ length: 1_000 }, (_, number) => String(number / 1_000).slice(1));

/** To the microsecond, from whole numbers: writing out a fraction takes longer than all the rest. */
function roundedMs(ms: number): string {
  const microseconds = Math.round(ms * 1_000);
  return `${Math.floor(microseconds / 1_000)}${THOUSANDTHS[microseconds % 1_000]}`;
}
