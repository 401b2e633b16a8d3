/** Routes below /admin/, in the shapes that openapi.json has for them. Their errors are those of the public API. */
import { TriptychError, type Problem } from "../../../client/triptych.ts";
import { sessionFetch } from "./client.ts";

export async function adminRequest<Body>(method: string, path: string, body?: unknown): Promise<Body> {
  const response = await sessionFetch(`/admin/${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
  return readBody(response);
}

export async function readBody<Body>(response: Response): Promise<Body> {
  const body = parse(await response.text());
  if (!response.ok) throw new TriptychError(response, body as Problem | null);
  return body as Body;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export interface Counted {
  platform: string;
  kind: string;
  count: number;
}

export interface KindCounts {
  new: number;
  updated: number;
  unchanged: number;
  erased: number;
}

export interface JobSummary {
  id: string;
  origin: string;
  label: string;
  state: "running" | "waiting" | "interrupted" | "done" | "dismissed" | "undone";
  startedAt: string;
  updatedAt: string;
  files: number;
  filesDone: number;
  documents: number;
  records: KindCounts;
  refused: number;
  skipped: number;
}

/** Whether a process works on it, or will without being asked. */
export const isUnderWay = ({ state }: JobSummary): boolean => state === "running" || state === "waiting";

export interface JobList {
  jobs: JobSummary[];
  /** Null at the end. */
  next: string | null;
}

export interface Overview {
  countedAt: string;
  bytes: number;
  newestCapture: string | null;
  records: Counted[];
  sources: (Counted & { source: string; oldestCapture: string | null; newestCapture: string | null })[];
  growth: { day: string; platform: string; count: number }[];
  jobs: Record<JobSummary["state"], number> & { newest: JobSummary | null };
}

interface Reason {
  code: string | null;
  reason: string;
  count: number;
}

export interface Counts {
  formats: { format: string; documents: number }[];
  records: ({ kind: string } & KindCounts)[];
  refused: Reason[];
  skipped: Reason[];
}

export interface FileReport extends Counts {
  name: string;
  state: "running" | "done";
  documents: number;
}

/** A reason, and the first of the files that have it, without the folder that all files are in. */
export interface ImportProblem extends Reason {
  files: number;
  names: string[];
}

export interface Job {
  job: JobSummary;
  total: Counts;
  folder: string;
  problems: ImportProblem[];
  files: FileReport[];
  nextFile: number | null;
  rejects: { number: number; file: string; line: number | null; code: string | null; reason: string }[];
  nextReject: number | null;
}

export interface Token {
  keyId: string;
  label: string;
  scopes: string[];
  state: "active" | "expired" | "revoked" | "replaced";
  createdAt: string;
  expiresAt: string | null;
  revokedAt: string | null;
  replacedBy: string | null;
  limits: { burst: number | null; daily: number | null; concurrency: number | null };
}

export interface TokenList {
  tokens: Token[];
  scopes: { name: string; sentence: string }[];
}

export interface IssuedToken {
  token: string;
  record: Token;
}

export interface Usage {
  since: string;
  usage: {
    keyId: string;
    label: string | null;
    day: string | null;
    operation: string | null;
    requests: number;
    clientErrors: number;
    serverErrors: number;
  }[];
}

export interface RecentError {
  at: string;
  requestId: string;
  method: string;
  path: string;
  status: number;
  code: string;
  detail: string;
  keyId: string | null;
}

export interface Erasure {
  platform: string;
  kind: string;
  id: string;
  name: string | null;
  dryRun: boolean;
  counts: Record<string, number>;
  /** Null in a preview. */
  purged: boolean | null;
}

interface KindCount {
  kind: string;
  count: number;
}

export interface Undo {
  id: string;
  dryRun: boolean;
  removed: KindCount[];
  restored: KindCount[];
  kept: KindCount[];
  points: number;
}

export interface RetentionRule {
  /** Empty for all. */
  source: string;
  kind: string;
  /** Null is for ever. */
  days: number | null;
}

export interface RetentionChange {
  /** What would be deleted; null without a dry run. */
  due: KindCount[] | null;
}

export interface Retention {
  rules: RetentionRule[];
  defaultDays: number | null;
  duties: { source: string; days: number }[];
}

export interface Watch {
  id: string;
  platform: string;
  kind: string;
  target: string;
  every: string;
  state: "active" | "paused";
  nextAt: string | null;
  lastAt: string | null;
  lastOutcome: string | null;
  requests: number;
}

export interface WatchList {
  watches: Watch[];
  kinds: { platform: string; kind: string; target: string }[];
  /** Whether a live source is on. */
  running: boolean;
}

export interface LiveSource {
  name: string;
  title: string;
  platform: string;
  state: "on" | "off" | "incomplete";
  missing: string[];
  budgets: { name: string; title: string; used: number; left: number; limit: number; resetsAt: string | null }[];
  pause: { state: "paused" | "rejected"; reason: string } | null;
  retentionDays: number | null;
}
