/** An operation's example as a line for a shell. */
import type { Operation } from "#api/platform.ts";

/** `authorization` is quoted for the shell already, since it may name a variable. */
export function curlLine(operation: Operation, address: string, authorization: string): string {
  const { endpoint, path } = operation;
  const url = new URL(path, address);
  const parts = ["curl", "-H", authorization];
  if (endpoint.method === "GET") {
    for (const [name, value] of Object.entries(endpoint.example)) url.searchParams.set(name, value);
  } else {
    const option = endpoint.form === "multipart" ? "--form-string" : "--data-urlencode";
    for (const [name, value] of Object.entries(endpoint.example)) parts.push(option, quoted(`${name}=${value}`));
  }
  return [...parts, quoted(url.href)].join(" ");
}

export function bearerHeader(token: string): string {
  return quoted(`Authorization: Bearer ${token}`);
}

/** For a token that the reader has and we do not show. */
export function bearerVariable(name: string): string {
  return `"Authorization: Bearer $${name}"`;
}

/** One cheap operation per platform, with the shortest example; a platform that takes forms shows a form. */
export function showcase(operations: readonly Operation[]): Operation[] {
  const byPlatform = Map.groupBy(operations, ({ group }) => group.name);
  return [...byPlatform.values()].flatMap((own) => {
    const lookups = own
      .filter(({ endpoint }) => endpoint.cost === "lookup")
      .toSorted((a, b) => Object.keys(a.endpoint.example).length - Object.keys(b.endpoint.example).length);
    const shown = lookups.find(({ endpoint }) => endpoint.method === "POST") ?? lookups[0];
    return shown === undefined ? [] : [shown];
  });
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
