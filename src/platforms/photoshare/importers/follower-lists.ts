/**
 * Lists of followers or followed accounts as tools such as instagrapi dump them: bare users, users by their id, or a list
 * of users with the cursor of the next page after it. The file's name says which they are, and `--of` whose.
 */
import type { Importer, SourceDocument, SourceFile } from "#api/importer.ts";
import { type Fields, isFields, readId, readObjectAt, readObjects } from "#import/capture/field-readers.ts";
import { recogniseAll } from "../recognise.ts";
import { isUser } from "../recognise/captured-user.ts";
import { isFollowsFile } from "../recognise/enclosing-context.ts";
import { USER_LISTS } from "../recognise/owner-lists.ts";

export const followerLists: Importer = {
  name: "photoshare web",

  detects(document, file) {
    return document.kind === "json" && (listMembers(document, file).length > 0 || isCursor(document, file));
  },

  read(document, file, collect) {
    if (isCursor(document, file)) return collect.skip("the cursor of the next page");
    recogniseAll({ users: listMembers(document, file) }, { document: { url: null, file } }, collect);
  },
};

/** Members of lists do not have them: without `--of`, users that do may be a collection of profiles. */
const OWN_PAGE_KEYS = ["biography", "follower_count", "edge_followed_by"];

function listMembers({ value, location, origin }: SourceDocument, file: SourceFile): Fields[] {
  const isListed = location === undefined || USER_LISTS.includes(location.path.at(-1) ?? "");
  if (!isListed || !isFollowsFile({ document: { url: origin.url ?? null, file } })) return [];
  const listed = readObjects(value);
  const users = listed.length > 0 && listed.every(isUser) ? listed : listOneOrById(readObjectAt(value));
  const isCertain = file.subject !== null || !users.some((user) => OWN_PAGE_KEYS.some((key) => key in user));
  return isCertain ? users : [];
}

/** After the list, where nothing else could be meant by a text that is no account's name. */
function isCursor({ value, index, location, origin }: SourceDocument, file: SourceFile): boolean {
  if (index !== 1 || location !== undefined || !isFollowsFile({ document: { url: origin.url ?? null, file } }))
    return false;
  return value === null || (typeof value === "string" && !/^[\w.]{1,30}$/.test(value));
}

function listOneOrById(object: Fields): Fields[] {
  if (isUser(object)) return [object];
  const users = Object.values(object).filter(isFields);
  const ids = Object.keys(object);
  return users.length === ids.length && users.every((user, at) => isUser(user) && readId(user["pk"]) === ids[at])
    ? users
    : [];
}
