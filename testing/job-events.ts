/** What a process of tests tells the runner: one JSON line per event, in the file named in the environment. */
import { appendFileSync } from "node:fs";
import { join } from "node:path";

export const EVENTS_FILE_VARIABLE = "TRIPTYCH_TEST_EVENTS";

/** The title of a test has the names of the suites around it. */
export type JobEvent =
  | { type: "begin"; title: string }
  | { type: "start" | "end"; name: string; depth: number }
  | { type: "pass"; title: string }
  | { type: "skip"; title: string; reason: string }
  | { type: "fail"; title: string; place: string; error: string }
  /** After a file in a shared process: what keeps the process, by kind. */
  | { type: "open"; file: string; resources: string[] }
  | { type: "claim"; what: string; figure: string };

/** Synchronous, so that a file that is killed in the middle of a test has already named that test. */
export function writeJobEvent(event: JobEvent): void {
  const file = process.env[EVENTS_FILE_VARIABLE];
  if (file === undefined) throw new Error(`${EVENTS_FILE_VARIABLE} is not set; testing/runner/run-tests.ts sets it.`);
  appendFileSync(file, `${JSON.stringify(event)}\n`);
}

/** The files of a shared process have a folder each, so that what is left can be told to be of that file. */
export function temporaryFolderOf(temporaryOfJob: string, at: number): string {
  return join(temporaryOfJob, String(at));
}
