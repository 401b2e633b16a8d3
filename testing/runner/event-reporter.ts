/**
 * A reporter for node:test that appends one JSON line per event to the file named in the environment. It writes
 * synchronously, so that a file that is killed in the middle of a test has already named that test.
 */
import { appendFileSync } from "node:fs";
import type { TestEvent } from "node:test/reporters";
import { inspect } from "node:util";

export const EVENTS_FILE_VARIABLE = "TRIPTYCH_TEST_EVENTS";

/** The title of a test has the names of the suites around it. */
export type JobEvent =
  | { type: "begin"; title: string }
  | { type: "start" | "end"; name: string; depth: number }
  | { type: "pass" | "skip"; title: string }
  | { type: "fail"; title: string; place: string; error: string };

export function writeJobEvent(event: JobEvent): void {
  const file = process.env[EVENTS_FILE_VARIABLE];
  if (file === undefined) throw new Error(`${EVENTS_FILE_VARIABLE} is not set; testing/runner/run-tests.ts sets it.`);
  appendFileSync(file, `${JSON.stringify(event)}\n`);
}

export default async function* reportEvents(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  // Results come in the order of declaration, so the names of the enclosing suites are those seen last.
  const names: string[] = [];
  for await (const event of source) {
    const line = toJobEvent(event, names);
    if (line !== null) writeJobEvent(line);
  }
  yield "";
}

function toJobEvent({ type, data }: TestEvent, names: string[]): JobEvent | null {
  switch (type) {
    case "test:dequeue":
      return { type: "start", name: data.name, depth: data.nesting };
    case "test:complete":
      return { type: "end", name: data.name, depth: data.nesting };
    case "test:start":
      names.length = data.nesting;
      names.push(data.name);
      return null;
    case "test:pass": {
      if (data.details.type === "suite") return null;
      const isSkipped = data.skip !== undefined || data.todo !== undefined;
      return { type: isSkipped ? "skip" : "pass", title: titleOf(data, names) };
    }
    case "test:fail": {
      const { error, type: kind } = data.details;
      // The tests inside have their own lines.
      if (kind === "suite" && (error as { failureType?: string }).failureType === "subtestsFailed") return null;
      return {
        type: "fail",
        title: titleOf(data, names),
        place: `${data.file}:${data.line}`,
        error: inspect(error.cause ?? error, { depth: 8 }),
      };
    }
    default:
      return null;
  }
}

function titleOf({ name, nesting }: { name: string; nesting: number }, names: readonly string[]): string {
  return [...names.slice(0, nesting), name].join(" > ");
}
