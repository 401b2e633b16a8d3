/** Registers the routes below /admin/: authentication, scope, rate limit and input of each, as its definition says. */
import type { FastifyInstance, FastifyRequest } from "fastify";
import { answerInTime } from "#api/answer-in-time.ts";
import type { RawInput } from "#api/input.ts";
import { authenticate, requireScope } from "#auth/authorize.ts";
import { isCrossSite, isSecureRequest, readSessionCookie } from "#auth/session-cookie.ts";
import type { Principal, TokenRegistry } from "#auth/tokens.ts";
import { ApiError } from "#errors";
import type { RateLimiter } from "#rate-limit/rate-limiter.ts";
import { type Actor, type AdminRoute, hasBody } from "./admin/admin-route.ts";
import { ADMIN_ROUTES } from "./admin/routes.ts";
import { type RunAdmin, unwrapResponse } from "./admin/run-admin.ts";
import { JSON_TYPE } from "./encode-response.ts";
import { readFormBody, refuseInBoth } from "./form-body.ts";
import { admit } from "./operation-handler.ts";
import { bodyOf, pathParametersOf, queryOf } from "./request-parts.ts";
import { sendCompressed } from "./send-compressed.ts";

export interface AdminHandlerServices {
  tokens: TokenRegistry;
  limiter: RateLimiter;
  runAdmin: RunAdmin;
  publicUrl: string | null;
}

export function registerAdmin(app: FastifyInstance, services: AdminHandlerServices): void {
  for (const route of ADMIN_ROUTES) {
    app.route({
      method: route.method,
      url: route.path.replaceAll(/\{(\w+)\}/g, ":$1"),
      config: { operation: route.path.slice(1), access: route.access },
      handler: async (request, reply) => {
        const now = Date.now();
        const isSecure = isSecureRequest(request, services.publicUrl);
        const principal = await authorize(route, request, services.tokens, now);
        const permit = principal === null ? null : admit(services.limiter.acquire(principal, "lookup"));
        if (principal !== null) reply.headers(services.limiter.headers(principal));
        try {
          const running = services.runAdmin({
            route: route.name,
            input: await readInput(route, request),
            now,
            requestId: request.id,
            actor: principal === null ? null : toActor(principal, request.sessionExpiresAt),
            isSecure,
            // Not `request.sessionCookie`, which browsers without the headers of an own page lack: all may sign out.
            session:
              principal === null ? readSessionCookie({ method: "GET", headers: request.headers }, isSecure) : null,
          });
          const { body, headers } = unwrapResponse(await (route.isLong === true ? running : answerInTime(running)));
          reply
            .code(route.status ?? 200)
            .headers({ "content-type": JSON_TYPE, "cache-control": "no-store", ...headers });
          return await sendCompressed(request, reply, JSON.stringify(body));
        } finally {
          permit?.release();
        }
      },
    });
  }
}

async function authorize(
  { access }: AdminRoute,
  request: FastifyRequest,
  tokens: TokenRegistry,
  now: number,
): Promise<Principal | null> {
  if (access === "public") {
    // A form on another site must not sign anybody in or out here.
    if (isCrossSite(request)) throw new ApiError("origin_not_allowed", "pages of other sites may not use this route");
    return null;
  }
  const principal = await authenticate(request, tokens, now);
  if (access !== "token") requireScope(principal, access[0]);
  return principal;
}

/** Parameters of the path come first: none of another place replaces them. */
async function readInput({ method }: AdminRoute, request: FastifyRequest): Promise<RawInput> {
  const body = bodyOf(request);
  const query = queryOf(request);
  if (!hasBody(method)) return { ...query, ...pathParametersOf(request) };
  const sent = body === undefined ? {} : await readFormBody(request.headers["content-type"] ?? "", body);
  refuseInBoth(query, sent);
  return { ...sent, ...pathParametersOf(request) };
}

function toActor({ keyId, label, scopes, expiresAt }: Principal, sessionExpiresAt: number | null): Actor {
  return { keyId, label, scopes: [...scopes], expiresAt: sessionExpiresAt ?? expiresAt };
}
