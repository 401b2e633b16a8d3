/** The messages between the server and the thread of the live sources, each checked where it is received. */
import type { Config } from "#config";
import type { AskOutcome, AskRequest, SourceStatus } from "#live/live-port.ts";
import { createMessageCheck, isNumber, isObject, isString } from "#domain/message-check.ts";

export interface LiveThreadData {
  kind: "live";
  config: Config;
}

export type ToLiveThread = { kind: "ask"; id: number; request: AskRequest } | { kind: "stop" };

export type FromLiveThread =
  | { kind: "outcome"; id: number; outcome: AskOutcome }
  | { kind: "status"; status: SourceStatus[] }
  | { kind: "failed"; message: string; stack: string };

export const checkLiveThreadData = createMessageCheck<LiveThreadData>("live thread", { live: { config: isObject } });

export const checkToLiveThread = createMessageCheck<ToLiveThread>("live thread", {
  ask: { id: isNumber, request: isObject },
  stop: {},
});

export const checkFromLiveThread = createMessageCheck<FromLiveThread>("owner of the live thread", {
  outcome: { id: isNumber, outcome: isObject },
  status: { status: Array.isArray },
  failed: { message: isString, stack: isString },
});
