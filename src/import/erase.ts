/** Erases a record, or counts what that would delete. */
import type { PlatformName } from "#domain/record.ts";
import type { Store } from "#store/store.ts";
import type { ErasureCounts } from "#store/writer.ts";

export const ERASABLE_KINDS = ["account", "post", "comment"] as const;

export interface ErasureRequest {
  platform: PlatformName;
  kind: (typeof ERASABLE_KINDS)[number];
  /** Of an account also its name, with or without `@`. */
  id: string;
  dryRun: boolean;
}

export interface Erasure {
  id: string;
  /** Of a stored account. */
  name: string | null;
  counts: ErasureCounts;
}

export type { ErasureCounts };

export async function erase(
  store: Pick<Store, "reader" | "writer">,
  { platform, kind, id: idOrName, dryRun }: ErasureRequest,
): Promise<Erasure> {
  const account = kind === "account" ? await store.reader(platform).getAccountByName(idOrName.replace(/^@/, "")) : null;
  const id = account?.id ?? idOrName;
  const counts = await (dryRun
    ? store.writer.previewErasure(platform, kind, id)
    : store.writer.erase(platform, kind, id));
  return { id, name: account?.name ?? null, counts };
}
