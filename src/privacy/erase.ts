/** Erases a person, a post or a comment, or counts what that would delete. */
import type { NameableKind } from "#api/record-id.ts";
import type { PlatformName } from "#domain/record.ts";
import { rewriteRejects } from "#import/rejects-file.ts";
import type { AuditLog } from "./audit-log.ts";
import { findAccount } from "./find-account.ts";
import type { Store } from "#store/store.ts";
import type { ErasureCounts } from "#store/write/port.ts";

export interface ErasureRequest {
  platform: PlatformName;
  kind: NameableKind;
  /** As `parseRecordId` returns it. Of an account also its name, with or without `@`; without, an id comes first. */
  id: string;
  dryRun: boolean;
  /** As the audit log has it. */
  actor: string;
}

export interface Erasure {
  id: string;
  /** Of a stored account. */
  name: string | null;
  counts: ErasureCounts;
  /** False if erased bytes are still on disk; null if nothing was erased, since this is a dry run. */
  isPurged: boolean | null;
}

export type { ErasureCounts };

export interface ErasureServices {
  store: Pick<Store, "reader" | "tables" | "writer" | "jobs">;
  dataDir: string;
  audit: AuditLog;
  /** Removes the bytes of what was erased; false if it could not, or has not yet. */
  purge: () => Promise<boolean>;
}

export async function erase(
  { store, dataDir, audit, purge }: ErasureServices,
  { platform, kind, id: idOrName, dryRun, actor }: ErasureRequest,
): Promise<Erasure> {
  const account = kind === "account" ? await findAccount(store, platform, idOrName) : null;
  const id = account?.id ?? idOrName;
  const name = account?.name ?? null;
  if (dryRun) {
    return { id, name, counts: await store.writer.previewErasure(platform, kind, id), isPurged: null };
  }
  const { counts, jobs } = await store.writer.erase(platform, kind, id);
  let isPurged: boolean;
  try {
    const subject = audit.subjectOf(platform, kind, id);
    await audit.record({ actor, action: "erasure", details: { platform, kind, subject, ...counts } });
    await rewriteRejects(store.jobs, jobs, dataDir);
  } finally {
    // Last: it may have to wait, and what is erased must be written down even if this process ends meanwhile.
    isPurged = await purge();
  }
  return { id, name, counts, isPurged };
}
