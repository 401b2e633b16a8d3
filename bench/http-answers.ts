/** Answers of the service as they went over the wire, for the bare contenders to send again. */
import { Agent, request as httpRequest } from "node:http";
import { isRight, type Request } from "./load-requests.ts";
import { headersFor, type Task } from "./http-tasks.ts";

export interface Answer {
  status: number;
  /** In their order and spelling, without those that Node writes by itself. */
  headers: [name: string, value: string][];
  body: Buffer;
}

const OF_THE_CONNECTION = new Set(["date", "connection", "keep-alive", "transfer-encoding"]);
const AT_ONCE = 8;

export class Caller {
  readonly #address: string;
  readonly #token: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

  constructor(address: string, token: string) {
    this.#address = address;
    this.#token = token;
  }

  /** Fails loudly for an answer that is not right. */
  ask(task: Task, { path, etag, body }: Request): Promise<Answer> {
    const headers = {
      ...headersFor(task, this.#token),
      ...(etag === undefined ? {} : { "If-None-Match": etag }),
      ...(body === undefined ? {} : { "Content-Length": Buffer.byteLength(body) }),
    };
    return new Promise((resolve, reject) => {
      const call = httpRequest(this.#address + path, { agent: this.#agent, method: task.method, headers }, (answer) => {
        const chunks: Buffer[] = [];
        answer
          .on("data", (chunk: Buffer) => chunks.push(chunk))
          .on("end", () => {
            const status = answer.statusCode ?? 0;
            const text = Buffer.concat(chunks);
            if (!isRight(status)) reject(new Error(`${path} ${body ?? ""} was answered ${status}: ${String(text)}`));
            else resolve({ status, headers: kept(answer.rawHeaders), body: text });
          });
      });
      call.on("error", reject).end(body);
    });
  }

  /** All of them, a few at a time, in their order. */
  async askAll(task: Task, requests: readonly Request[]): Promise<Answer[]> {
    const answers: Answer[] = [];
    let next = 0;
    const walk = async () => {
      while (next < requests.length) {
        const place = next++;
        answers[place] = await this.ask(task, requests[place] as Request);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, walk));
    return answers;
  }

  close(): void {
    this.#agent.destroy();
  }
}

function kept(raw: readonly string[]): Answer["headers"] {
  const headers: Answer["headers"] = [];
  for (let place = 0; place < raw.length; place += 2) {
    const [name = "", value = ""] = raw.slice(place, place + 2);
    if (!OF_THE_CONNECTION.has(name.toLowerCase())) headers.push([name, value]);
  }
  return headers;
}

/** The one of median length. */
export function typical(answers: readonly Answer[]): Answer {
  const rising = answers.toSorted((a, b) => a.body.length - b.body.length);
  const middle = rising[Math.floor(rising.length / 2)];
  if (middle === undefined) throw new Error("no answer to choose from");
  return middle;
}

export function etagOf({ headers }: Answer): string {
  const found = headers.find(([name]) => name.toLowerCase() === "etag")?.[1];
  if (found === undefined) throw new Error("an answer without ETag");
  return found;
}
