import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as fc from "fast-check";
import { ANY_CHARACTER } from "#testing/any-character.ts";
import { parseQuery, respell, type Term } from "./query.ts";

/** A query in short: each term's tokens with `+` between, alternatives with `|`, a phrase in quotes, a prefix with `*`. */
function short(text: string): string {
  const { terms, not, filters, bounds } = parseQuery(text);
  const word = ({ tokens, isPhrase, isPrefix }: Term) =>
    isPhrase ? `"${tokens.join(" ")}"` : tokens.join("+") + (isPrefix ? "*" : "");
  return [
    ...terms.map((alternatives) => alternatives.map(word).join("|")),
    ...not.map((term) => `-${word(term)}`),
    ...filters.map(({ name, value, negated }) => `${negated ? "-" : ""}${name}:${value}`),
    ...Object.entries(bounds).map(([name, bound]) => `${name}:${bound}`),
  ].join(" ");
}

describe("the query language", () => {
  const cases: [text: string, read: string][] = [
    ["midnight dump", "midnight dump*"],
    ["midnight dump ", "midnight dump"],
    ['"midnight dumplings" harbour', '"midnight dumplings" harbour*'],
    ['"soup"', "soup"],
    ['"#StreetFood soup"', '"street food soup"'],
    ["soup!", "soup"],
    ["soup 🥟", "soup 🥟"],
    ["soup -noodles", "soup -noodles"],
    ['soup -"egg noodles"', 'soup -"egg noodles"'],
    ["ramen OR pho broth", "ramen|pho broth*"],
    ["soup #Ramen", "soup #ramen*"],
    ["@nora.lindqvist lamp", "@nora.lindqvist lamp*"],
    ["from:nora soup", "soup* from:nora"],
    ['sound:"Night Train" -from:@ivo rain', "rain* sound:Night Train -from:@ivo"],
    ['from:" nora " from:" " soup', "from soup* from:nora"],
    ["lang:pt-BR feijoada", "feijoada* lang:pt-BR"],
    ["tea since:2026-01-02 until:2026-02", "tea since:1767312000 until:1769904000"],
    ["tea since:2026-01-02T10:30", "tea since:1767349800"],
    ["tea min_views:5k min_likes:20", "tea minViews:5000 minLikes:20"],
    ["tea MIN_VIEWS:2.5m min_likes:1.2", "tea minViews:2500000 minLikes:2"],
    ["tea min_views:2.007k min_likes:2.007m", "tea minViews:2007 minLikes:2007000"],
    ["tea since:2026-02 since:2026-01 until:2026-03 until:2026-04", "tea since:1769904000 until:1772323200"],
    ["-soup since:2026", "-soup since:1767225600"],
    ["-soup from:nora", "-soup from:nora"],
    ["-soup -from:nora", "soup -from:nora"],
    ["-since:2026 -min_views:5 tea", "tea*"],
    // What is not well-formed is searched as it stands.
    ["OR", "or*"],
    ["OR soup", "or soup*"],
    ["soup OR", "soup or*"],
    ['"open', "open*"],
    ['from:"nora', "from+nora*"],
    ['-from:no"ra soup', "soup* -from+no+ra"],
    ["note:this re:zero", "note+this re+zero*"],
    ["sort: views", "sort views*"],
    ['"sort:views"', '"sort views"'],
    ["10:30 https://example.com/a_b", "10+30 https+example+com+a_b*"],
    ["until:2028-02-29", "until:1835395200"],
    ["-soup", "soup"],
    ["-", ""],
    ['""', ""],
    ["!!! ???", ""],
  ];
  for (const [text, read] of cases) test(JSON.stringify(text), () => assert.equal(short(text), read));

  test("operators that are unknown or have an unreadable value are not searched, and are named with the reason", () => {
    const ignored: [text: string, reason: RegExp][] = [
      ["lang:klingon", /^must be a language code/],
      ["since:never", /^must be a year, month, day or time/],
      ["until:1969", /from 1970 on/],
      ["since:2026-13-45", /^must be a year/],
      ["until:2026-02-30", /^must be a year/],
      ["since:2026-04-31T10:30Z", /^must be a year/],
      ["lang:", /^must be a language code/],
      ["min_views:abc", /^must be a number such as 500, 10k or 2.5m;/],
      ["-since:2026", /^cannot be negated; quote it/],
      ["sort:views", /^is not an operator; known are from:/],
      ["Sort:Views", /^is not an operator/],
      ['order:"most viewed"', /^is not an operator/],
      ["-min_replies:5", /^is not an operator/],
    ];
    for (const [term, reason] of ignored) {
      const query = parseQuery(`tea ${term} cups`);
      assert.equal(short(`tea ${term} cups`), "tea cups*", term);
      assert.deepEqual(
        query.ignored.map((one) => one.term),
        [term],
      );
      assert.match(query.ignored[0]?.reason ?? "", reason);
    }
    assert.deepEqual(parseQuery("tea since:2026 note:this").ignored, []);
    assert.deepEqual(
      parseQuery(`${"tea ".repeat(15)}soup noodles ${"from:a ".repeat(9)}`).ignored.map(({ term }) => term),
      ["noodles", "from:a"],
    );
  });

  test("a time of day without an offset is in UTC, wherever the service runs", (t) => {
    const zone = process.env["TZ"];
    t.after(() => (zone === undefined ? delete process.env["TZ"] : (process.env["TZ"] = zone)));
    process.env["TZ"] = "Asia/Tokyo";
    assert.equal(short("tea since:2026-01-02T10:30"), "tea since:1767349800");
    assert.equal(short("tea since:2026-01-02T10:30+02:00"), "tea since:1767342600");
  });

  test("any text is a query, of at most sixteen words and eight filters", () => {
    const words = (text: string) => {
      const { terms, not, filters } = parseQuery(text);
      assert.ok(filters.length <= 8);
      return [...terms.flat(), ...not].flatMap(({ tokens }) => tokens).length;
    };
    fc.assert(fc.property(fc.string({ unit: ANY_CHARACTER, maxLength: 300 }), (text) => words(text) <= 16));
    for (const unit of ["soup ", "soup,", "soup OR ", "-soup ", "深夜食堂", "ตลาด", "☀", "from:a b "]) {
      assert.equal(words(`tea ${unit.repeat(20)}`), 16, unit);
    }
    assert.equal(short(`"${"tea ".repeat(20)}"`), `"${"tea ".repeat(16).trim()}"`);
    assert.equal(
      short(`${"tea ".repeat(15)}soup,noodles`),
      `${"tea ".repeat(15)}soup`,
      "a word before another is whole",
    );
  });

  test("another spelling leaves the rest of the query as it was", () => {
    const spellings = new Map([
      ["dumplngs", "dumplings"],
      ["#ramne", "#ramen"],
    ]);
    assert.equal(
      respell('"Midnight dumplngs" -cold #Ramne from:ivo', spellings),
      '"midnight dumplings" -cold #ramen from:ivo',
    );
    const known = new Map([["from", "form"]]);
    assert.equal(respell('brief from from:ivo -from:"Ivo K"', known), 'brief form from:ivo -from:"Ivo K"');
    assert.equal(respell("from: from:never", known), "form from:never");
    assert.equal(
      respell(
        "since:never sinse",
        new Map([
          ["since", "sense"],
          ["sinse", "sense"],
        ]),
      ),
      "since:never sense",
    );
  });
});
