/**
 * Ways to bring data in over HTTP: the browser extension's push (its base address carries the token, since it sends no
 * Authorization header) and a multipart upload. Scope `ingest`; not part of the public API's documentation.
 */
import { randomUUID } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { authenticate, requireScope } from "#auth/authorize.ts";
import type { TokenRegistry } from "#auth/tokens.ts";
import { ApiError } from "#errors";
import { countRecords, sumReports } from "#import/report.ts";
import type { Jobs } from "#store/jobs.ts";
import { saveBody, saveForm } from "./save-upload.ts";
import type { UploadQueue } from "./upload-queue.ts";

export interface UploadServices {
  tokens: TokenRegistry;
  jobs: Jobs;
  queue: UploadQueue;
  maxBytes: number;
}

const SCOPE = "ingest";

/** What the extension calls the platforms that we read. */
const PUSHED_PLATFORMS = new Set(["tiktok.com", "tiktok-comments", "instagram.com"]);

export function registerUploads(app: FastifyInstance, services: UploadServices): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // Bodies here are files: they go to disk as they come, under a limit of their own.
    scope.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    const config = { isUpload: true };
    scope.post("/ingest/:token/api/import-dataset/", { config }, (request, reply) =>
      pushDataset(services, request, reply),
    );
    scope.get("/ingest/:token/api/check-query/", { config }, (request, reply) => checkQuery(services, request, reply));
    // Versions of the extension that keep only scheme, user and host of the typed address: http://x:<token>@host
    scope.post("/api/import-dataset/", { config }, (request, reply) => pushDataset(services, request, reply));
    scope.get("/api/check-query/", { config }, (request, reply) => checkQuery(services, request, reply));
    scope.post("/ingest/files", { config }, (request, reply) => uploadFiles(services, request, reply));
  });
}

async function pushDataset(
  services: UploadServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  await authorizeUrl(services, request);
  assertQueueHasRoom(services);
  const platform = request.headers["x-zeeschuimer-platform"];
  if (typeof platform !== "string" || !PUSHED_PLATFORMS.has(platform)) {
    throw new ApiError("unknown_source", "Unknown platform or source format");
  }
  const key = randomUUID();
  await saveBody(
    request,
    services.queue.folder.pathOf(key),
    `zeeschuimer-export-${platform}.ndjson`,
    services.maxBytes,
  ).catch((error: unknown) => {
    services.queue.folder.delete(key);
    throw error;
  });
  await services.queue.add(key, "push", `pushed ${platform} capture`);
  return reply.header("cache-control", "no-store").send({ status: "queued", key, url: statusUrl(request, key) });
}

async function checkQuery(
  services: UploadServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  await authorizeUrl(services, request);
  const { key } = request.query as { key?: unknown };
  const job = typeof key === "string" ? await services.jobs.getJob(key) : null;
  if (job === null) throw new ApiError("unknown_path", "there is no import with this key");
  const files = await services.jobs.listJobFiles(job.id);
  const rows = countRecords(sumReports(files.map(({ report }) => report)));
  const done = job.state === "done";
  return reply
    .header("cache-control", "no-store")
    .send({ done, status: done ? `imported ${rows} records` : "importing", rows, url: statusUrl(request, job.id) });
}

async function uploadFiles(
  services: UploadServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  requireScope(await authenticate(request, services.tokens, Date.now()), SCOPE);
  assertQueueHasRoom(services);
  const key = randomUUID();
  try {
    const names = await saveForm(request, services.queue.folder.pathOf(key), services.maxBytes);
    await services.queue.add(key, "upload", names.join(" "));
    return reply.code(202).header("cache-control", "no-store").send({ status: "queued", job: key, files: names });
  } catch (error) {
    services.queue.folder.delete(key);
    throw error;
  }
}

/** The token is part of the address: of its path, or its password. A wrong one gets no hint of what is there. */
async function authorizeUrl({ tokens }: UploadServices, request: FastifyRequest): Promise<void> {
  const token = tokenInPath(request) ?? parseBasicPassword(request.headers.authorization);
  if (token === null) {
    throw new ApiError("missing_token", "send the ingest token in the address", {
      headers: { "www-authenticate": 'Basic realm="triptych ingest"' },
    });
  }
  const bearer = await tokens.verify(token, Date.now());
  if (bearer === null) throw new ApiError("ingest_forbidden", "this address does not carry a valid ingest token");
  requireScope(bearer, SCOPE);
}

function tokenInPath(request: FastifyRequest): string | null {
  return (request.params as { token?: string }).token ?? null;
}

function parseBasicPassword(header: string | undefined): string | null {
  const [scheme, credentials = ""] = header?.split(" ") ?? [];
  if (scheme?.toLowerCase() !== "basic") return null;
  const text = Buffer.from(credentials, "base64").toString("utf8");
  return text.slice(text.indexOf(":") + 1) || null;
}

function assertQueueHasRoom({ queue }: UploadServices): void {
  if (queue.isFull()) {
    throw new ApiError("rate_limited", "too many imports are waiting; try again in 30 s", {
      headers: { "retry-after": "30" },
    });
  }
}

function statusUrl(request: FastifyRequest, key: string): string {
  const token = tokenInPath(request);
  return `${token === null ? "" : `/ingest/${token}`}/api/check-query/?key=${key}`;
}
