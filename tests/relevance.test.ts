/** Does search find what people mean? Judged queries in many scripts, asked over HTTP, held to figures. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTestServer, query as queryString, type TestServer } from "./test-server.ts";
import { type Answer, ask } from "./relevance/asking.ts";
import { corpus, CORPUS_QUERIES } from "./relevance/corpus.ts";
import { demoQueries } from "./relevance/demo-world.ts";
import type { JudgedQuery, Operation } from "./relevance/judged-query.ts";
import {
  describeFigures,
  describeMisses,
  figuresBy,
  figuresOf,
  judgeAnswer,
  type Judgement,
} from "./relevance/measure.ts";
import { FRAGMENTS } from "./relevance/query-language.ts";
import { seeded } from "../bench/random.ts";

const OPEN = { RATE_LIMIT: "off" };

interface Asked {
  query: JudgedQuery;
  answer: Answer;
}

describe("relevance", () => {
  let ownServer: TestServer;
  let demoServer: TestServer;
  const asked: Asked[] = [];

  before(async () => {
    [ownServer, demoServer] = await Promise.all([startTestServer(corpus(), OPEN), startTestServer("demo", OPEN)]);
    for (const query of CORPUS_QUERIES) asked.push({ query, answer: await ask(ownServer, query) });
    for (const query of demoQueries()) asked.push({ query, answer: await ask(demoServer, query) });
  });
  after(async () => {
    await Promise.all([ownServer?.close(), demoServer?.close()]);
  });

  test("the right answers come first, in every script", () => {
    const judgements = asked.map(({ query, answer }) => judgeAnswer(query, answer.ids));
    const overall = figuresOf(judgements);
    const scripts = figuresBy(judgements, ({ script }) => script);
    report(judgements);
    assert.ok(overall.queries >= 120, `${overall.queries} queries`);
    assert.ok(scripts.length >= 8, `${scripts.length} scripts`);
    assert.ok(overall.mrr >= 0.85, `MRR ${overall.mrr}`);
    assert.ok(overall.recall >= 0.85, `recall@10 ${overall.recall}`);
  });

  test("only a typing mistake is corrected, and the answer says so", () => {
    const wrong = asked
      .filter(({ query, answer }) => {
        const found = answer.ids.length > 0;
        return query.why === "typo" ? found && answer.corrected === null : answer.corrected !== null;
      })
      .map(({ query, answer }) => `${query.why}: ${query.ask} ${query.text} -> ${answer.corrected}`);
    assert.deepEqual(wrong, []);
  });

  test("the spelling that is told gives the same answer and needs no correction", async () => {
    const corrected = asked.filter(({ query, answer }) => answer.corrected !== null && CORPUS_QUERIES.includes(query));
    assert.ok(corrected.length > 0);
    for (const { query, answer } of corrected) {
      const again = await ask(ownServer, { ...query, text: answer.corrected ?? "" });
      assert.deepEqual(again, { ids: answer.ids, corrected: null }, query.text);
    }
  });

  test("no fragment of the query language is an error", async () => {
    const operations: Operation[] = ["shortvideo", "longvideo", "everything"];
    for (const text of FRAGMENTS) {
      for (const operation of operations) await ask(ownServer, { ask: operation, text });
      // A mark alone names neither a person nor a hashtag; this search says so.
      if (!/^[#@]+$/.test(text)) await ask(ownServer, { ask: "photoshare", text });
    }
  });

  test("common words match hundreds of posts, so that finding one among them means something", async () => {
    for (const platform of ["shortvideo", "longvideo", "photoshare"]) {
      for (const common of ["market", "night", "coffee"]) {
        const { facets_counted } = await ownServer.json<{ facets_counted: number }>(
          `/api/search?${queryString({ q: common, platform, kind: "post" })}`,
        );
        assert.ok(facets_counted >= 200, `${platform} ${common}: ${facets_counted}`);
      }
    }
  });

  /** Each answer is filled up with others' first: most have one right id and little else, which no shuffling could harm. */
  test("answers in no order at all would not pass", () => {
    const random = seeded(7);
    const shuffled = asked.map(({ query, answer }) => {
      const others = asked.flatMap((other) => (other.query.ask === query.ask ? other.answer.ids.slice(0, 2) : []));
      const ids = [...new Set([...answer.ids, ...others])].slice(0, 40);
      return judgeAnswer(query, shuffle(ids, random));
    });
    const ordered = asked.map(({ query, answer }) => judgeAnswer(query, answer.ids));
    assert.ok(figuresOf(shuffled).mrr < figuresOf(ordered).mrr - 0.4, `MRR ${figuresOf(shuffled).mrr}`);
  });
});

