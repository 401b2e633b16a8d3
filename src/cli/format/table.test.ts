import assert from "node:assert/strict";
import { test } from "node:test";
import { formatRecords } from "./records.ts";
import { formatTable } from "./table.ts";

test("columns are aligned by what a terminal shows: wide characters, accents and styles", () => {
  assert.equal(
    formatTable([
      ["夜市", "1"],
      ["cafe\u0301", "2"],
      ["\u001b[1mbold\u001b[22m", "3"],
      ["a", ""],
    ]),
    "夜市  1\ncafe\u0301  2\n\u001b[1mbold\u001b[22m  3\na\n",
  );
});

test("a table has as many columns as fit, at least one, and URLs and empty ones only by their number", () => {
  const items = [
    {
      id: "1".repeat(30),
      url: "https://videos.example/1",
      none: "",
      likes: 7,
      text: "x".repeat(49),
      tag: "y".repeat(48),
    },
  ];
  const records = { items, columns: Object.keys(items[0] ?? {}), isList: true, lists: new Map() };
  const print = (width: number) => formatRecords(records, width, (text) => text);
  assert.deepEqual(print(20), { text: `id\n${"1".repeat(30)}\n`, hidden: 4 });
  assert.deepEqual(print(40), { text: `${"id".padEnd(30)}  likes\n${"1".repeat(30)}  7\n`, hidden: 3 });
  assert.doesNotMatch(print(200).text, /https/);
  assert.match(print(200).text, / {2}x{47}… {2}y{48}\n$/);
});
