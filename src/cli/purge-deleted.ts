/** Removes the bytes of what a command has deleted. Failing leaves the rest of the command done, so it is told in a note. */
import { PROGRAM } from "#config";
import { storageFaultOf } from "#domain/storage-fault.ts";
import type { Store } from "#store/store.ts";
import { describeError } from "./command-errors.ts";

/** Null if nothing is left, else the note. */
export async function purgeDeleted({ writer }: Pick<Store, "writer">): Promise<string | null> {
  try {
    if (await writer.purgeErased()) return null;
    return describeLeft("a backup, an export or another long read needs them");
  } catch (error) {
    if (storageFaultOf(error) === null) throw error;
    return describeLeft(describeError(error) ?? String(error));
  }
}

function describeLeft(reason: string): string {
  return `The deleted bytes are still on disk: ${reason}. A running service removes them later; or run "${PROGRAM} compact".\n`;
}
