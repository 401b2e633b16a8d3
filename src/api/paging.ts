/** Follows the pages of a list as its endpoint describes them. */
import { isFields } from "#domain/fields.ts";
import type { Paging } from "./endpoint.ts";
import type { RawInput } from "./input.ts";

/** The value at a path such as `posts.edges`; undefined if there is none. */
export function valueAt(body: unknown, path: string): unknown {
  let value = body;
  for (const name of path.split(".")) {
    if (!isFields(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}

export function itemsOf(body: unknown, { items }: Paging): unknown[] {
  const value = valueAt(body, items);
  return Array.isArray(value) ? value : [];
}

/** The parameters that request the next page; null after the last one. */
export function nextPage(body: unknown, { next, more, increment }: Paging): RawInput | null {
  const parameters = Object.entries(next).map(([name, path]) => {
    const value = valueAt(body, path);
    return [name, increment === true ? Number(value) + 1 : value] as const;
  });
  const isLast = more === undefined ? parameters.some(([, value]) => !value) : !valueAt(body, more);
  return isLast ? null : Object.fromEntries(parameters);
}

/** The fields that a selection must keep for the list to go on, in the notation of `fields`. */
export function pagingFields({ next, more }: Paging): string[] {
  const paths = [...Object.values(next), ...(more === undefined ? [] : [more])];
  return [...new Set(paths)].map((path) => {
    const names = path.split(".");
    return names.join("(") + ")".repeat(names.length - 1);
  });
}
