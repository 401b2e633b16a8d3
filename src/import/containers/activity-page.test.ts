import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { isDocument } from "./document.ts";
import { readDocuments } from "./documents.ts";

const cell = (title: string) =>
  `<div class="outer-cell mdl-cell"><div class="mdl-grid"><div class="header-cell"><p>YouTube<br></p></div>` +
  `<div class="content-cell mdl-typography--body-1">Watched&nbsp;<a href="https://videos.example/${title}">Über &lt;${title}&gt;</a><br>` +
  `Feb 7, 2026</div><div class="content-cell mdl-typography--caption"><b>Products:</b>&emsp;YouTube</div></div></div>`;

const page = (...cells: string[]) =>
  `<html><head><style>.mdl-cell{}</style></head><body><div class="mdl-grid">${cells.join("\n")}</div></body></html>`;

async function read(text: string, chunkBytes: number, firstIndex = 0): Promise<[number, unknown][]> {
  const bytes = Buffer.from(text);
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunkBytes) }, (_, at) =>
    bytes.subarray(at * chunkBytes, (at + 1) * chunkBytes),
  );
  const file = { segments: ["history.html"], bytes: () => Readable.from(chunks) };
  const found: [number, unknown][] = [];
  for await (const item of readDocuments(file, { firstIndex })) {
    assert.ok(isDocument(item));
    found.push([item.index, item.value]);
  }
  return found;
}

const activity = (title: string) => ({
  activity: {
    product: "YouTube",
    links: [{ url: `https://videos.example/${title}`, text: `Über <${title}>` }],
    details: "Products:\u2003YouTube",
  },
});

test("a page of activities yields each of them, wherever its bytes are split", async () => {
  for (const chunkBytes of [7, 100_000]) {
    assert.deepEqual(await read(page(cell("a"), cell("b")), chunkBytes), [
      [0, activity("a")],
      [1, activity("b")],
    ]);
  }
});

test("reading resumes at an activity, and a page that was cut off gives what it has", async () => {
  assert.deepEqual(await read(page(cell("a"), cell("b")), 4096, 1), [[1, activity("b")]]);
  const cut = page(cell("a"), cell("b")).slice(0, -200);
  assert.deepEqual(
    (await read(cut, 4096)).map(([index]) => index),
    [0, 1],
  );
});

test("a cell that never ends takes no more memory than its bound", async () => {
  const endless = `<div class="outer-cell"><div class="content-cell"><a href="x">${"word ".repeat(100_000)}`;
  const [[, value] = []] = await read(`<html><head><style>.mdl-grid{}</style></head><body>${endless}`, 65_536);
  assert.ok(JSON.stringify(value).length < 140_000);
});

test("of the links of an activity the first hundred are kept", async () => {
  const links = '<a href="x">y</a>'.repeat(101);
  const [[, value] = []] = await read(
    page(`<div class="outer-cell"><div class="content-cell">${links}</div></div>`),
    99,
  );
  assert.equal((value as ReturnType<typeof activity>).activity.links.length, 100);
});
