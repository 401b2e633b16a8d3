/**
 * Loaded before the test files: writes down each test as it begins. A reporter is told of it only when the event loop
 * gets a turn, which a test that never lets go of the processor does not give.
 */
import { beforeEach, type TestContext } from "node:test";
import { writeJobEvent } from "#testing/job-events.ts";

beforeEach((context) => writeJobEvent({ type: "begin", title: (context as TestContext).fullName }));
