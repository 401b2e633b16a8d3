/** The parts of a request as the router and the parsers of server.ts leave them; empty where there is none. */
import type { FastifyRequest } from "fastify";
import { type Fields, isFields } from "#domain/fields.ts";

const NONE: Fields = Object.freeze({});

export function queryOf({ query }: FastifyRequest): Fields {
  return isFields(query) ? query : NONE;
}

export function pathParametersOf({ params }: FastifyRequest): Fields {
  return isFields(params) ? params : NONE;
}

/** Not of uploads, whose bodies are streams. */
export function bodyOf({ body }: FastifyRequest): Buffer | undefined {
  return Buffer.isBuffer(body) ? body : undefined;
}
