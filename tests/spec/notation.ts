/**
 * How the tables are written. A response is a flat list of paths and words that reads like the contract:
 * `"comments[].user.avatar_thumb.url_list[]": "url"`. Dots go into objects, `[]` into the items of a list, a leading
 * `[]` is an answer that is a list itself. `name?` may be absent. `path.*` opens an object, and all below it, to fields
 * that no table names.
 */
import type { Word } from "./words.ts";

export type Fields = Readonly<Record<string, Word>>;

/** How an operation behaves, for the tests that ask all of them. */
export interface Behaviour {
  /** Parameters of a request that tests/world.ts can answer, where that world does not say what they name. */
  request?: Readonly<Record<string, string>>;
  /** The error code when the record that is asked for is not stored; without one the answer is 200. */
  notFound?: string;
  /** How its pages are walked, if it has pages. */
  pages?: PageSpec;
}

export interface PageSpec {
  /** Where the ids of the items stand in the response: `itemList[].id`. */
  ids: string;
  /** The parameters of the next page, each with the place of its value in the response. */
  next: Readonly<Record<string, string>>;
  /** The field that says whether there is a next page; without one an empty token says that there is none. */
  more?: string;
  /** Pages have numbers: the next one is that of the response plus one. */
  increment?: true;
}

export interface OperationSpec extends Behaviour {
  method: "GET" | "POST";
  path: string;
  /** Where the parameters travel: in the address, or in a body of this encoding. */
  encoding: "query" | "multipart" | "urlencoded";
  parameters: Readonly<Record<string, ParameterSpec>>;
  response: Fields;
}

export interface ParameterSpec {
  in: "query" | "body";
  required: boolean;
  /** As the contract names it: an `amount` travels in a form and is a string there, though it holds a number. */
  type: "string" | "number";
  default?: string | number;
  minimum?: number;
  maximum?: number;
  /** The only value allowed. */
  exactly?: string;
  /** The only values allowed; case does not matter. */
  oneOf?: readonly (string | number)[];
  /** Goes beyond SPEC.md. */
  more?: true;
}

type Rest = Omit<ParameterSpec, "in" | "required" | "type">;

export function query(type: ParameterSpec["type"], rest: Rest = {}): ParameterSpec {
  return { in: "query", required: false, type, ...rest };
}

/** Forms know only text. */
export function body(rest: Rest = {}): ParameterSpec {
  return { in: "body", required: false, type: "string", ...rest };
}

export function required(parameter: ParameterSpec): ParameterSpec {
  return { ...parameter, required: true };
}

/** The same fields at a place further down. */
export function under(place: string, fields: Fields): Fields {
  const moved = Object.entries(fields).map(([path, word]): [string, Word] => [
    path.startsWith("[]") ? `${place}${path}` : `${place}.${path}`,
    word,
  ]);
  return Object.fromEntries(moved);
}

/** For the lists in which the contract gives one type to many names. */
export function all(word: Word, names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, word]));
}
