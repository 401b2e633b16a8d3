/**
 * The official API of `bench -- live`, in a process of its own. Of lower priority: a real one is on another machine, and takes
 * no processor time from what is measured.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setPriority } from "node:os";
import type { LiveConfig } from "#config";
import { type Respond, Upstream } from "#testing/upstream.ts";
import { videoResource, YOUTUBE_HOST } from "#testing/youtube-api.ts";

/** Other videos than those that were requested. */
const lie: Respond = () => ({
  body: {
    kind: "youtube#videoListResponse",
    items: Array.from({ length: 50 }, (_, index) => videoResource(`tarnOther${index}`)),
  },
});

/** That nothing was found. */
const answer: Respond = () => ({ body: { kind: "youtube#channelListResponse", items: [] } });

const MODES = {
  answer,
  hang: () => "hang",
  drip: () => "drip",
  lie,
  flood: () => "flood",
} as const satisfies Record<string, Respond>;

/** With less, it would not answer in time while both processors are busy. */
const NICENESS = 5;

export type UpstreamMode = keyof typeof MODES;

export interface UpstreamProcess {
  dial: NonNullable<LiveConfig["dial"]>;
  /** Returns the number of calls since the mode was last set. */
  setMode(mode: UpstreamMode): Promise<number>;
  stop(): Promise<void>;
}

export async function startUpstream(): Promise<UpstreamProcess> {
  const child: ChildProcess = fork(import.meta.filename);
  const receive = async () => ((await once(child, "message")) as [unknown])[0];
  const dial = (await receive()) as UpstreamProcess["dial"];
  return {
    dial,
    async setMode(mode) {
      child.send(mode);
      return (await receive()) as number;
    },
    async stop() {
      const exit = once(child, "exit");
      child.disconnect();
      await exit;
    },
  };
}

if (import.meta.main) {
  setPriority(NICENESS);
  const upstream = await Upstream.start([YOUTUBE_HOST], MODES.hang);
  process.on("message", (mode: UpstreamMode) => {
    const calls = upstream.calls.length;
    upstream.reset(MODES[mode]);
    process.send?.(calls);
  });
  process.once("disconnect", () => void upstream.close());
  process.send?.(upstream.dial);
}
