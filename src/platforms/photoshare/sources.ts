/** One line per official source, the most complete first. */
import type { Source } from "#api/source.ts";
import { instagramGraph } from "./sources/instagram-graph.ts";

export const SOURCES: readonly Source[] = [instagramGraph];
