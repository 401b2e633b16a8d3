/** What crawlers and researchers look for at fixed paths: robots.txt (RFC 9309) and security.txt (RFC 9116). */
import type { FastifyInstance } from "fastify";
import { DAY_MS } from "#domain/time.ts";
import { ApiError } from "#errors";
import { PUBLIC } from "./route-access.ts";

const TEXT = "text/plain; charset=utf-8";
/** The standard recommends less than a year. */
const VALID_MS = 180 * DAY_MS;
/** For a service whose operator names nobody: it says how to reach who runs or writes it. */
const DEFAULT_CONTACT = "/docs/guides/operating#reporting-a-vulnerability";

export interface WellKnownServices {
  /** A URL, such as `mailto:security@example.com`. */
  securityContact: string | null;
  publicUrl: string | null;
}

export function registerWellKnown(app: FastifyInstance, { securityContact, publicUrl }: WellKnownServices): void {
  // People's data are not for search engines, and the reference is on every other installation too.
  app.get("/robots.txt", { config: PUBLIC }, async (_request, reply) =>
    reply.type(TEXT).send("User-agent: *\nDisallow: /\n"),
  );

  app.get("/.well-known/security.txt", { config: PUBLIC }, async (_request, reply) => {
    const contact = securityContact ?? (publicUrl === null ? null : `${publicUrl}${DEFAULT_CONTACT}`);
    // Not the Host of the request: a cache would show everybody the address that one client sent.
    if (contact === null)
      throw new ApiError("unknown_path", "no contact is set; the operator sets SECURITY_CONTACT or PUBLIC_URL");
    const expires = new Date(Math.ceil((Date.now() + VALID_MS) / DAY_MS) * DAY_MS).toISOString();
    return reply.type(TEXT).send(`Contact: ${contact}\nExpires: ${expires}\nPreferred-Languages: en\n`);
  });
}
