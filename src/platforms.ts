/** The registry: a line per platform. */
import type { Platform } from "#contract/platform.ts";
import { longvideo } from "./platforms/longvideo/platform.ts";
import { photoshare } from "./platforms/photoshare/platform.ts";
import { shortvideo } from "./platforms/shortvideo/platform.ts";

export const PLATFORMS: readonly Platform[] = [shortvideo, longvideo, photoshare];
