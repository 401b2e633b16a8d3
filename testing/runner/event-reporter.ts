/** A reporter for node:test that tells the runner what began, passed and failed: see job-events.ts. */
import type { TestEvent } from "node:test/reporters";
import { inspect } from "node:util";
import { type JobEvent, writeJobEvent } from "#testing/job-events.ts";

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
      const reason = data.skip ?? data.todo;
      // The tests of a suite have their own lines, unless it was skipped.
      if (data.details.type === "suite" && reason === undefined) return null;
      const title = titleOf(data, names);
      return reason === undefined ? { type: "pass", title } : { type: "skip", title, reason: String(reason) };
    }
    case "test:fail": {
      const { error } = data.details;
      // The tests inside have their own lines.
      if ((error as { failureType?: string }).failureType === "subtestsFailed") return null;
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
