/** A route per operation, for every way to ask that the framework understands. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { RawInput } from "#contract/input.ts";
import type { Operation } from "#contract/platform.ts";
import { headersIn } from "./answer.ts";
import type { Asked } from "./answer-making.ts";
import { type Answering, type Reply, VARY } from "./answering.ts";
import { readFormBody } from "./form-body.ts";

export interface AnsweredOperation {
  operation: Operation;
  answering: Answering;
}

export function registerOperations(app: FastifyInstance, operations: readonly AnsweredOperation[]): void {
  for (const { operation, answering } of operations) {
    app.route({
      method: operation.endpoint.method,
      url: operation.path,
      config: { operation: operation.name },
      handler: async (request, reply) => {
        const answered = await answering.answer(askedBy(request, operation));
        return send(reply, answered.reply);
      },
    });
  }
}

function send(reply: FastifyReply, { status, headers, lines = "", body }: Reply): FastifyReply {
  reply.code(status);
  const all = [...headers, ...headersIn(lines)];
  for (let index = 0; index < all.length; index += 2) reply.header(all[index] as string, all[index + 1]);
  if (status < 400) reply.header("vary", [reply.getHeader("vary") ?? [], VARY].flat().join(", "));
  return body === null ? reply.send() : reply.send(body);
}

function askedBy(request: FastifyRequest, operation: Operation): Asked {
  const { headers } = request;
  return {
    requestId: request.id,
    now: Date.now(),
    authorization: headers.authorization,
    accept: headers.accept,
    acceptEncoding: headers["accept-encoding"],
    prefer: headers["prefer"] === undefined ? undefined : String(headers["prefer"]),
    ifNoneMatch: headers["if-none-match"],
    query: request.query as RawInput,
    input: () => rawInput(request, operation),
  };
}

/** GET parameters travel in the query, POST parameters in the body; `fields` may stand in either. */
async function rawInput(request: FastifyRequest, { endpoint }: Operation): Promise<RawInput> {
  const query = request.query as RawInput;
  if (endpoint.method === "GET") return query;
  const body = request.body as Buffer | undefined;
  if (body === undefined) return query["fields"] === undefined ? {} : { fields: query["fields"] };
  const raw = await readFormBody(request.headers["content-type"] ?? "", body);
  return raw["fields"] === undefined && query["fields"] !== undefined ? { ...raw, fields: query["fields"] } : raw;
}
