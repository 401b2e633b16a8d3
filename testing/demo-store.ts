/** A store file with the demo world that testing/runner/run-tests.ts makes once: filling it takes longer than most tests do. */
import { cpSync } from "node:fs";

/** Names the folder with the store file. */
export const DEMO_FOLDER_VARIABLE = "TRIPTYCH_TEST_DEMO";

/** Names the database with the demo world that databases on the run's PostgreSQL are copied from. */
export const DEMO_DATABASE_VARIABLE = "TRIPTYCH_TEST_DEMO_DATABASE";

/** Unix milliseconds at which the demo world was generated. */
export const DEMO_TIME_VARIABLE = "TRIPTYCH_TEST_DEMO_TIME";

/** Of the demo world that the servers of this test have: the ids of its posts contain their time. */
export function demoTime(): number {
  return Number(process.env[DEMO_TIME_VARIABLE] ?? Date.now());
}

/** Returns false in a file that runs by itself: there is none to copy, and the demo world has to be filled. */
export function copyDemoStore(folder: string): boolean {
  const template = process.env[DEMO_FOLDER_VARIABLE];
  if (template === undefined) return false;
  cpSync(template, folder, { recursive: true });
  return true;
}
