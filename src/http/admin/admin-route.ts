/**
 * A route below /admin/: its contract as data, and its handler. The HTTP router, the OpenAPI document and the tests use the
 * same list, routes.ts. Handlers run in the process that owns the store: with workers, in the primary.
 */
import { compileInput, type RawInput } from "#api/input.ts";
import type { Static, TObject, TSchema } from "#api/schema.ts";
import type { ParameterError } from "#errors";
import type { AdminServices } from "./admin-services.ts";

export interface AdminRouteDefinition {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Such as `/admin/jobs/{id}`. Parameters in braces are part of the input. */
  path: string;
  /** The scope that a token needs; `token` if any valid token will do, `public` if none is needed. */
  access: readonly [string] | "token" | "public";
  summary: string;
  description: string;
  /** Other parameters are in the query string, or in the body of a POST or PUT. */
  input: TObject;
  output: TSchema;
  /** Of a successful response; 200 by default. */
  status?: 201 | 202;
  /** Erases or undoes, which takes as long as the store is large: the client waits without a deadline. */
  isLong?: true;
}

export interface AdminRoute extends AdminRouteDefinition {
  /** `GET /admin/jobs/{id}` */
  name: string;
  /** Parses the input by its schema, then runs the handler. */
  handle(ctx: AdminContext, raw: RawInput): Promise<AdminResult<unknown>>;
}

export interface AdminResult<Body> {
  body: Body;
  headers?: Record<string, string>;
}

export interface AdminContext {
  services: AdminServices;
  /** The time of the request, Unix milliseconds. */
  now: number;
  requestId: string;
  /** Null on public routes. */
  actor: Actor | null;
  /** Whether clients reach the service by https. */
  isSecure: boolean;
  /** The cookie of a session, not verified; only on public routes. */
  session: string | null;
}

/** Whose token was sent. */
export interface Actor {
  keyId: string;
  label: string;
  scopes: string[];
  /** When the session or the token ends, Unix milliseconds; null for never. */
  expiresAt: number | null;
}

/** Checks the handler against the schemas of input and output. */
export function adminRoute<I extends TObject, O extends TSchema>(
  definition: Omit<AdminRouteDefinition, "input" | "output"> & {
    input: I;
    output: O;
    handle(ctx: AdminContext, input: Static<I>): Promise<AdminResult<Static<O>>>;
  },
): AdminRoute {
  const parseInput = compileInput(definition.input, (parameter) => parameterLocation(definition, parameter));
  return {
    ...definition,
    name: `${definition.method} ${definition.path}`,
    handle: async (ctx, raw) => definition.handle(ctx, parseInput(raw)),
  };
}

export function parameterLocation(
  { method, path }: Pick<AdminRouteDefinition, "method" | "path">,
  parameter: string,
): ParameterError["in"] {
  if (path.includes(`{${parameter}}`)) return "path";
  return hasBody(method) ? "body" : "query";
}

export function hasBody(method: AdminRouteDefinition["method"]): boolean {
  return method === "POST" || method === "PUT";
}

/** Whose token was sent, on a route that is not public. */
export function requireActor({ actor }: AdminContext): Actor {
  if (actor === null) throw new Error("a route that needs a token ran without one");
  return actor;
}
