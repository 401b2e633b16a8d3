/**
 * Elements of lists of followers that were too large to read whole. Alone, a follower is only an account, so each element
 * is put back into its list. The response comes after them, with the list empty.
 */
import type { Collector, Importer, SourceDocument, SourceFile } from "#api/importer.ts";
import type { Refusal } from "#api/refusals.ts";
import { type Fields, isFields, readObjectAt } from "#import/capture/field-readers.ts";
import { recogniseAll } from "../recognise.ts";
import { isUser } from "../recognise/user.ts";

const LISTS = ["followers", "followings", "userList"];

export const splitFollowLists: Importer = {
  name: "shortvideo web",

  detects(document) {
    return document.kind === "json" && (getListName(document) !== undefined || isEmptyResponse(document.value));
  },

  read(document, file, collect) {
    const list = getListName(document);
    const value = list === undefined ? document.value : { [list]: [document.value] };
    const isSplit = document.splitPaths !== undefined;
    const context = { url: document.origin.url ?? null, file, capturedAt: document.capturedAt, isSplit };
    const isFound = recogniseAll(value, context, refusingOnce(collect, file));
    if (!isFound && !isSplit) collect.skip("an empty response");
  },
};

function getListName({ location, value }: SourceDocument): string | undefined {
  const list = location?.path.at(-1);
  if (list === undefined || !LISTS.includes(list) || !isFields(value)) return undefined;
  return isUser(value) || isUser(readObjectAt(value, "user")) ? list : undefined;
}

function isEmptyResponse(value: unknown): value is Fields {
  if (!isFields(value) || !("status_code" in value || "statusCode" in value)) return false;
  return LISTS.some((list) => Array.isArray(value[list]) && value[list].length === 0);
}

const REFUSED = new WeakMap<SourceFile, Set<Refusal>>();

/** What is said of a list is said of each element. */
function refusingOnce(collect: Collector, file: SourceFile): Collector {
  const refused = REFUSED.get(file) ?? new Set();
  REFUSED.set(file, refused);
  return {
    ...collect,
    refuse(reason) {
      if (!refused.has(reason)) collect.refuse(reason);
      refused.add(reason);
    },
  };
}
