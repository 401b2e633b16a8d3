/**
 * Many clients at a time that are slow, or break off in any way: each is cut off in its time, nothing of them stays behind,
 * and others do not notice. The service is a process of its own, so that its descriptors and its memory are its alone.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import type { Socket } from "node:net";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { budget, IS_FULL } from "#testing/budget.ts";
import { reportClaim } from "#testing/claims.ts";
import { countDescriptors, countSockets, maxDescriptors, memoryMb } from "#testing/processes.ts";
import { makeNode, type Node, SMALL_HEAP } from "#testing/service-nodes.ts";
import { until } from "#testing/until.ts";
import { inParallel, LOOKUP, mangle, randomNumbers, REQUESTS } from "./hostile-requests.ts";
import { openSocket, sendRequest } from "./http-client.ts";
import { createIngestToken } from "./ingest-client.ts";
import { type Crowd, CROWD_SETTINGS, type CutOff, LIMITS_S } from "./slow-crowd.ts";
import { fillStore, temporaryFolder, TEST_TOKEN } from "./test-server.ts";
import { WORLD } from "./world.ts";

const SLOW = budget("slowConnections");
const CONVERSATIONS = budget("randomConversations");
const OPENED_PER_SECOND = 400;
/** Beside the connections: files, threads and the normal client's own. */
const OTHER_DESCRIPTORS = 200;
/** A thread that imports may have started, or not have ended. */
const THREAD_DESCRIPTORS = 6;
const CHECKED_EVERY_S = 1;
/** Seen at one check and cut off at another. The machine may be busy with other tests, except in a run of claims. */
const MAX_LATE_S = 2 * CHECKED_EVERY_S + (IS_FULL ? 1 : 10);
/** Below this the clock, the scheduler and the collector of garbage decide. */
const LEAST_P99_MS = 4;
/** From the half to the end. A connection that leaks takes some 0.4 MB. */
const MAX_GROWTH = 1.15;

const cannotRun = (): string | false => {
  if (process.platform !== "linux") return "memory and descriptors are read from /proc";
  const [allowed, needed] = [maxDescriptors(), SLOW + OTHER_DESCRIPTORS];
  if (allowed === null || allowed >= needed) return false;
  return `${SLOW} connections need ${needed} descriptors, and this machine allows ${allowed} (ulimit -n)`;
};

