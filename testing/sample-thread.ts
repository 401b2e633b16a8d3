/** A thread that does what its owner asks, for tests of how owners treat their threads. */
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { threadId } from "node:worker_threads";
import { answerOwner } from "#serve/rpc/answer-owner.ts";
import type { RpcChannel } from "#serve/rpc/rpc-channel.ts";
import { SAMPLE_METHODS, SAMPLE_OWNER_METHODS } from "./sample-methods.ts";

function throwAfter(ms: number): void {
  setTimeout(() => {
    throw Object.assign(new Error("a bug"), { code: "ERR_BUG" });
  }, ms);
}

const owner: RpcChannel<typeof SAMPLE_OWNER_METHODS, typeof SAMPLE_METHODS> = answerOwner(
  SAMPLE_METHODS,
  {
    which: () => threadId,
    echo: (value) => value,
    async countTo(last, report): Promise<number> {
      let count = 0;
      while (count < last) report((count = await owner.call("increment", count)));
      return count;
    },
    async wait(ms) {
      await delay(ms);
      return null;
    },
    fail(message) {
      throw Object.assign(new RangeError(message), { errcode: 13 });
    },
    returnFunction: () => () => undefined,
    crashAfter(ms) {
      throwAfter(ms);
      return null;
    },
    crash() {
      throwAfter(0);
      return new Promise<null>(() => undefined);
    },
    spin() {
      for (;;);
    },
    query(rows) {
      const db = new DatabaseSync(":memory:");
      db.prepare(
        `WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT ${rows}) SELECT count(*) FROM n`,
      ).get();
      db.close();
      return null;
    },
  },
  SAMPLE_OWNER_METHODS,
  async () => owner.notify("ended", null),
);
