/**
 * Tells folders of subtitles that are named by the ids of their videos, such as `z6wDERJgUnk.srt`. A single name proves
 * nothing: `iPhone15Pro` has the form of an id too.
 */
import { isWord, readIssuedId } from "../id-forms.ts";
import { parseSubtitleName, SUBTITLE_EXTENSIONS } from "./file-name.ts";

/** Nineteen of twenty ids change so often between lower case, upper case and digits; few words do. */
const CLEAR_CHANGES = 4;
/** Enough among names that are clear. */
const MIN_CHANGES = 2;
const MIN_NAMES = 5;
const MIN_SHARE = 0.8;

/** Whether the name is an id, among the names of its folder. */
export function isNamedById(stem: string, siblings: ReadonlySet<string>): boolean {
  return isPossibleId(stem, MIN_CHANGES) && isFolderOfIds(siblings);
}

/** Whether YouTube can have issued it: other sites, too, have ids of eleven characters. */
function isPossibleId(stem: string, minChanges: number): boolean {
  return readIssuedId(stem) === stem && !isWord(stem) && countChanges(stem) >= minChanges;
}

const CHANGE = /[a-z](?=[A-Z\d])|[A-Z](?=[a-z\d])|\d(?=[A-Za-z])/g;

function countChanges(stem: string): number {
  return stem.match(CHANGE)?.length ?? 0;
}

/** By the set of names, which all files of a folder share. */
const known = new WeakMap<ReadonlySet<string>, boolean>();

/** Whether nearly all subtitles in it, each video counted once, are clearly named by ids. */
function isFolderOfIds(names: ReadonlySet<string>): boolean {
  const isKnown = known.get(names);
  if (isKnown !== undefined) return isKnown;
  const stems = new Set<string>();
  for (const name of names) {
    const parsed = parseSubtitleName(name);
    if (parsed !== null && SUBTITLE_EXTENSIONS.has(parsed.extension)) stems.add(parsed.stem);
  }
  const ids = [...stems].filter((stem) => isPossibleId(stem, CLEAR_CHANGES));
  const isOfIds = ids.length >= MIN_NAMES && ids.length >= stems.size * MIN_SHARE;
  known.set(names, isOfIds);
  return isOfIds;
}
