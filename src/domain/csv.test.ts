import assert from "node:assert/strict";
import { randomBytes, randomInt } from "node:crypto";
import { test } from "node:test";
import Papa from "papaparse";
import { createCsvWriter, type CsvCell, unprotectFormula } from "./csv.ts";

const COLUMNS = ["id", "post_id", "node.code", "author.secUid", "videoId", "text", "valid"];
const ID_COLUMNS = 5;

function readBack(columns: readonly string[], cells: readonly CsvCell[]): string[] {
  const { header, line } = createCsvWriter(columns);
  const { data, errors } = Papa.parse<string[]>(header + line(cells), { delimiter: "," });
  assert.deepEqual(errors, []);
  assert.equal(data.length, 3, "a header, a row and the end of its line");
  return data[1] ?? [];
}

const shared = (cell: CsvCell) => readBack(COLUMNS, Array<CsvCell>(COLUMNS.length).fill(cell));

test("an id is the same in every file, whatever it begins with", () => {
  for (let round = 0; round < 500; round++) {
    // Videos and photos have such ids: base64 for URLs.
    const id = `${round % 2 === 0 ? "-" : ""}${randomBytes(randomInt(4, 12)).toString("base64url")}`;
    const cells = shared(id);
    assert.deepEqual(cells.slice(0, ID_COLUMNS), Array(ID_COLUMNS).fill(id), id);
    assert.equal(cells[ID_COLUMNS], id.startsWith("-") ? `'${id}` : id);
  }
});

test("no text and no id can be a formula, and reading gives back what was written", () => {
  const signs = ["=", "+", "-", "@", "\t", "\r", "\n", "'", '"', ",", "|", "!", "(", " ", "a", "1", "_", "·"];
  for (let round = 0; round < 2_000; round++) {
    const text = Array.from({ length: randomInt(1, 9) }, () => signs[randomInt(signs.length)]).join("");
    for (const cell of shared(text)) {
      assert.ok(!/^[=+@\t\r]/.test(cell), JSON.stringify(text));
      assert.ok(!cell.startsWith("-") || /^-[\w-]+$/.test(cell), JSON.stringify(text));
      assert.equal(unprotectFormula(cell), text);
    }
    assert.ok(!shared(text)[ID_COLUMNS]?.startsWith("-"), JSON.stringify(text));
  }
});

test("a hostile id is no formula", () => {
  for (const id of ["-1+cmd|'/c calc'!A0", '=HYPERLINK("https://x.example")', "@SUM(A1)", "+1", "-A1-B2(", "-"]) {
    assert.deepEqual(shared(id), Array(COLUMNS.length).fill(`'${id}`));
  }
});

test("numbers, addresses, times and codes are written as they are", () => {
  for (const cell of [
    -5,
    0.25,
    true,
    "https://a.example/-x?y=1",
    "2026-11-16T09:00:00.000Z",
    "zh-Hant",
    "-1",
  ] as const) {
    assert.equal(readBack(["code"], [cell])[0], String(cell));
  }
  assert.equal(
    createCsvWriter(["a", "b", "c", "d"]).line([null, undefined, "", ["-x", "y"]]),
    ',,,"[""-x"",""y""]"\r\n',
  );
});

test("a line break of any kind is inside quotes", () => {
  for (const text of ["a\rb", "a\nb", "a\r\nb"]) assert.equal(createCsvWriter(["t"]).line([text]), `"${text}"\r\n`);
});
