/**
 * Plain requests are answered without the framework, and from memory when they come again. Whatever is asked, the answer
 * must be the one that the framework's route gives: a request that names the API version goes there.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { demoWorld } from "#demo/world.ts";
import { PLATFORMS } from "#platforms";
import type { Batch, Store } from "#store/store.ts";
import { API_VERSION } from "#surfaces/http/version.ts";
import { openTestHouse, type TestHouse } from "./house.ts";
import { described, type Question, Questions } from "./random-questions.ts";
import { ask, exchange, operationNamed, type WireAnswer } from "./wire.ts";
import { aPost, WORLD } from "./world.ts";

const QUESTIONS = 1_200;
const NOW = Date.now();

/** All of an answer but what differs between any two. */
function telling({ status, headers, text }: WireAnswer): unknown {
  const { date: _date, connection: _connection, "keep-alive": _keepAlive, vary, ...rest } = headers;
  // The clock differs from one millisecond to the next.
  const steady = text.replace(/"now":\d{13}/, '"now":0');
  return {
    status,
    headers: rest,
    vary: String(vary ?? "")
      .split(", ")
      .toSorted(),
    text: steady,
  };
}

describe("the fast lane", () => {
  const questions = new Questions(7);
  let house: TestHouse;
  let store: Store;

  before(async () => {
    const batches: { platform: string; batch: Batch }[] = [...demoWorld(NOW), ...WORLD];
    for (const { platform, batch } of batches) questions.learnBatch(platform, batch);
    // So little memory that long answers go to a file.
    house = await openTestHouse(batches, { RATE_LIMIT: "off", METRICS: "public", ANSWER_MEMORY_MB: "1" });
    store = await house.openStore();
  });
  after(async () => {
    await store.close();
    await house.close();
  });

  async function answersFromMemory(): Promise<number> {
    const text = await (await house.get("/metrics")).text();
    return Number(/triptych_answers_total\{from="memory"\} (\d+)/.exec(text)?.[1] ?? 0);
  }

  /** Once a second the token is proven anew, by a request that is answered from the store. */
  async function fromMemory<Answer>(asked: () => Promise<Answer>): Promise<Answer> {
    for (let time = 0; time < 5; time++) {
      const earlier = await answersFromMemory();
      const answer = await asked();
      if ((await answersFromMemory()) > earlier) return answer;
    }
    return assert.fail("it never came from memory");
  }

  async function compare(question: Question, number: number): Promise<WireAnswer> {
    const { operation, parameters } = question;
    const headers = { ...question.headers, "x-request-id": `question-${number}` };
    const askRoute = () => ask(house.address, operation, parameters, { ...headers, "api-version": API_VERSION });
    let route = await askRoute();
    for (const time of ["first", "second", "third"]) {
      const lane = await ask(house.address, operation, parameters, headers);
      // A minute, an hour or a month may have ended between the two.
      if (!isDeepStrictEqual(telling(lane), telling(route))) route = await askRoute();
      assert.deepEqual(telling(lane), telling(route), `${time} of question ${number}: ${described(question)}`);
    }
    return route;
  }

  test(`answers ${QUESTIONS} random questions as the framework's routes do, while the store is written to`, async () => {
    for (let number = 0; number < QUESTIONS; number++) {
      if (number % 40 === 39) {
        const platform = questions.pick(PLATFORMS).name;
        const id = questions.from(platform, "post");
        await store.writer.put(platform, {
          posts: [
            aPost(id, {
              text: `changed ${number}`,
              soundId: questions.from(platform, "sound"),
              capturedAt: NOW + number,
            }),
          ],
        });
      }
      const question = questions.next();
      const { status, text } = await compare(question, number);
      if (status === 200) questions.learnAnswer(question, text);
    }
    assert.ok((await answersFromMemory()) > QUESTIONS / 4, "what was asked again came from memory");
  });

  test("what was written is seen by the next request, however often the old answer was given", async () => {
    const path = "/api/shortvideo/post/detail?videoId=990000000000000001";
    for (let round = 0; round < 20; round++) {
      const text = `round ${round} 🥟`;
      await store.writer.put("shortvideo", { posts: [aPost("990000000000000001", { text, capturedAt: NOW + round })] });
      for (let time = 0; time < 3; time++) {
        const { itemInfo } = await house.json<{ itemInfo: { itemStruct: { desc: string } } }>(path);
        assert.equal(itemInfo.itemStruct.desc, text);
      }
    }
    await store.writer.erase("shortvideo", "post", "990000000000000001");
    assert.equal((await house.get(path)).status, 404);
  });

  test("an answer from memory is for tokens that may read it, under the request's own id, and can be 304", async () => {
    const path = "/api/shortvideo/trending/videos?period=7";
    const asked = () => exchange(house.address, { path, headers: { "x-request-id": `id-${Math.random()}` } });
    const answer = await fromMemory(asked);
    assert.equal((JSON.parse(answer.text) as { request_id: string }).request_id, answer.header("x-request-id"));
    const refused = await exchange(house.address, {
      path,
      headers: { authorization: "Bearer somebody-else-entirely" },
    });
    assert.equal(refused.status, 401);
    const same = await exchange(house.address, { path, headers: { "if-none-match": answer.header("etag") } });
    assert.deepEqual([same.status, same.text, same.header("etag")], [304, "", answer.header("etag")]);
    assert.equal(same.header("content-type"), null);
  });

  test("a search that is given again shows the request's own id and the time of now", async () => {
    const path = "/api/shortvideo/search/general?keyword=street";
    const asked = async (id: string) => {
      const { text } = await exchange(house.address, { path, headers: { "x-request-id": id } });
      return JSON.parse(text) as { data: unknown[]; extra: { now: number; logid: string; search_request_id: string } };
    };
    const first = await asked("search-1");
    const askedAt = Date.now();
    const again = await fromMemory(() => asked("search-2"));
    assert.ok(first.data.length > 0);
    assert.deepEqual(again.data, first.data);
    assert.deepEqual([again.extra.logid, again.extra.search_request_id], ["search-2", "search-2"]);
    assert.ok(again.extra.now >= askedAt && again.extra.now <= Date.now());
  });

  for (const encoding of ["zstd", "br", "gzip"]) {
    test(`an answer is remembered as it was compressed with ${encoding}`, async () => {
      const path = `/api/shortvideo/music/posts?musicId=${questions.from("shortvideo", "sound")}&count=10`;
      const plain = await exchange(house.address, { path });
      const asked = () => exchange(house.address, { path, headers: { "accept-encoding": encoding } });
      const first = await asked();
      for (const again of [await fromMemory(asked), await fromMemory(asked)]) {
        assert.deepEqual([again.header("content-encoding"), again.header("etag")], [encoding, plain.header("etag")]);
        assert.ok(again.body.equals(first.body));
      }
      const same = await exchange(house.address, {
        path,
        headers: { "accept-encoding": encoding, "if-none-match": plain.header("etag") },
      });
      assert.deepEqual([same.status, same.header("content-encoding")], [304, null]);
    });
  }

  test("requests that are out of the ordinary get what they would get without it", async () => {
    const { path, endpoint } = operationNamed("shortvideo/post/detail");
    const address = `${path}?videoId=${endpoint.example["videoId"]}`;
    const statusOf = async (headers: Record<string, string | null>, at = address) =>
      (await exchange(house.address, { path: at, headers })).status;
    assert.equal(await statusOf({}), 200);
    assert.equal(await statusOf({ authorization: null }), 401);
    assert.equal(await statusOf({ accept: "text/html" }), 406);
    assert.equal(await statusOf({ "api-version": "1999-01-01" }), 400);
    assert.equal(await statusOf({}, `${address}&videoId=1`), 400);
    assert.equal(await statusOf({}, `${address}&access_token=abc`), 400);
    assert.equal(await statusOf({}, `${path}?videoId=%37`), 404);
    assert.equal(await statusOf({}, `${path}?__proto__=1&videoId=${endpoint.example["videoId"]}`), 200);
    assert.equal(await statusOf({}, `${path}/`), 404);
    assert.equal((await exchange(house.address, { method: "HEAD", path: address })).text, "");
    const { path: large, endpoint: users } = operationNamed("shortvideo/user/info-with-region");
    const compressed = await exchange(house.address, {
      path: `${large}?uniqueId=${users.example["uniqueId"]}`,
      headers: { "accept-encoding": "gzip" },
    });
    assert.equal(compressed.header("content-encoding"), "gzip");
  });
});
