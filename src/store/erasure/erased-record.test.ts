import assert from "node:assert/strict";
import { test } from "node:test";
import { PLATFORMS } from "#platforms/registry.ts";
import { shownAuthor } from "./erased-record.ts";

test("the name shown for an author is the one that each platform reads", () => {
  const natives = [
    { channelTitle: "Otto Brine" },
    { authorName: "Otto Brine" },
    { author: { nickname: "Otto Brine" } },
    { user: { nickname: "Otto Brine" } },
    { user: { full_name: "Otto Brine" } },
  ];
  for (const native of natives) {
    assert.equal(shownAuthor(native), "Otto Brine");
    assert.ok(PLATFORMS.some((platform) => platform.getAuthorName(native) === "Otto Brine"));
  }
  for (const native of [{}, { author: null, user: "otto" }, { authorName: 7 }])
    assert.equal(shownAuthor(native), undefined);
});