describe("many clients", { timeout: IS_FULL ? 600_000 : 180_000 }, () => {
  const home = temporaryFolder();
  let ingestToken: string;
  let node: Node;
  before(async () => {
    ingestToken = await createIngestToken(home.path);
    await fillStore(home.path, WORLD);
    const settings = {
      DATA_DIR: home.path,
      API_TOKEN: TEST_TOKEN,
      DEMO: "off",
      LOG_LEVEL: "silent",
      RATE_LIMIT: "off",
      MAX_CONNECTIONS: "10000",
      MAX_CONNECTIONS_PER_ADDRESS: "10000",
      CACHE_MB: "8",
      ...CROWD_SETTINGS,
    };
    node = await makeNode("crowded", settings, SMALL_HEAP);
    await node.start();
    // What is loaded at first use opens files.
    for (const request of [...REQUESTS, ...REQUESTS]) await exchange(request);
    await exchange("GET /docs/js/scalar.js HTTP/1.1\r\nHost: a.example\r\n\r\n");
  });
  after(async () => {
    await node.kill();
    home.remove();
  });

  const pid = () => node.pid ?? assert.fail("the service has ended");
  const openNow = () => ({ sockets: countSockets(pid()), descriptors: countDescriptors(pid()) });
  const settle = ({ sockets, descriptors }: ReturnType<typeof openNow>) =>
    until(async () => countSockets(pid()) <= sockets && countDescriptors(pid()) <= descriptors + THREAD_DESCRIPTORS);

  async function exchange(request: string): Promise<void> {
    const socket = await openSocket(node.address);
    socket.on("error", () => undefined).resume();
    socket.end(request, "latin1");
    await once(socket, "close");
  }

  test(
    "slow connections of every kind are cut off in time, and a normal client does not notice",
    { skip: cannotRun() },
    async () => {
      const atStart = openNow();
      const quietMs = await latencies(pause(IS_FULL ? 6_000 : 500));
      const tokens = { token: TEST_TOKEN, ingestToken };
      const crowd: Crowd = { url: node.address, ...tokens, count: SLOW, perSecond: OPENED_PER_SECOND };
      const worker = new Worker(new URL("./slow-crowd.ts", import.meta.url), { workerData: crowd });
      const ended = once(worker, "message") as Promise<[CutOff[]]>;
      const busyMs = await latencies(ended);
      const [cutOff] = await ended;
      assert.equal(cutOff.length, SLOW);
      const late = cutOff.map(({ kind, openMs }) => ({ kind, openMs, lateS: openMs / 1_000 - LIMITS_S[kind] }));
      const latest = late.toSorted((a, b) => b.lateS - a.lateS)[0];
      assert.ok(latest !== undefined && latest.lateS < MAX_LATE_S, JSON.stringify(latest));
      await settle(atStart);
      const [quiet, busy] = [p99(quietMs), p99(busyMs)];
      if (IS_FULL) assert.ok(busy <= 2 * Math.max(quiet, LEAST_P99_MS), `p99 ${quiet} ms before, ${busy} ms during`);
      const longestS = Math.max(...cutOff.map(({ openMs }) => openMs)) / 1_000;
      reportClaim(
        "Slow clients are cut off, and others do not notice",
        `${SLOW} slow connections of ${Object.keys(LIMITS_S).length} kinds: all cut off at most ${latest.lateS.toFixed(1)} s after their limit and ${longestS.toFixed(1)} s after they opened; p99 of a normal client ${quiet.toFixed(1)} ms before, ${busy.toFixed(1)} ms during; sockets ${atStart.sockets} before and ${countSockets(pid())} after`,
      );
    },
  );

  /** Of a client that looks things up again and again, until the other is done; all are answered. */
  async function latencies(other: Promise<unknown>): Promise<number[]> {
    const times: number[] = [];
    const done = new AbortController();
    const stop = () => done.abort();
    other.then(stop, stop);
    while (!done.signal.aborted) {
      const startedAt = performance.now();
      assert.equal((await sendRequest(node.address, { path: LOOKUP })).status, 200);
      times.push(performance.now() - startedAt);
      await pause(IS_FULL ? 5 : 100);
    }
    return times;
  }

  test(
    "random conversations with resets and half-closes leave descriptors and memory flat",
    { skip: cannotRun() },
    async () => {
      const random = randomNumbers(9_112);
      const pick = () => REQUESTS[random(REQUESTS.length)] as string;
      const acts: ((socket: Socket) => unknown)[] = [
        (socket) => socket.write(pick(), "latin1"),
        (socket) => socket.write(pick().repeat(1 + random(5)), "latin1"),
        (socket) => socket.write(pick().slice(0, random(80)), "latin1"),
        (socket) => socket.write(mangle(pick(), random), "latin1"),
        (socket) => socket.write("\r\n"),
        (socket) => socket.pause(),
        (socket) => socket.resume(),
        () => pause(random(20)),
        (socket) => socket.end(),
      ];
      const endings: ((socket: Socket) => unknown)[] = [
        // Node can reset a connection only when everything is sent.
        (socket) => (socket.writable && socket.writableLength === 0 ? socket.resetAndDestroy() : socket.destroy()),
        // The system resets one that is closed with a response unread.
        async (socket) => {
          socket.pause();
          if (socket.writable) socket.write(pick(), "latin1");
          await pause(random(20));
          socket.destroy();
        },
        (socket) => socket.destroy(),
        // Closed in one direction: what was requested is still answered, or the service closes the other.
        async (socket) => {
          socket.resume().end();
          // `once` of node:events would reject with the error of an earlier write.
          if (!socket.closed) await new Promise<void>((resolve) => socket.once("close", () => resolve()));
        },
      ];
      const converse = async () => {
        const socket = await openSocket(node.address);
        socket.on("error", () => undefined).resume();
        for (let steps = 1 + random(8); steps > 0 && socket.writable; steps--)
          await acts[random(acts.length)]?.(socket);
        await endings[random(endings.length)]?.(socket);
      };
      const atStart = openNow();
      // Compiled code, caches and heaps grow at first.
      await inParallel(CONVERSATIONS / 2, 40, converse);
      await settle(atStart);
      const memoryBefore = memoryMb(pid());
      await inParallel(CONVERSATIONS / 2, 40, converse);
      await settle(atStart);
      const memoryAfter = memoryMb(pid());
      assert.ok(memoryAfter <= memoryBefore * MAX_GROWTH, `${memoryBefore} MB grew to ${memoryAfter} MB`);
      assert.equal((await sendRequest(node.address, { path: LOOKUP })).status, 200);
      reportClaim(
        "Clients that break off in any way leave nothing behind",
        `${CONVERSATIONS} random conversations: sockets ${atStart.sockets} before and ${countSockets(pid())} after, ${memoryBefore} MB after a half and ${memoryAfter} MB at the end`,
      );
    },
  );
});

function p99(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
}
