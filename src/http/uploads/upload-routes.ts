/**
 * Upload routes: the browser extension's push, whose base URL contains the token, since it sends no Authorization header,
 * and a multipart upload. They need the scope `ingest`; the push is not part of the documented API.
 */
import { randomUUID } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { answerInTime } from "#api/answer-in-time.ts";
import { type Static, Type } from "#api/schema.ts";
import { wireObject } from "#api/wire.ts";
import { authenticate, requireScope } from "#auth/authorize.ts";
import type { Principal, TokenRegistry } from "#auth/tokens.ts";
import { isFields } from "#domain/fields.ts";
import { ApiError } from "#errors";
import { sumJobFiles } from "#import/job-totals.ts";
import { hashIdentity } from "#import/jobs.ts";
import { countRecords } from "#import/report.ts";
import type { Jobs } from "#store/jobs/port.ts";
import { saveBody, saveForm, type SavedFile } from "./save-upload.ts";
import type { UploadQueue } from "./upload-queue.ts";

export interface UploadServices {
  tokens: TokenRegistry;
  jobs: Jobs;
  queue: UploadQueue;
  maxBytes: number;
}

/** For files, with the token in the Authorization header. */
export const UPLOAD_PATH = "/ingest/files";

export const QueuedUpload = wireObject({
  status: Type.String(),
  job: Type.String({ description: "Id of the import." }),
  files: Type.Array(Type.String()),
});

const SCOPE = "ingest";

/** The extension's names of the platforms that we import. */
const PUSHED_PLATFORMS = new Set(["tiktok.com", "tiktok-comments", "instagram.com"]);

export function registerUploads(app: FastifyInstance, services: UploadServices): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // Bodies are files: they are streamed to disk, with a limit of their own.
    scope.addContentTypeParser("*", (_request, payload, done) => done(null, payload));
    const config = { operation: "ingest", access: [SCOPE], isUpload: true };
    scope.post("/ingest/:token/api/import-dataset/", { config }, (request, reply) =>
      pushDataset(services, request, reply),
    );
    scope.get("/ingest/:token/api/check-query/", { config }, (request, reply) => checkQuery(services, request, reply));
    // For versions of the extension that keep only scheme, user and host of the base URL: http://x:<token>@host
    scope.post("/api/import-dataset/", { config }, (request, reply) => pushDataset(services, request, reply));
    scope.get("/api/check-query/", { config }, (request, reply) => checkQuery(services, request, reply));
    scope.post(UPLOAD_PATH, { config }, (request, reply) => uploadFiles(services, request, reply));
  });
}

async function pushDataset(
  services: UploadServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const principal = await authorizeUrl(services, request);
  assertQueueHasRoom(services, principal);
  const platform = request.headers["x-zeeschuimer-platform"];
  if (typeof platform !== "string" || !PUSHED_PLATFORMS.has(platform)) {
    throw new ApiError("unknown_source", "Unknown platform or source format");
  }
  const { key } = await receiveUpload(services, principal, "push", async (folder) => {
    const name = `zeeschuimer-export-${platform}.ndjson`;
    const digest = await saveBody(request, folder, name, services.maxBytes);
    return { files: [{ name, digest }], label: `pushed ${platform} capture` };
  });
  return reply.header("cache-control", "no-store").send({ status: "queued", key, url: statusUrl(request, key) });
}

async function checkQuery(
  services: UploadServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  await authorizeUrl(services, request);
  const key = isFields(request.query) ? request.query["key"] : undefined;
  const job = typeof key === "string" ? await services.jobs.getJob(key) : null;
  if (job === null) throw new ApiError("unknown_path", "import not found");
  const rows = countRecords((await sumJobFiles(services.jobs, job.id)).report);
  const done = job.state !== "running";
  return reply
    .header("cache-control", "no-store")
    .send({ done, status: done ? `imported ${rows} records` : "importing", rows, url: statusUrl(request, job.id) });
}

async function uploadFiles(
  services: UploadServices,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const principal = await authenticate(request, services.tokens, Date.now());
  requireScope(principal, SCOPE);
  assertQueueHasRoom(services, principal);
  const { key, names } = await receiveUpload(services, principal, "upload", async (folder) => {
    const files = await saveForm(request, folder, services.maxBytes);
    return { files, label: labelOf(files.map(({ name }) => name)) };
  });
  const queued: Static<typeof QueuedUpload> = { status: "queued", job: key, files: names };
  return reply.code(202).header("cache-control", "no-store").send(queued);
}

/** A form may have a hundred files; the report of the import has all their names. */
function labelOf([first = "", ...others]: string[]): string {
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

/**
 * Saves the files of an upload and queues its import. Once it returns, neither a kill nor a power cut loses the upload. Files
 * that the token sent before within a day are not imported again: the key is that of the first upload.
 */
async function receiveUpload(
  { queue }: UploadServices,
  { keyId }: Principal,
  origin: "push" | "upload",
  save: (folder: string) => Promise<{ files: SavedFile[]; label: string }>,
): Promise<{ key: string; names: string[] }> {
  const received = randomUUID();
  // A later start removes files that cannot be deleted now.
  const remove = () => queue.folder.delete(received).catch(() => undefined);
  const discard = async (error: unknown): Promise<never> => {
    await remove();
    throw error;
  };
  const store = async () => {
    const saved = await save(await queue.folder.create(received));
    await queue.folder.flush(received);
    return saved;
  };
  const { files, label } = await store().catch(discard);
  const upload = { key: received, origin, label, token: keyId, digest: hashIdentity(files) };
  const queueUpload = async () => {
    const key = await queue.add(upload).catch(discard);
    if (key !== received) await remove();
    return key;
  };
  // The files of an upload that is queued late, after its client was told to retry, stay: it is imported.
  const key = await answerInTime(queueUpload());
  return { key, names: files.map(({ name }) => name) };
}

/** The token is in the path, or the password of the URL. An invalid one learns nothing about what exists. */
async function authorizeUrl({ tokens }: UploadServices, request: FastifyRequest): Promise<Principal> {
  const token = tokenInPath(request) ?? parseBasicPassword(request.headers.authorization);
  if (token === null) {
    throw new ApiError("missing_token", "send the ingest token in the URL", {
      headers: { "www-authenticate": 'Basic realm="triptych ingest"' },
    });
  }
  const principal = await tokens.verify(token, Date.now());
  if (principal === null) throw new ApiError("ingest_forbidden", "the URL has no valid ingest token");
  request.principal = principal;
  requireScope(principal, SCOPE);
  return principal;
}

function tokenInPath(request: FastifyRequest): string | null {
  const token = isFields(request.params) ? request.params["token"] : undefined;
  return typeof token === "string" ? token : null;
}

function parseBasicPassword(header: string | undefined): string | null {
  const [scheme, credentials = ""] = header?.split(" ") ?? [];
  if (scheme?.toLowerCase() !== "basic") return null;
  const text = Buffer.from(credentials, "base64").toString("utf8");
  return text.slice(text.indexOf(":") + 1) || null;
}

function assertQueueHasRoom({ queue }: UploadServices, { keyId }: Principal): void {
  if (queue.isFull(keyId)) {
    throw new ApiError("rate_limited", "too many queued imports of this token; retry in 30 s", {
      headers: { "retry-after": "30" },
    });
  }
}

function statusUrl(request: FastifyRequest, key: string): string {
  const token = tokenInPath(request);
  return `${token === null ? "" : `/ingest/${token}`}/api/check-query/?key=${key}`;
}
