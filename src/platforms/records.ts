/** The records of all platforms. Threads that write need no more: the registry, with all that serves them, is not loaded. */
import type { PlatformRecords } from "#api/platform.ts";
import type { ProjectionRegistry } from "#domain/projection.ts";
import { RECORDS as longvideo } from "./longvideo/records.ts";
import { RECORDS as photoshare } from "./photoshare/records.ts";
import { RECORDS as shortvideo } from "./shortvideo/records.ts";

export const PLATFORM_RECORDS: readonly PlatformRecords[] = [shortvideo, longvideo, photoshare];

/** The projections that stores pre-render. */
export const PROJECTIONS: ProjectionRegistry = Object.fromEntries(
  PLATFORM_RECORDS.map(({ name, shapes }) => [name, shapes]),
);
