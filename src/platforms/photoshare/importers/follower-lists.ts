/**
 * Lists of followers or followed accounts as tools such as instagrapi dump them: bare users, or users by their id. The
 * file's name says which they are, and `--of` whose.
 */
import type { Importer, SourceDocument, SourceFile } from "#api/importer.ts";
import { type Fields, isFields, readId, readObjectAt } from "#import/capture/field-readers.ts";
import { recogniseAll } from "../recognise.ts";
import { isUser } from "../recognise/captured-user.ts";
import { isFollowsFile } from "../recognise/enclosing-context.ts";

export const followerLists: Importer = {
  name: "photoshare web",

  detects(document, file) {
    return document.kind === "json" && listMembers(document, file).length > 0;
  },

  read(document, file, collect) {
    recogniseAll({ users: listMembers(document, file) }, { document: { url: null, file } }, collect);
  },
};

/** Members of lists do not have them: without `--of`, users that do may be a collection of profiles. */
const OWN_PAGE_KEYS = ["biography", "follower_count", "edge_followed_by"];

function listMembers({ value, location, origin }: SourceDocument, file: SourceFile): Fields[] {
  const isListed = location === undefined || location.path.at(-1) === "users";
  if (!isListed || !isFollowsFile({ document: { url: origin.url ?? null, file } })) return [];
  const object = readObjectAt(value);
  const users = isUser(object) ? [object] : listById(object);
  const isCertain = file.subject !== null || !users.some((user) => OWN_PAGE_KEYS.some((key) => key in user));
  return isCertain ? users : [];
}

function listById(object: Fields): Fields[] {
  const users = Object.values(object).filter(isFields);
  const ids = Object.keys(object);
  return users.length === ids.length && users.every((user, at) => isUser(user) && readId(user["pk"]) === ids[at])
    ? users
    : [];
}
