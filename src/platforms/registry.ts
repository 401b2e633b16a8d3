/** The registry of platforms and of the operations they provide. */
import { type Operation, crossPlatformOperations, operationsOf, type Platform } from "#api/platform.ts";
import type { Source } from "#api/source.ts";
import { crossPlatform } from "./cross-platform/platform.ts";
import { longvideo } from "./longvideo/platform.ts";
import { photoshare } from "./photoshare/platform.ts";
import { shortvideo } from "./shortvideo/platform.ts";

export const PLATFORMS: readonly Platform[] = [shortvideo, longvideo, photoshare];

/** All official sources; those that are on are a setting. */
export const SOURCES: readonly Source[] = PLATFORMS.flatMap(({ sources }) => sources);

export const OPERATIONS: readonly Operation[] = [
  ...operationsOf(PLATFORMS),
  ...crossPlatformOperations(crossPlatform, PLATFORMS),
];

/** What can be watched, by platform. */
export const WATCHABLE = Object.fromEntries(PLATFORMS.map(({ name, watchable }) => [name, watchable]));
