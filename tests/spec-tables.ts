/**
 * The contract, typed in by hand from SPEC.md, so that a mistake in a schema of ours meets a second opinion. It imports
 * nothing from `src` and must stay so: a table that is derived from the schemas would agree with all their mistakes.
 */
import { differences, type Shape, shapeOf } from "./spec/check.ts";
import { CROSS_PLATFORM } from "./spec/cross-platform.ts";
import { LONGVIDEO } from "./spec/longvideo.ts";
import type { Behaviour, OperationSpec } from "./spec/notation.ts";
import { PHOTOSHARE_PROFILES } from "./spec/photoshare-profiles.ts";
import { PHOTOSHARE } from "./spec/photoshare.ts";
import { SHORTVIDEO_TRENDING } from "./spec/shortvideo-trending.ts";
import { SHORTVIDEO } from "./spec/shortvideo.ts";

export const SPEC_PARTS: readonly Readonly<Record<string, OperationSpec>>[] = [
  SHORTVIDEO,
  SHORTVIDEO_TRENDING,
  LONGVIDEO,
  PHOTOSHARE,
  PHOTOSHARE_PROFILES,
];

/** By name: the path without `/api/`. */
export const SPEC_TABLES: Readonly<Record<string, OperationSpec>> = Object.assign({}, ...SPEC_PARTS);

/** Of every operation, those beyond SPEC.md included. */
export const BEHAVIOUR: Readonly<Record<string, Behaviour>> = { ...SPEC_TABLES, ...CROSS_PLATFORM };

const SHAPES = new Map<string, Shape>(
  Object.entries(SPEC_TABLES).map(([name, { response }]) => [name, shapeOf(response)]),
);

/**
 * What is wrong with the body of a successful answer: fields that are missing, have the wrong type, or are not in the
 * contract. `operation` is a name such as `shortvideo/music/posts`; `language` is the one the answer was asked in.
 */
export function checkAgainstSpec(operation: string, body: unknown, language = "en"): string[] {
  const shape = SHAPES.get(operation);
  if (shape === undefined) return [`${operation} is not an operation of SPEC.md`];
  return differences(shape, body, language);
}
