/** One line per official source, the most complete first. */
import type { Source } from "#api/source.ts";
import { tiktokOembed } from "./sources/tiktok-oembed.ts";
import { tiktokResearch } from "./sources/tiktok-research.ts";

export const SOURCES: readonly Source[] = [tiktokResearch, tiktokOembed];
