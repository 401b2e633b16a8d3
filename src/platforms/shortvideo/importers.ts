/** A line per named format, the most particular first. */
import type { Importer } from "#contract/importer.ts";

export const IMPORTERS: Importer[] = [];
