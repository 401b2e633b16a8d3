/** Page tokens belong to one operation, one set of parameters, one day: everything else is refused as `invalid_cursor`. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { pageTokensFor } from "#auth/page-tokens.ts";
import { openSecrets } from "#testing/secrets.ts";
import { HOUR_MS } from "#domain/time.ts";
import { budget } from "#testing/budget.ts";
import { reportClaim } from "#testing/claims.ts";
import { startTestServer, type TestServer } from "./test-server.ts";
import { listNamed, PAGED_LISTS, type PagedList, readPage } from "./paged-lists.ts";
import { assertParameterProblem } from "./problem.ts";
import { BEHAVIOUR } from "./spec-tables.ts";
import { requestOperation, parameterLocationOf } from "./http-client.ts";
import { AMARA, T0, WORLD } from "./world.ts";

/** The lists whose next page is asked for with a signed token, and the parameter that carries it. */
const SIGNED = PAGED_LISTS.flatMap((list) => {
  const parameter = Object.keys(BEHAVIOUR[list.operation]?.pages?.next ?? {}).find((name) => name !== "cursor");
  return parameter === undefined ? [] : [{ list, parameter }];
});

describe("page tokens", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer(WORLD, { RATE_LIMIT: "off" });
  });
  after(() => server.close());

  async function nextOf(list: PagedList): Promise<Record<string, string>> {
    const small = list.size === null ? {} : { [list.size.parameter]: "5" };
    const { next } = await readPage(server, list, small);
    assert.ok(next, `${list.name} must have a second page`);
    return next;
  }

  async function assertRefused(
    operation: string,
    parameters: Record<string, string>,
    parameter: string,
    hint: string,
  ): Promise<void> {
    assertParameterProblem(
      await requestOperation(server.url, operation, parameters),
      "invalid_cursor",
      { in: parameterLocationOf(operation), parameter },
      hint,
    );
  }

  for (const { list, parameter } of SIGNED) {
    test(`${list.name} refuses a token that was changed in any one character`, async () => {
      const next = await nextOf(list);
      const token = next[parameter] ?? "";
      for (let index = 0; index < token.length; index++) {
        const other = token[index] === "A" ? "B" : "A";
        const changed = token.slice(0, index) + other + token.slice(index + 1);
        await assertRefused(
          list.operation,
          { ...list.parameters, ...next, [parameter]: changed },
          parameter,
          `${list.name}, character ${index}`,
        );
      }
    });

    test(`${list.name} refuses a token that was cut, padded or joined`, async () => {
      const next = await nextOf(list);
      const token = next[parameter] ?? "";
      for (const changed of [
        token.slice(0, -1),
        token.slice(1),
        token.slice(0, 20),
        `${token}=`,
        `${token} `,
        ` ${token}`,
        `${token}A`,
        token + token,
      ]) {
        await assertRefused(
          list.operation,
          { ...list.parameters, ...next, [parameter]: changed },
          parameter,
          `${list.name}: ${changed}`,
        );
      }
    });

    test(`${list.name} refuses the tokens of other lists`, async () => {
      const next = await nextOf(list);
      for (const other of SIGNED.filter((candidate) => candidate.list !== list)) {
        const foreign = (await nextOf(other.list))[other.parameter] ?? "";
        await assertRefused(
          list.operation,
          { ...list.parameters, ...next, [parameter]: foreign },
          parameter,
          `${list.name} with a token of ${other.list.name}`,
        );
      }
    });
  }

  test("no random change of a token is accepted, by the check itself and over HTTP", async () => {
    const key = openSecrets(server.dataDir).cursors;
    const now = Date.now();
    const tokens = pageTokensFor(key, "photoshare/get-posts", now);
    const bound = [AMARA.name ?? ""];
    const token = tokens.sign(bound, { at: T0 + 1, id: "0" });
    assert.deepEqual(tokens.verify(bound, token), { at: T0 + 1, id: "0" });
    let state = 19;
    const random = (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=+/ .";
    const count = budget("changedCursors");
    for (let index = 0; index < count; index++) {
      let changed = token;
      for (let changes = 1 + random(3); changes > 0; changes--) {
        const at = random(changed.length + 1);
        changed = changed.slice(0, at) + (letters[random(letters.length)] ?? "") + changed.slice(at + random(3));
      }
      if (changed === token) continue;
      assert.equal(tokens.verify(bound, changed), null, changed);
      if (index % 100 !== 0) continue;
      const parameters = { username_or_url: "amara.petrovic", pagination_token: changed };
      await assertRefused("photoshare/get-posts", parameters, "pagination_token", changed);
    }
    reportClaim("Page tokens cannot be changed", `${count} changed cursors: 0 accepted`);
  });

  const OTHERS: [list: string, change: Record<string, string>, parameter: string][] = [
    ["get-posts", { username_or_url: "rafael.sundqvist" }, "pagination_token"],
    ["get-user-tagged-posts", { username_or_url: "amara.petrovic" }, "pagination_token"],
    ["get-followers", { username_or_url: "rafael.sundqvist" }, "pagination_token"],
    ["search-hashtag", { hashtag: "東京散歩" }, "pagination_token"],
    ["long-video search", { query: "workshop" }, "continuation_token"],
    ["long-video search", { lang: "hu" }, "continuation_token"],
    ["long-video search", { country: "HU" }, "continuation_token"],
    ["long-video search", { order_by: "this_year" }, "continuation_token"],
    ["video/comments, newest first", { video_id: "world0000002" }, "continuation_token"],
    ["video/comments, newest first", { sort: "top" }, "continuation_token"],
    ["search/general", { keyword: "market" }, "search_id"],
  ];
  for (const [name, change, parameter] of OTHERS) {
    test(`a token of ${name} is refused with ${JSON.stringify(change)}`, async () => {
      const list = listNamed(name);
      await assertRefused(list.operation, { ...list.parameters, ...(await nextOf(list)), ...change }, parameter, name);
    });
  }

  test("a token is good with any spelling of the same parameters", async () => {
    const posts = listNamed("get-posts");
    const token = await nextOf(posts);
    const response = await requestOperation(server.url, posts.operation, {
      username_or_url: "https://www.instagram.com/Amara.Petrovic/?hl=en",
      ...token,
    });
    assert.equal(response.status, 200, response.text);
    const hashtag = listNamed("search-hashtag");
    const next = await requestOperation(server.url, hashtag.operation, {
      hashtag: "#PAPRIKA",
      ...(await nextOf(hashtag)),
    });
    assert.equal(next.status, 200, next.text);
  });

  test("a token has the window of its first page, however late the next one is asked for", async () => {
    const search = { query: "lantern", lang: "en", country: "US", order_by: "this_year" };
    const countOn = async (token: object) => {
      const { text } = await requestOperation(server.url, "longvideo/search", { ...search, ...token });
      const { videos, continuation_token } = JSON.parse(text) as { videos: object[]; continuation_token: string };
      return [videos.length, { continuation_token }] as const;
    };
    assert.equal((await countOn({}))[0], 0, "nothing is as new");
    const place = { offset: 0, state: "zzzz", clock: T0, since: T0, until: T0 + 3_600 };
    const tokens = pageTokensFor(openSecrets(server.dataDir).cursors, "longvideo/search", Date.now());
    const [found, next] = await countOn({ continuation_token: tokens.sign(Object.values(search), place) });
    assert.deepEqual([found, (await countOn(next))[0]], [20, 20]);
  });

  test("a token lives for a day: one that this service sealed 26 hours ago is refused, one of 23 hours ago is good", async () => {
    const key = openSecrets(server.dataDir).cursors;
    const sealedAgo = (hours: number) =>
      pageTokensFor(key, "photoshare/get-posts", Date.now() - hours * HOUR_MS).sign([AMARA.name ?? ""], {
        at: T0 + 1,
        id: "0",
      });
    const list = listNamed("get-posts");
    const good = await readPage(server, list, { pagination_token: sealedAgo(23) });
    assert.notEqual(good.ids.length, 0);
    await assertRefused(
      list.operation,
      { ...list.parameters, pagination_token: sealedAgo(26) },
      "pagination_token",
      "expired",
    );
  });

  test("a token that another installation sealed is refused", async () => {
    const other = await startTestServer(WORLD, { RATE_LIMIT: "off" });
    try {
      const list = listNamed("get-posts");
      const { next } = await readPage(other, list, { amount: "5" });
      await assertRefused(
        list.operation,
        { ...list.parameters, ...next },
        "pagination_token",
        "of another installation",
      );
    } finally {
      await other.close();
    }
  });

  test("a cursor of search/general without its search_id is refused", async () => {
    const none: Record<string, string>[] = [{}, { search_id: "0" }, { search_id: "" }];
    for (const searchId of none) {
      await assertRefused(
        "shortvideo/search/general",
        { keyword: "lantern", cursor: "12", ...searchId },
        "search_id",
        JSON.stringify(searchId),
      );
    }
  });

  test("search_id 0, empty or absent begins a new search", async () => {
    const list = listNamed("search/general");
    const first = await readPage(server, list);
    for (const searchId of ["0", ""])
      assert.deepEqual((await readPage(server, list, { cursor: "0", search_id: searchId })).ids, first.ids);
  });
});
