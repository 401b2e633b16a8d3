/** The messages to and from the thread that counts what the store holds. */
import { createMessageCheck, isNumber, isObject, isString } from "#domain/message-check.ts";
import type { StoreSummary } from "../store.ts";

export type Summary = Omit<StoreSummary, "bytes">;

export type ToSummaryThread = { kind: "count"; file: string; now: number };
export type FromSummaryThread = { kind: "summary"; summary: Summary };

export const checkToSummaryThread = createMessageCheck<ToSummaryThread>("summary thread", {
  count: { file: isString, now: isNumber },
});

export const checkFromSummaryThread = createMessageCheck<FromSummaryThread>("owner of the summary thread", {
  summary: { summary: isObject },
});
