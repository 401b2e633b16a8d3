/** The parser thread: reads files with the importers of all platforms and sends batches when they are requested. */
import { parentPort } from "node:worker_threads";
import type { ClaimRequest, ClaimResponse, ReadStep } from "#import/read-files.ts";
import { readFiles } from "#import/read-files.ts";
import { ParserActivity } from "#import/read-timeout.ts";
import { PLATFORM_RECORDS, PROJECTIONS } from "#platforms/records.ts";
import { createRenderingEncoder, rowEncoder } from "#store/write/row-encoder.ts";
import { checkToParser, type FromParser, type ToParser } from "./thread-messages.ts";

const send = (message: FromParser) => parentPort?.postMessage(message);

const lostClaims = new Set<number>();
let activity = new ParserActivity();
let steps: AsyncGenerator<ReadStep> | null = null;
/** Files are read one after the other, so there is one claim request at a time. */
let claimResponse = Promise.withResolvers<ClaimResponse>();
/** Steps are sent in order: an error must end the thread before a later step says that all was read. */
let lastStep = Promise.resolve();

async function claim(request: ClaimRequest): Promise<ClaimResponse> {
  claimResponse = Promise.withResolvers();
  activity.isBusy = false;
  send({ kind: "claimRequest", request });
  const response = await claimResponse.promise;
  activity.isBusy = true;
  return response;
}

async function sendStep(): Promise<void> {
  if (steps === null) throw new Error("the parser thread was asked for a step before it got its request");
  activity.isBusy = true;
  const { value, done } = await steps.next();
  activity.isBusy = false;
  send({ kind: "step", step: done === true ? null : value });
}

function onMessage(message: ToParser): void {
  if (message.kind === "read") {
    lostClaims.clear();
    activity = new ParserActivity(message.activity);
    const encoder = message.prerender ? createRenderingEncoder(PROJECTIONS) : rowEncoder;
    const onBytes = (count: number) => activity.addBytes(count);
    steps = readFiles(PLATFORM_RECORDS, encoder, { ...message.request, claims: { claim, lostClaims }, onBytes });
  } else if (message.kind === "claimResponse") claimResponse.resolve(message.response);
  else {
    for (const claimId of message.lostClaims) lostClaims.add(claimId);
    lastStep = lastStep.then(sendStep);
  }
}

parentPort?.on("message", (data: unknown) => onMessage(checkToParser(data)));
