import assert from "node:assert/strict";
import { test } from "node:test";
import { parseScopes, readScopesFor, scopesFor } from "./scopes.ts";

const SCOPES = scopesFor(["shortvideo", "longvideo", "photoshare"]);

test("there is a scope per platform and the six that are not tied to one, each with its sentence", () => {
  assert.deepEqual(
    SCOPES.map(({ name }) => name),
    [
      "read:shortvideo",
      "read:longvideo",
      "read:photoshare",
      "read:personal",
      "live",
      "feed",
      "export",
      "ingest",
      "admin",
    ],
  );
  for (const { sentence } of SCOPES) assert.match(sentence, /^[A-Z].*\.$/);
});

test("all read scopes are those of the platforms and the personal one", () => {
  assert.deepEqual(readScopesFor(["shortvideo"]), ["read:shortvideo", "read:personal"]);
});

test("blanks, duplicates and stray commas in a list are ignored", () => {
  assert.deepEqual(parseScopes(" export, read:longvideo,,export,", SCOPES), {
    scopes: ["export", "read:longvideo"],
  });
});

test("the token of a feed has no other scope", () => {
  assert.deepEqual(parseScopes("feed,feed", SCOPES), { scopes: ["feed"] });
  assert.deepEqual(parseScopes("feed,admin", SCOPES), {
    reason: "feed must be the only scope, as its token stands in URLs; create another token for the rest",
  });
});

test("an unknown scope is named beside the ones that exist", () => {
  assert.deepEqual(parseScopes("export,write", scopesFor([])), {
    reason: "write: unknown scope; the scopes are read:personal, live, feed, export, ingest, admin",
  });
});

test("a list without a scope is refused", () => {
  for (const list of ["", " ", ",,"]) assert.ok("reason" in parseScopes(list, SCOPES));
});
