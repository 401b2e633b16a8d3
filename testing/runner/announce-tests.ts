/**
 * Loaded before the test files: writes down each test as it begins. A reporter is told of it only when the event loop
 * gets a turn, which a test that never lets go of the processor does not give. Threads of a service inherit the flag that
 * loads it, and have no tests.
 */
import { isMainThread } from "node:worker_threads";
import type { TestContext } from "node:test";
import { writeJobEvent } from "#testing/job-events.ts";

if (isMainThread) {
  const { beforeEach } = await import("node:test");
  beforeEach((context) => writeJobEvent({ type: "begin", title: (context as TestContext).fullName }));
}
