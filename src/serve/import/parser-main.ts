/** The parser thread: reads files with the importers of all platforms and returns batches when they are requested. */
import type { ClaimRequest, ClaimResponse, ReadStep } from "#import/read-files.ts";
import { readFiles } from "#import/read-files.ts";
import { ParserActivity } from "#import/read-timeout.ts";
import { PLATFORM_RECORDS, PROJECTIONS } from "#platforms/records.ts";
import { createRenderingEncoder, rowEncoder } from "#store/write/row-encoder.ts";
import { answerOwner } from "../rpc/answer-owner.ts";
import { PARSER_METHODS, PARSER_OWNER_METHODS } from "./parser-methods.ts";

const lostClaims = new Set<number>();
let activity = new ParserActivity();
let steps: AsyncGenerator<ReadStep> | null = null;
/** Steps are read in order, and after one that failed none says that all was read. */
let lastStep: Promise<unknown> = Promise.resolve();

const owner = answerOwner(
  PARSER_METHODS,
  {
    read({ request, prerender, activity: shared }) {
      lostClaims.clear();
      activity = new ParserActivity(shared);
      const encoder = prerender ? createRenderingEncoder(PROJECTIONS) : rowEncoder;
      const onBytes = (count: number) => activity.addBytes(count);
      steps = readFiles(PLATFORM_RECORDS, encoder, { ...request, claims: { claim, lostClaims }, onBytes });
      lastStep = Promise.resolve();
      return null;
    },
    next(lost) {
      for (const claimId of lost) lostClaims.add(claimId);
      const step = lastStep.then(readStep);
      lastStep = step;
      return step;
    },
  },
  PARSER_OWNER_METHODS,
);

async function claim(request: ClaimRequest): Promise<ClaimResponse> {
  activity.isBusy = false;
  const response = await owner.call("claim", request);
  activity.isBusy = true;
  return response;
}

async function readStep(): Promise<ReadStep | null> {
  if (steps === null) throw new Error("the parser thread was asked for a step before it got its request");
  activity.isBusy = true;
  const { value, done } = await steps.next();
  activity.isBusy = false;
  return done === true ? null : value;
}
