/** An operation's example as a curl command. */
import type { Operation } from "#api/platform.ts";

/** `authorization` is quoted for the shell already: it may name a variable. */
export function curlLine(
  operation: Operation,
  baseUrl: string,
  authorization: string,
  example = operation.endpoint.example,
): string {
  const { endpoint, path } = operation;
  const url = new URL(path, baseUrl);
  const parts = ["curl", "-H", authorization];
  if (endpoint.method === "GET") {
    for (const [name, value] of Object.entries(example)) url.searchParams.set(name, value);
  } else {
    const option = endpoint.form === "multipart" ? "--form-string" : "--data-urlencode";
    for (const [name, value] of Object.entries(example)) parts.push(option, shellQuote(`${name}=${value}`));
  }
  return [...parts, shellQuote(url.href)].join(" ");
}

export function bearerHeader(token: string): string {
  return shellQuote(`Authorization: Bearer ${token}`);
}

/** For a token that is not printed. */
export function bearerVariable(name: string): string {
  return `"Authorization: Bearer $${name}"`;
}

/** One look-up per platform, with the shortest example; a POST where the platform has one. */
export function pickExamples(operations: readonly Operation[]): Operation[] {
  const ofOne = operations.filter(({ reads }) => reads.length === 1);
  const byPlatform = Map.groupBy(ofOne, ({ group }) => group.name);
  return [...byPlatform.values()].flatMap((platformOperations) => {
    const lookups = platformOperations
      .filter(({ endpoint }) => endpoint.cost === "lookup")
      .toSorted((a, b) => Object.keys(a.endpoint.example).length - Object.keys(b.endpoint.example).length);
    const picked = lookups.find(({ endpoint }) => endpoint.method === "POST") ?? lookups[0];
    return picked === undefined ? [] : [picked];
  });
}

export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
