import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { ANY_CHARACTER } from "#testing/any-character.ts";
import { parseProfileName } from "./profile-url.ts";

const PAGES = ["p", "reel", "reels", "tv", "stories", "explore", "share", "accounts", "direct", "about"];
const RESERVED = new Set([...PAGES, "s", "api", "graphql", "web", "legal", "developer", "challenge", "oauth"]);

const names = fc
  .stringMatching(/^[A-Za-z0-9._]{1,30}$/)
  .filter((name) => !RESERVED.has(name.toLowerCase()) && !/instagr/i.test(name));

test("a name is accepted with or without @", () => {
  fc.assert(
    fc.property(names, fc.constantFrom("", "@"), (name, at) => {
      assert.deepEqual(parseProfileName(at + name), { name });
    }),
  );
});

test("every form of a profile URL yields the name", () => {
  const scheme = fc.constantFrom("", "https://", "http://", "HTTPS://", "//");
  const host = fc.constantFrom(
    "instagram.com",
    "www.instagram.com",
    "m.instagram.com",
    "instagr.am",
    "WWW.Instagram.com",
  );
  const end = fc.constantFrom("", "/", "?igsh=x1/y", "/?hl=en", "#top", "/#a/b", "/tagged/", "/reels");
  fc.assert(
    fc.property(names, scheme, host, end, (name, before, on, after) => {
      assert.deepEqual(parseProfileName(`${before}${on}/${name}${after}`), { name });
    }),
  );
});

test("surrounding whitespace is ignored", () => {
  assert.deepEqual(parseProfileName("  https://instagram.com/luna.marchetti \n"), {
    name: "luna.marchetti",
  });
});

test("a URL may contain the name with @", () => {
  assert.deepEqual(parseProfileName("instagram.com/@luna.marchetti"), { name: "luna.marchetti" });
});

test("names of Instagram's pages are still valid account names on their own", () => {
  assert.deepEqual(parseProfileName("explore"), { name: "explore" });
});

test("URLs of posts and other pages are rejected", () => {
  fc.assert(
    fc.property(fc.constantFrom(...PAGES), fc.constantFrom("", "/", "/DAbc12_-x/", "/tags/food"), (page, after) => {
      assert.ok("reason" in parseProfileName(`https://www.instagram.com/${page}${after}`));
    }),
  );
  for (const address of ["instagram.com/luna/p/DAbc12/", "https://instagram.com/luna/reel/DAbc12", "instagr.am/P/x"]) {
    assert.ok("reason" in parseProfileName(address), address);
  }
});

test("other hosts and look-alike hosts are rejected", () => {
  const addresses = [
    "https://example.com/luna",
    "example.com/luna",
    "https://instagram.com.example.com/luna",
    "https://instagram.com@example.com/luna",
    "https://luna@instagram.com/luna",
    "https://example.com/?u=instagram.com/luna",
    "https://notinstagram.com/luna",
    "https://instagram.com:8443/luna",
    "ftp://instagram.com/luna",
    "javascript:alert(1)//instagram.com/luna",
    "https:\\\\instagram.com\\luna",
  ];
  for (const address of addresses) assert.ok("reason" in parseProfileName(address), address);
});

test("anything that is neither a name nor a URL is rejected", () => {
  for (const text of [
    "",
    " ",
    "@",
    "@@luna",
    "luna marchetti",
    "lúna",
    "a".repeat(31),
    "instagram.com",
    "www.instagram.com",
    "https://instagram.com/",
    "instagram.com/%6Cuna",
  ]) {
    assert.ok("reason" in parseProfileName(text), text);
  }
});

test("any text yields a well-formed name or a reason", () => {
  fc.assert(
    fc.property(fc.string({ unit: ANY_CHARACTER }), (text) => {
      const read = parseProfileName(text);
      if ("name" in read) assert.match(read.name, /^[A-Za-z0-9._]{1,30}$/);
      else assert.ok(read.reason.length > 0);
    }),
  );
});
