/** A 503 at a deadline for work of other threads and processes: a client is answered whatever becomes of the work. */
import { withTimeout } from "#domain/with-timeout.ts";
import { unavailable } from "#errors";

/** More than a write waits for the lock of a file. */
const DEADLINE_MS = 15_000;

export function answerInTime<Result>(work: Promise<Result>): Promise<Result> {
  return withTimeout(DEADLINE_MS, work, () =>
    unavailable(
      `the service is busy and did not finish within ${DEADLINE_MS / 1_000} s; a change may still be made: look before you retry`,
      null,
    ),
  );
}
