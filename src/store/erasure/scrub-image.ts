/** Removes traces of erased people from what was stored before an import: see undo/port.ts and scrub.ts. */
import { makerKeys } from "./erased-record.ts";
import type { ReportKind } from "#domain/job.ts";
import type { Image } from "#store/undo/port.ts";
import { imageOf } from "#store/write/record-row.ts";
import { type IsErased, scrubJson } from "./scrub.ts";

interface StoredBefore {
  /** Of records and comments. */
  header?: object;
  native?: object;
  captured_at: number;
  source: string;
  /** Of chart entries. */
  post_id?: string;
}

/** Null, as if nothing had been stored, if it was of somebody erased. The same text if nothing was removed. */
export function scrubImage(kind: ReportKind, image: string, isErased: IsErased): Image {
  const stored = JSON.parse(image) as StoredBefore | null;
  if (stored?.post_id !== undefined) return isErased("post", stored.post_id) ? null : image;
  if (stored?.header === undefined) return scrubJson(image, isErased);
  if (makerKeys(kind, stored.header, () => stored.native ?? {}).some((key) => isErased("account", key))) return null;
  const { captured_at, source } = stored;
  const [header, native] = [stored.header, stored.native].map((part) => scrubJson(JSON.stringify(part), isErased));
  return imageOf({ header: header as string, native: native as string, captured_at, source });
}
