/** A person as the records of others may name them. */
import type { Account } from "#domain/account.ts";
import { isTelling } from "#domain/display-name.ts";
import { fold, foldName } from "#domain/folding.ts";
import type { Post } from "#domain/post.ts";
import { provisionalId } from "#domain/provisional-id.ts";
import { displayNameKey } from "./keys.ts";
import type { IsErased } from "./scrub.ts";

export interface Person {
  id: string;
  /** Names in URLs, folded. */
  names: Set<string>;
  /** The same as they were written. */
  spellings: Set<string>;
  displayNames: Set<string>;
}

/** The account is null if it is not stored: then `id` may also be a name, with a space in it a displayed one. */
export function createPerson(id: string, account: Pick<Account, "name" | "displayName"> | null): Person {
  const person: Person = { id, names: new Set(), spellings: new Set(), displayNames: new Set() };
  addNames(person, account ?? { name: id, displayName: /\s/.test(id) ? id : null });
  return person;
}

export function addNames(person: Person, { name, displayName }: Pick<Account, "name" | "displayName">): void {
  if (name !== null && foldName(name) !== "") {
    person.names.add(foldName(name));
    person.spellings.add(name.replace(/^@/, ""));
  }
  if (displayName != null && displayName !== "") person.displayNames.add(displayName);
}

/** Posts have the names that their author had when they were captured. */
export function addAuthorNames(
  person: Person,
  { authorId, authorNames = [] }: Pick<Post, "authorId" | "authorNames">,
): void {
  // Of a post with several authors the names may be those of another.
  if (authorId !== person.id) return;
  for (const displayName of authorNames) addNames(person, { name: null, displayName });
  // A single one may be either.
  const [name = null] = authorNames;
  if (authorNames.length === 2) addNames(person, { name, displayName: null });
}

/** Under which records may refer to the person: captures that know only a name use a provisional id. */
export function idsOf({ id, names }: Pick<Person, "id" | "names">): string[] {
  return [...new Set([id, ...Array.from(names, provisionalId)])];
}

/** Under which the person is remembered. */
export function personKeys(person: Person): string[] {
  return [...idsOf(person), ...[...person.displayNames].filter(isTelling).map(displayNameKey)];
}

/** Whether a key is one of this person, or of a sound of theirs. */
export function isOfPerson(person: Person, soundIds: ReadonlySet<string>): IsErased {
  const keys = new Set(personKeys(person));
  return (kind, key) => (kind === "sound" ? soundIds.has(key) : kind === "account" && keys.has(key));
}

export interface Needles {
  /** Of accounts, posts or comments. */
  ids: ReadonlySet<string>;
  /** Account names, folded. */
  names: readonly string[];
}

/** Whether a file name has one of the names or ids, between characters that are neither letters nor digits. */
export function isNamedIn(text: string, { ids, names }: Needles): boolean {
  for (const id of listPossibleIds(text)) if (ids.has(id)) return true;
  const folded = fold(text);
  return names.some((name) => containsWord(folded, name));
}

/** The parts of a file name that may be an id. */
export function* listPossibleIds(text: string): Generator<string> {
  for (const [id] of text.matchAll(/[\p{L}\p{N}]+/gu)) yield id;
  for (const [id] of text.matchAll(/[\p{L}\p{N}_-]+/gu)) yield id;
}

/** Longer names of more words are not looked for. */
const MAX_WORDS = 5;
/** Names may start and end with these, which also separate the words of a file name. */
const EDGES = ["", "_", "__", ".", "-"];

/** The parts of a file name that may be a name or an id, for stores that know only digests of those. */
export function* listPossibleNames(text: string): Generator<string> {
  const words = [...text.matchAll(/[\p{L}\p{N}]+/gu)];
  for (const [index, first] of words.entries()) {
    for (const last of words.slice(index, index + MAX_WORDS)) {
      const [start, end] = [first.index, last.index + last[0].length];
      const before = EDGES.filter((edge) => text.slice(0, start).endsWith(edge));
      const after = EDGES.filter((edge) => text.startsWith(edge, end));
      for (const left of before) for (const right of after) yield left + text.slice(start, end) + right;
    }
  }
}

function containsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (!isWordCharacter(text[at - 1]) && !isWordCharacter(text[at + word.length])) return true;
  }
  return false;
}

function isWordCharacter(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}
