/**
 * What the project promises, with the figure that a test saw. `npm run test:hard` runs the files that import this one with
 * full budgets, and prints a line for each claim.
 */
import { EVENTS_FILE_VARIABLE, writeJobEvent } from "./job-events.ts";

/** Call it last in the test, after its assertions: a claim whose test fails is not reported. */
export function reportClaim(what: string, figure: string): void {
  if (process.env[EVENTS_FILE_VARIABLE] === undefined) console.log(formatClaim({ what, figure }));
  else writeJobEvent({ type: "claim", what, figure });
}

export interface Claim {
  what: string;
  figure: string;
}

export function formatClaim({ what, figure }: Claim): string {
  return `${what}: ${figure}`;
}
