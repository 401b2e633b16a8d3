/** Conformance of the history of counters. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { CounterPoint, Counters } from "#domain/record.ts";
import { propertyBudget } from "#testing/budget.ts";
import { NOW, PLATFORM, post } from "#testing/sample-records.ts";
import { toUnit } from "#store/write/batch-changes.ts";
import type { Reader } from "#store/store.ts";
import type { Store } from "#store/store.ts";

export function counterHistorySuite(current: () => Store): void {
  const reader = () => current().reader(PLATFORM);

  test("the history has no point for a capture that repeats the one before it", async () => {
    const seen = (views: number, at: number) => post("p1", { counters: { views }, capturedAt: at });
    for (const [views, at] of [
      [1, NOW],
      [1, NOW + 1000],
      [5, NOW + 2000],
    ] as const)
      await current().writer.write([toUnit(PLATFORM, { posts: [seen(views, at)] })]);
    await current().writer.write([
      toUnit(PLATFORM, {
        history: [{ kind: "post", id: "p1", points: [{ capturedAt: NOW - 1000, counters: { views: 0 } }] }],
      }),
    ]);
    assert.deepEqual(await reader().listCounters("post", "p1"), [
      { capturedAt: NOW - 1000, counters: { views: 0 } },
      { capturedAt: NOW, counters: { views: 1 } },
      { capturedAt: NOW + 2000, counters: { views: 5 } },
    ]);
  });

  test("counts that went up and came back are in the history, whatever the order they come in", async () => {
    const points = [1, 1, 2, 1, 1, 2].map((views, day) => ({ capturedAt: NOW + day, counters: { views } }));
    const orders = [points, points.toReversed(), [0, 3, 4, 2, 5, 1].map((day) => points[day] as CounterPoint)];
    for (const platform of [PLATFORM, "longvideo"] as const) {
      for (const [number, order] of orders.entries()) {
        const id = `p${number}`;
        for (const point of order)
          await current().writer.write([toUnit(platform, { history: [{ kind: "post", id, points: [point] }] })]);
        const history = await current().reader(platform).listCounters("post", id);
        assert.deepEqual(
          history,
          [0, 2, 3, 5].map((day) => points[day]),
        );
        // Also of a period that begins with a repetition.
        const since = await current()
          .reader(platform)
          .listCounters("post", id, { since: NOW + 1 });
        assert.deepEqual(since, history.slice(1));
      }
    }
  });

  test("a count that is the one before it rounded is no change in the history", async () => {
    const write = (...points: CounterPoint[]) =>
      current().writer.write([toUnit(PLATFORM, { history: [{ kind: "post", id: "p1", points }] })]);
    const exact = { capturedAt: NOW, counters: { views: 1_776_621, likes: 15_955, shares: 259 } };
    await write(exact, { capturedAt: NOW + 1, counters: { views: 1_800_000, likes: 16_000, shares: 259 } });
    await write({ capturedAt: NOW + 2, counters: { views: 1_800_000, likes: 16_000, shares: 259 } });
    assert.deepEqual(await reader().listCounters("post", "p1"), [exact]);
    // Beside what did change, and where it is no longer the same rounded.
    await write({ capturedAt: NOW + 3, counters: { views: 1_800_000, likes: 16_100, shares: 260 } });
    assert.deepEqual((await reader().listCounters("post", "p1")).slice(1), [
      { capturedAt: NOW + 3, counters: { views: 1_776_621, likes: 16_100, shares: 260 } },
    ]);
    // Only of platforms that round without a mark.
    const points = [exact, { capturedAt: NOW + 1, counters: { views: 1_800_000 } }];
    await current().writer.write([toUnit("longvideo", { history: [{ kind: "post", id: "p1", points }] })]);
    assert.deepEqual(await current().reader("longvideo").listCounters("post", "p1"), points);
  });

  test("the history of a period is that part of the whole one, and a limit leaves its newest points", async () => {
    const views = [1_749_000, 1_700_000, 1_700_000, 1_800_001, 1_800_000, 1_900_000];
    const points = views.map((count, index) => ({
      capturedAt: NOW + index,
      counters: { views: count, likes: index },
    }));
    for (const platform of [PLATFORM, "longvideo"] as const) {
      await current().writer.write([toUnit(platform, { history: [{ kind: "post", id: "p1", points }] })]);
      const list: Reader["listCounters"] = (...request) =>
        current()
          .reader(platform)
          .listCounters(...request);
      const whole = await list("post", "p1");
      assert.equal(whole.length, views.length);
      for (let since = 0; since <= views.length; since++) {
        for (let until = since; until <= views.length; until++) {
          const part = whole.slice(since, until);
          const period = { since: NOW + since, until: NOW + until };
          assert.deepEqual(await list("post", "p1", period), part);
          assert.deepEqual(await list("post", "p1", { ...period, limit: 2 }), part.slice(-2));
        }
      }
      assert.deepEqual(await list("post", "p1", { limit: 2 }), whole.slice(-2));
    }
  });

  test("a rounded count beside an exact one is no change in the history, whatever the order they come in", async () => {
    const at = (day: number, views: number, likes: number) => ({ capturedAt: NOW + day, counters: { views, likes } });
    const changesOf = async (id: string) => {
      const seen = (await reader().listCounters("post", id)).map(({ counters }) => JSON.stringify(counters));
      return seen.filter((text, index) => text !== seen[index - 1]).map((text) => JSON.parse(text) as Counters);
    };
    const cases: [captured: CounterPoint[], changes: Counters[]][] = [
      [[at(1, 1_749_000, 10), at(3, 1_700_000, 10)], [{ views: 1_749_000, likes: 10 }]],
      [[at(1, 1_700_000, 10), at(3, 1_749_000, 10)], [{ views: 1_749_000, likes: 10 }]],
      // Rounded on several days while another count grew.
      [
        [at(1, 1_600_000, 7), at(2, 1_700_000, 8), at(3, 1_700_000, 9), at(4, 1_749_000, 10), at(5, 1_700_000, 11)],
        [
          { views: 1_600_000, likes: 7 },
          { views: 1_749_000, likes: 8 },
          { views: 1_749_000, likes: 9 },
          { views: 1_749_000, likes: 10 },
          { views: 1_749_000, likes: 11 },
        ],
      ],
    ];
    let made = 0;
    for (const [captured, wanted] of cases) {
      for (const inOne of [true, false]) {
        for (const order of [
          captured,
          captured.toReversed(),
          captured.toSorted((one) => (one === captured[1] ? -1 : 1)),
        ]) {
          const id = `p${made++}`;
          const parts = inOne ? [order] : order.map((point) => [point]);
          for (const points of parts)
            await current().writer.write([toUnit(PLATFORM, { history: [{ kind: "post", id, points }] })]);
          assert.deepEqual(await changesOf(id), wanted, JSON.stringify({ order, inOne }));
        }
      }
    }
  });

  test("the history of a growing post, some captures of which are rounded, is the same in any order of them", async () => {
    const capture = fc.record({
      views: fc.constantFrom(0, 4, 50),
      likes: fc.nat(1),
      isRounded: fc.boolean(),
      place: fc.nat(),
    });
    const example = [
      { views: 0, likes: 0, isRounded: false, place: 0 },
      { views: 4, likes: 1, isRounded: false, place: 2 },
      { views: 0, likes: 1, isRounded: true, place: 1 },
    ];
    let made = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(capture, { minLength: 3, maxLength: 4 }), async (growth) => {
        let [views, likes] = [12_345, 0];
        const points = growth.map((gained, index) => {
          views += gained.views;
          likes += gained.likes;
          const shown = gained.isRounded ? Math.round(views / 100) * 100 : views;
          return { capturedAt: NOW + index, counters: { views: shown, likes }, place: gained.place };
        });
        const histories: CounterPoint[][] = [];
        for (const order of [points, points.toSorted((one, other) => one.place - other.place)]) {
          const id = `p${made++}`;
          for (const { capturedAt, counters } of order) {
            const history = [{ kind: "post" as const, id, points: [{ capturedAt, counters }] }];
            await current().writer.write([toUnit(PLATFORM, { history })]);
          }
          histories.push(await reader().listCounters("post", id));
        }
        assert.deepEqual(histories[1], histories[0]);
        const seen = histories[0]?.map(({ counters }) => counters.views ?? 0) ?? [];
        assert.ok(
          seen.every((count, index) => count >= (seen[index - 1] ?? 0)),
          `a loss in ${seen.join(", ")}`,
        );
      }),
      { ...propertyBudget(500), examples: [[example]] },
    );
  });

  test("captures of the same instant complete each other's counters in the history", async () => {
    const write = (counters: Counters) =>
      current().writer.write([
        toUnit(PLATFORM, {
          history: [{ kind: "post", id: "p1", points: [{ capturedAt: NOW, counters }] }],
        }),
      ]);
    const history = () => reader().listCounters("post", "p1");
    await write({ views: 900, likes: 40 });
    await write({ likes: 41 });
    assert.deepEqual(await history(), [{ capturedAt: NOW, counters: { views: 900, likes: 41 } }]);
    await write({ comments: 3 });
    await write({ views: 900 });
    assert.deepEqual(await history(), [{ capturedAt: NOW, counters: { views: 900, likes: 41, comments: 3 } }]);
    // Also where they come in one batch, and before a later point.
    const points = [
      { capturedAt: NOW + 5, counters: { views: 950 } },
      { capturedAt: NOW - 5, counters: { views: 800 } },
      { capturedAt: NOW - 5, counters: { likes: 30 } },
    ];
    await current().writer.write([toUnit(PLATFORM, { history: [{ kind: "post", id: "p1", points }] })]);
    assert.deepEqual((await history())[0], { capturedAt: NOW - 5, counters: { views: 800, likes: 30 } });
    // And where the batch has a later capture of something else.
    await current().writer.write([
      toUnit(PLATFORM, {
        history: [
          { kind: "post", id: "p1", points: [{ capturedAt: NOW - 5, counters: { comments: 2 } }] },
          { kind: "post", id: "p2", points: [{ capturedAt: NOW + 9, counters: { views: 1 } }] },
        ],
      }),
    ]);
    assert.deepEqual((await history())[0], { capturedAt: NOW - 5, counters: { views: 800, likes: 30, comments: 2 } });
  });
}