describe("the measure", () => {
  const query: JudgedQuery = {
    ask: "shortvideo",
    text: "kiln",
    relevant: ["a", "b"],
    why: "word",
    script: "Latin",
  };

  test("ranks the first right answer and counts the right ones within ten", () => {
    assert.deepEqual(figuresOf([judgeAnswer(query, ["a", "b"])]), { queries: 1, mrr: 1, recall: 1 });
    assert.deepEqual(figuresOf([judgeAnswer(query, ["x", "y", "b", "z"])]), { queries: 1, mrr: 1 / 3, recall: 0.5 });
    assert.deepEqual(figuresOf([judgeAnswer(query, [])]), { queries: 1, mrr: 0, recall: 0 });
    assert.deepEqual(figuresOf([judgeAnswer(query, ["b", "a"]), judgeAnswer(query, ["x", "a"])]), {
      queries: 2,
      mrr: 0.75,
      recall: 0.75,
    });
  });

  test("sees no further than twenty for the rank and ten for recall", () => {
    const others = (count: number) => Array.from({ length: count }, (_, index) => `x${index}`);
    assert.equal(judgeAnswer(query, [...others(19), "a"]).rank, 20);
    assert.equal(judgeAnswer(query, [...others(19), "a"]).recall, 0);
    assert.equal(judgeAnswer(query, [...others(20), "a"]).rank, null);
  });

  test("of more than ten right answers, ten are all that can be found", () => {
    const many = Array.from({ length: 30 }, (_, index) => `r${index}`);
    assert.equal(judgeAnswer({ ...query, relevant: many }, many).recall, 1);
    assert.equal(judgeAnswer({ ...query, relevant: many }, many.slice(0, 5)).recall, 0.5);
  });

  test("one forbidden answer fails the query", () => {
    const judgement = judgeAnswer({ ...query, absent: ["c"] }, ["a", "b", "c"]);
    assert.equal(judgement.rank, null);
    assert.equal(judgement.recall, 0);
    assert.match(describeMisses([judgement]).join(), /must not show c/);
  });

  test("names the misses and nothing else", () => {
    const right = judgeAnswer(query, ["a", "b"]);
    const late = judgeAnswer({ ...query, text: "late" }, ["x", "a", "b"]);
    assert.deepEqual(describeMisses([right]), []);
    assert.match(describeMisses([right, late]).join(), /^word \(Latin\) shortvideo "late": rank 2/);
  });
});

function report(judgements: readonly Judgement[]): void {
  const lines = [
    describeFigures("overall", figuresOf(judgements)),
    "by script",
    ...figuresBy(judgements, ({ script }) => script).map(([name, figures]) => describeFigures(`  ${name}`, figures)),
    "by reason",
    ...figuresBy(judgements, ({ why }) => why).map(([name, figures]) => describeFigures(`  ${name}`, figures)),
    "misses",
    ...describeMisses(judgements).map((miss) => `  ${miss}`),
  ];
  console.log(lines.join("\n"));
}

/** Every order is equally likely. */
function shuffle(ids: readonly string[], random: () => number): string[] {
  return ids
    .map((id) => ({ id, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ id }) => id);
}
