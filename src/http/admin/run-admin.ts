/** Runs admin routes in the process that owns the store. Requests and responses are plain JSON: workers send them to it. */
import type { RawInput } from "#api/input.ts";
import { ApiError, type ErrorCode, type ParameterError } from "#errors";
import type { AdminContext } from "./admin-route.ts";
import type { AdminServices } from "./admin-services.ts";
import { ADMIN_ROUTES } from "./routes.ts";

export interface AdminRequest extends Omit<AdminContext, "services"> {
  /** Name of the route. */
  route: string;
  input: RawInput;
}

export type AdminResponse = { body: unknown; headers: Record<string, string> } | { refused: RefusedRequest };

/** An ApiError as plain JSON. */
export interface RefusedRequest {
  code: ErrorCode;
  detail: string;
  errors: ParameterError[];
  headers: Record<string, string>;
  /** For the log. */
  cause: string | null;
}

export type RunAdmin = (request: AdminRequest) => Promise<AdminResponse>;

export function createAdminRunner(services: AdminServices): RunAdmin {
  const routes = new Map(ADMIN_ROUTES.map((route) => [route.name, route]));
  return async ({ route: name, input, ...context }) => {
    const route = routes.get(name);
    if (route === undefined) throw new Error(`no admin route is called ${name}`);
    try {
      const { body, headers = {} } = await route.handle({ ...context, services }, input);
      return { body, headers };
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { code, message: detail, errors, headers, cause } = error;
      return { refused: { code, detail, errors, headers, cause: describeCause(cause) } };
    }
  };
}

/** Throws the refusal as the error it was. */
export function unwrapResponse(response: AdminResponse): Exclude<AdminResponse, { refused: unknown }> {
  if (!("refused" in response)) return response;
  const { code, detail, errors, headers, cause } = response.refused;
  throw new ApiError(code, detail, { errors, headers, ...(cause === null ? {} : { cause: new Error(cause) }) });
}

function describeCause(cause: unknown): string | null {
  if (cause === undefined || cause === null) return null;
  return cause instanceof Error ? (cause.stack ?? cause.message) : JSON.stringify(cause);
}
