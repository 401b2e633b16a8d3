import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import Papa from "papaparse";
import { readTable } from "./csv.ts";
import { type Document, type ParsedItem, isDocument, isRefused } from "./document.ts";
import { readDocuments, type DocumentOptions } from "./documents.ts";
import { DEFAULT_SIZE_LIMITS } from "./size-limits.ts";
import { UnreadableError } from "./unreadable-error.ts";

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

interface Sample extends DocumentOptions {
  name?: string;
  chunk?: number;
}

async function read(
  content: string | Buffer,
  { name = "capture", chunk = 1000, ...options }: Sample = {},
): Promise<ParsedItem[]> {
  const bytes = chunksOf(Buffer.from(content), chunk);
  const found: ParsedItem[] = [];
  for await (const one of readDocuments({ segments: [name], bytes: () => bytes }, options)) found.push(one);
  return found;
}

async function valuesOf(content: string | Buffer, sample: Sample = {}): Promise<unknown[]> {
  return (await read(content, sample)).map((found) => (isDocument(found) ? found.value : found));
}

test("NDJSON: blank lines, CRLF, a byte order mark, broken and truncated lines", async () => {
  const found = await read('\ufeff{"a":1}\r\n\r\n{"b":}\n[3]\n{"c":710000000000000000123}\n{"d":"cu');
  assert.deepEqual(
    found.map((one) => (isDocument(one) ? [one.index, one.line, one.value] : one)),
    [
      [0, 1, { a: 1 }],
      { index: 1, line: 3, refused: "not_json" },
      [2, 4, [3]],
      [3, 5, { c: "710000000000000000123" }],
      { index: 4, line: 6, refused: "cut_short: the JSON ends too early" },
    ],
  );
});

test("NDJSON: every complete line of a truncated file is read, in any chunks", async () => {
  const lines = fc.array(
    fc.record({ id: fc.nat(), text: fc.string({ unit: "grapheme" }) }, { noNullPrototype: true }),
    { minLength: 3, maxLength: 20 },
  );
  await fc.assert(
    fc.asyncProperty(
      lines,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 1, max: 50 }),
      async (items, part, chunk) => {
        const bytes = Buffer.from(items.map((item) => `${JSON.stringify(item)}\n`).join(""));
        const cut = Math.floor(part * bytes.length);
        const whole = bytes.subarray(0, cut).toString("latin1").split("\n").length - 1;
        const found = await read(bytes.subarray(0, cut), { chunk, name: "lines.ndjson" });
        assert.deepEqual(
          found
            .filter(isDocument)
            .map(({ value }) => value)
            .slice(0, whole),
          items.slice(0, whole),
        );
        assert.ok(found.filter(isRefused).length <= 1);
      },
    ),
  );
});

test("a line beyond the limit is refused and the next one is read", async () => {
  const text = `{"a":1}\n{"b":"${"x".repeat(5000)}"}\n{"c":3}\n`;
  assert.deepEqual(await valuesOf(text, { limits: { recordBytes: 2000 }, chunk: 100 }), [
    { a: 1 },
    { index: 1, line: 2, refused: "record_too_large: a line of more than 2 KiB" },
    { c: 3 },
  ]);
});

test("deep lines are refused", async () => {
  const deep = `{"d":${"[".repeat(10_000)}${"]".repeat(10_000)}}`;
  assert.deepEqual(await valuesOf(`{"a":1}\n${deep}\n{"b":2}\n`), [
    { a: 1 },
    { index: 1, line: 2, refused: "nested_too_deep: more than 1000 levels" },
    { b: 2 },
  ]);
});

test("pretty-printed JSON, JSON with a hijacking guard, and JSON in UTF-16", async () => {
  const pretty = JSON.stringify({ a: [1, 2], b: { c: "é" } }, null, 2);
  const value = [{ a: [1, 2], b: { c: "é" } }];
  assert.deepEqual(await valuesOf(pretty), value);
  assert.deepEqual(await valuesOf(`for (;;);${pretty}`), value);
  assert.deepEqual(await valuesOf(`)]}'\n${pretty}`), value);
  const little = Buffer.from(`\ufeff${pretty}`, "utf16le");
  assert.deepEqual(await valuesOf(little, { chunk: 3 }), value);
  assert.deepEqual(await valuesOf(Buffer.from(little).swap16(), { chunk: 3 }), value);
});

test("a list with a large object in each line is read as one list, and large lines of NDJSON as lines", async () => {
  const large = ["a", "b", "c"].map((id) => ({ id, text: "x".repeat(45_000) }));
  const lines = large.map((value) => JSON.stringify(value));
  for (const text of [`[${lines.join(",\n")}]`, `[\n${lines.join(",\n")}\n]\n`, `${lines.join("\n")}\n`])
    assert.deepEqual(await valuesOf(text), large);
  const items = large.map(({ id, text }) => ({ id, text: text.repeat(2) }));
  const [whole] = await valuesOf(`{\n"items":${JSON.stringify(items.slice(0, 1))}\n}`);
  assert.deepEqual(whole, { items: items.slice(0, 1) });
  assert.deepEqual(await valuesOf(`[\n${items.map((item) => JSON.stringify(item)).join(",\n")}\n]`), items);
});

test("bytes that are not UTF-8 are replaced and reported once", async () => {
  const bytes = Buffer.concat([
    Buffer.from('{"a":"caf'),
    Buffer.from([0xe9]),
    Buffer.from('"}\n{"b":"'),
    Buffer.from([0xff, 0]),
    Buffer.from('"}\n'),
  ]);
  assert.deepEqual(await valuesOf(bytes, { chunk: 5 }), [
    { note: "some bytes are not UTF-8; they were replaced" },
    { a: "caf\ufffd" },
    { b: "\ufffd" },
  ]);
});

test("tables: any separator and quoting is parsed, in any chunks", async () => {
  const cell = fc.string({
    unit: fc.constantFrom("a", "é", '"', ",", ";", "\t", "|", "\n", " ", "1", "😀"),
    maxLength: 8,
  });
  const row = fc.array(cell, { minLength: 3, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 1, maxLength: 12 }),
      fc.constantFrom(",", ";", "\t", "|"),
      fc.constantFrom("\n", "\r\n"),
      fc.integer({ min: 1, max: 40 }),
      async (rows, separator, newline, chunk) => {
        const quoted = [["id", "title", "tags"], ...rows].map((cells) =>
          cells.map((text) => `"${text.replaceAll('"', '""')}"`).join(separator),
        );
        const found = await read(quoted.join(newline), { chunk, name: "table.csv" });
        assert.deepEqual(
          found.map((one) => (isDocument(one) ? one.value : one)),
          rows.map(([id, title, tags]) => ({ id, title, tags })),
        );
      },
    ),
  );
});

test("tables: line numbers, ragged rows, unusual headers, a truncated row", async () => {
  const found = await read(
    '\ufeffid,title,title,,__proto__\r\n1,"two\nlines",x,y,z\r\n\r\n2,b\r\n3,c,d,e,f, ,\r\n4,"cut he',
    { name: "t.csv" },
  );
  assert.deepEqual(found, [
    {
      index: 0,
      line: 2,
      kind: "row",
      capturedAt: null,
      origin: {},
      value: { id: "1", title: "two\nlines", "title (3)": "x", "column 4": "y", "column 5": "z" },
    },
    {
      index: 1,
      line: 5,
      kind: "row",
      capturedAt: null,
      origin: {},
      value: { id: "2", title: "b" },
    },
    {
      index: 2,
      line: 6,
      kind: "row",
      capturedAt: null,
      origin: {},
      value: { id: "3", title: "c", "title (3)": "d", "column 4": "e", "column 5": "f" },
    },
    { note: "the last row is cut short: its last cell is left out" },
    {
      index: 3,
      line: 7,
      kind: "row",
      capturedAt: null,
      origin: {},
      value: { id: "4", title: "" },
    },
  ]);
});

test("tables: a row with more cells than the header is refused, not read shifted", async () => {
  const text = "id,title,likes\n1,Calm sea,20\n2,Sail, then swim,40\n3,Harbour,7,,\n";
  for (const [chunk, newline] of [
    [3, "\n"],
    [1000, "\r\n"],
  ] as const) {
    const found = await read(text.replaceAll("\n", newline), { name: "t.csv", chunk });
    assert.deepEqual(
      found.map((item) => (isDocument(item) ? item.value : item)),
      [
        { id: "1", title: "Calm sea", likes: "20" },
        { index: 1, line: 3, refused: "too_many_cells: 4 instead of 3" },
        { id: "3", title: "Harbour", likes: "7" },
      ],
    );
    assert.deepEqual(
      await read(text.replaceAll("\n", newline), { name: "t.csv", chunk, firstIndex: 2 }),
      found.slice(2),
    );
  }
});

test("tables: a last row that is cut inside a cell keeps the cells before it", async () => {
  const note = { note: "the last row is cut short: its last cell is left out" };
  const whole = { id: "1", likes: "1500", title: "a" };
  for (const [end, ...wanted] of [
    ["2,15", note, { id: "2", likes: "" }],
    ['2,"15"', note, { id: "2", likes: "" }],
    ["2", note],
    ['2,1500,"b', note, { id: "2", likes: "1500", title: "" }],
    ["2,1500,b", { id: "2", likes: "1500", title: "b" }],
    ["2,1500\r", { id: "2", likes: "1500" }],
    ["2,1500\n", { id: "2", likes: "1500" }],
    [" "],
  ] as const) {
    for (const chunk of [3, 1000])
      assert.deepEqual(await valuesOf(`id,likes,title\n1,1500,a\n${end}`, { name: "t.csv", chunk }), [
        whole,
        ...wanted,
      ]);
  }
});

test("tables: an unclosed quote loses its line, not the table", async () => {
  const rows = Array.from({ length: 300 }, (_, at) => `${at},${at === 20 ? '"open' : "fine"},x`);
  const text = `id,text,more\n${rows.join("\n")}\n`;
  for (const [limits, refused] of [
    [{ rowBytes: 1000 }, "row_too_large: more than 1 KiB"],
    [{}, "quote_not_closed"],
  ] as const) {
    const found = await read(text, { chunk: 100, limits, name: "t.csv" });
    assert.deepEqual(found.filter(isRefused), [{ index: 20, line: 22, refused }]);
    assert.equal(found.filter(isDocument).length, 299);
    assert.equal(found.length, 300);
    assert.deepEqual(await read(text, { chunk: 100, limits, name: "t.csv", firstIndex: 250 }), found.slice(250));
  }
});

test("tables: a line that is too long is refused once, and its end is no row", async () => {
  const long = `1,${"x".repeat(100_000)},y`;
  for (const newline of ["\n", "\r\n"]) {
    const text = ["id,text,more", long, "2,b,c", long].join(newline);
    const limits = { rowBytes: 1000 };
    const refused = "row_too_large: more than 1 KiB";
    assert.deepEqual(await valuesOf(text, { chunk: 100, limits, name: "t.csv" }), [
      { index: 0, line: 2, refused },
      { id: "2", text: "b", more: "c" },
      { index: 2, line: 4, refused },
    ]);
  }
});

test("tables: of many unclosed quotes each loses its line, whatever the line ends and the end of the file", async () => {
  for (const newline of ["\n", "\r\n", "\r"]) {
    const rows = Array.from({ length: 300 }, (_, at) => `${at},${at % 3 === 0 ? '"open' : '""'},x`);
    const found = await read(["id,text,more", ...rows, "300,cu"].join(newline), { name: "t.csv" });
    const refused = found.filter(isRefused);
    assert.deepEqual([refused.length, refused[1]?.line], [100, 5]);
    assert.deepEqual(
      found.filter(isDocument).map(({ value }) => value),
      [
        ...rows.flatMap((_, at) => (at % 3 === 0 ? [] : [{ id: `${at}`, text: "", more: "x" }])),
        { id: "300", text: "" },
      ],
    );
  }
});

test("tables: blank lines do not tell a stray quote from a text that is cut", async () => {
  assert.deepEqual(await valuesOf('id,text\n\n1,"open\n\n2,b\n\n3,c\n', { name: "t.csv" }), [
    { index: 0, line: 3, refused: "quote_not_closed" },
    { id: "2", text: "b" },
    { id: "3", text: "c" },
  ]);
});

test("tables: the lines of a long text that is cut are no rows", async () => {
  const text =
    'id,text,more\n1,a,b\n2,"First, a line\nthen another\n\nwith words, commas, and more\nand, two, of them, too\n';
  assert.deepEqual(await valuesOf(text, { name: "t.csv" }), [
    { id: "1", text: "a", more: "b" },
    { note: "the last row is cut short: its last cell is left out" },
    { id: "2", text: "" },
  ]);
});

test("tables: unclosed quotes in every other line take linear time", async (t) => {
  const rows = Array.from({ length: 800 }, (_, at) => `${at},${at % 2 === 0 ? '"open' : "fine"},x\n`);
  const text = `id,text,more\n${rows.join("")}`;
  let parsedLength = 0;
  const { Parser } = Papa;
  t.mock.method(Papa, "Parser", function (config: object) {
    const parser = new Parser(config);
    return {
      parse(part: string, ...more: [number, boolean]) {
        parsedLength += part.length;
        return parser.parse(part, ...more) as unknown;
      },
    };
  });
  for (const rowBytes of [Infinity, 1_000]) {
    parsedLength = 0;
    const options = { limits: { ...DEFAULT_SIZE_LIMITS, rowBytes }, isWanted: () => true, separator: "," };
    const items = (await Array.fromAsync(readTable(chunksOf(Buffer.from(text), 50), options))).flat();
    const [refused, whole] = ["refused", "value"].map((field) => items.filter((item) => field in item).length);
    assert.deepEqual([refused, whole], [400, 400]);
    // The lines once each, and what is open each time that it has doubled.
    assert.ok(parsedLength < 8 * text.length, `${parsedLength} of ${text.length} characters`);
  }
});

const entry = (url: string, content: object, at = "2026-05-01T10:00:00.000Z"): object => ({
  startedDateTime: at,
  request: { url, headers: [{ name: "Cookie", value: "sid=1" }], postData: { text: "secret" } },
  response: { status: 200, content },
});

test("HAR: of what was posted only ids in GraphQL variables and the parameters of a panel are read, exactly", async () => {
  const variables = '{"media_id":3900000000000000101,"user_id":"77","id":"not one","query":"private","token":"12"}';
  const response = { mimeType: "application/json", text: "{}" };
  const origins = async (url: string, posted: string) => {
    const request = { url, postData: { text: posted } };
    const har = { log: { entries: [{ request, response: { content: response } }] } };
    return (await read(JSON.stringify(har))).map((item) => ("origin" in item ? item.origin.url : undefined));
  };
  const form = `lsd=secret&variables=${encodeURIComponent(variables)}`;
  const ids = encodeURIComponent('{"user_id":"77","media_id":"3900000000000000101"}');
  const url = "https://video.example/query";
  assert.deepEqual(await origins(url, form), [`${url}?variables=${ids}`]);
  assert.deepEqual(await origins(`${url}?variables=1`, form), [`${url}?variables=1`]);
  const noText = 'variables={"id":{"toString":1,"valueOf":1}}';
  for (const other of ["variables={", "variables=[1]", "variables={}", '{"variables":{"id":"77"}}', noText])
    assert.deepEqual(await origins(url, other), [url]);
  const panel = { context: { client: { visitorData: "secret" } }, panelId: "transcript", params: "qgkP%3D" };
  assert.deepEqual(await origins(url, JSON.stringify(panel)), [`${url}?params=qgkP%253D`]);
  for (const other of [{ params: "qgkP" }, { ...panel, params: "two words" }, { ...panel, params: 7 }, "{"])
    assert.deepEqual(await origins(url, typeof other === "string" ? other : JSON.stringify(other)), [url]);
});

test("HAR: bodies with their time and URL, and nothing that opens a session", async () => {
  const har = {
    log: {
      version: "1.2",
      pages: [{ id: "p" }],
      entries: [
        entry("https://me:pw@video.example/api/detail/?id=7&msToken=abc&X-Bogus=x#f", {
          mimeType: "application/json; charset=utf-8",
          text: 'for (;;);{"id":7100000000000000001}',
        }),
        entry("https://video.example/list", {
          mimeType: "application/json",
          encoding: "base64",
          text: Buffer.from('[{"a":1},{"a":2}]').toString("base64"),
        }),
        entry("https://video.example/a.jpg", { mimeType: "image/jpeg", text: "AAAA", encoding: "base64" }),
        entry("https://video.example/app.js", { mimeType: "application/javascript", text: "function f(){return 1}" }),
        entry("https://video.example/lib.js", {
          mimeType: "text/javascript",
          text: "add(1, 2);\nadd(3, 4);\nadd(5, 6);\n",
        }),
        entry("https://video.example/gone", { mimeType: "application/json" }),
        entry("https://video.example/cut", { mimeType: "application/json", text: '{"a":' }),
        entry("https://video.example/api/timedtext?v=abc&lang=en&signature=s", {
          mimeType: "text/vtt",
          text: "WEBVTT\n\n00:01.000 --> 00:02.000\nhello",
        }),
        entry("https://video.example/watch", {
          mimeType: "text/html",
          text: '<html><script>var ytInitialData = {"videoId":"abc","title":"a boat on the lake"};</script></html>',
        }),
        entry("https://video.example/export", { mimeType: "text/csv", text: "id,title\n7,a boat\n" }),
      ],
    },
  };
  const at = Date.parse("2026-05-01T10:00:00.000Z");
  const common = { kind: "json", capturedAt: at } as const;
  const wanted = [
    {
      ...common,
      index: 0,
      value: { id: "7100000000000000001" },
      origin: { url: "https://video.example/api/detail/?id=7" },
    },
    { ...common, index: 1, value: { a: 1 }, origin: { url: "https://video.example/list" } },
    { ...common, index: 2, value: { a: 2 }, origin: { url: "https://video.example/list" } },
    { index: 3, refused: "cut_short" },
    {
      ...common,
      index: 4,
      kind: "text",
      value: "WEBVTT\n\n00:01.000 --> 00:02.000\nhello",
      origin: { url: "https://video.example/api/timedtext?v=abc&lang=en" },
    },
    {
      ...common,
      index: 5,
      value: { videoId: "abc", title: "a boat on the lake" },
      origin: { url: "https://video.example/watch" },
      location: { path: ["ytInitialData"], scalars: {} },
    },
    {
      ...common,
      index: 6,
      kind: "row",
      value: { id: "7", title: "a boat" },
      origin: { url: "https://video.example/export" },
    },
    { note: "responses without a body: 1" },
  ];
  for (const text of [JSON.stringify(har), JSON.stringify(har, null, 2)])
    assert.deepEqual(await read(text, { chunk: 50 }), wanted);
  assert.deepEqual(await read(JSON.stringify(har), { firstIndex: 4 }), wanted.slice(4));
  assert.ok(!JSON.stringify(await read(JSON.stringify(har))).match(/msToken|Bogus|secret|sid=1|pw@|signature/));
});

test("HAR: a HAR in a response is read as plain JSON", async () => {
  const harOf = (text: string) => ({
    log: { entries: [entry("https://video.example/x", { mimeType: "application/json", text })] },
  });
  const inner = harOf('{"a":1}');
  assert.deepEqual(await valuesOf(JSON.stringify(harOf(JSON.stringify(inner)))), [inner]);
});

test("pages: data scripts, assigned variables, data passed to calls; other script is ignored", async () => {
  const page = `<!DOCTYPE html><html><head>
    <script>if (a < b) { run({x: 1}) } var tiny = {};</script>
    <script id="__UNIVERSAL_DATA_FOR_REHYDRATION__" type="application/json">{"__DEFAULT_SCOPE__":{"n":7100000000000000001}}</script>
    <script>window['SIGI_STATE']={"ItemModule":{"1":{"desc":"braces } in ] text \\" and"}}};window['other']=1</script>
    <script>window._sharedData = {"entry_data":{"ProfilePage":[{"a":1}]}};</script>
    <script>window.__additionalDataLoaded('/p/abc/',{"graphql":{"shortcode_media":{"id":"1"}}});</script>
    <script type="application/json">{"broken":</script>
    </head><body>text</body></html>`;
  const found = await read(page);
  assert.deepEqual(
    found.map((one) => (isDocument(one) ? [one.location?.path[0], one.value] : one)),
    [
      ["__UNIVERSAL_DATA_FOR_REHYDRATION__", { __DEFAULT_SCOPE__: { n: "7100000000000000001" } }],
      ["SIGI_STATE", { ItemModule: { "1": { desc: 'braces } in ] text " and' } } }],
      ["_sharedData", { entry_data: { ProfilePage: [{ a: 1 }] } }],
      ["__additionalDataLoaded", { graphql: { shortcode_media: { id: "1" } } }],
      { index: 4, refused: "cut_short: the JSON ends too early, in script without id" },
    ],
  );
});

test("pages: one that looks like a list of activities and has a script is read for its data", async () => {
  const page = '<html><body class="mdl-grid"><script type="application/json">{"a":1}</script></body></html>';
  assert.deepEqual(await valuesOf(page), [{ a: 1 }]);
});

test("subtitles and other texts are one document, up to a limit", async () => {
  const subtitles = "1\n00:00:01,000 --> 00:00:02,000\nhello, you; there\n";
  for (const text of [subtitles, `WEBVTT\n\n${subtitles}`, '<?xml version="1.0"?><tt><p begin="0s">a</p></tt>']) {
    const [found] = await read(text);
    assert.equal((found as Document).kind, "text");
    assert.equal((found as Document).value, text);
  }
  const full = `WEBVTT${"x".repeat(1018)}`;
  assert.deepEqual(await valuesOf(full, { limits: { textBytes: 1024 } }), [full]);
  assert.deepEqual(await valuesOf(`WEBVTT${"x".repeat(5000)}`, { limits: { textBytes: 1024 } }), [
    { index: 0, refused: "text_too_large: more than 1 KiB" },
  ]);
});

test("a takeout of Instagram as web pages is refused with the advice to request it as JSON", async () => {
  const row = '<div class="_a6-p"><a href="https://www.instagram.com/dot.vane">dot.vane</a></div>';
  const page = `<html><body><main role="main"><div class="pam _3-95 _a6-g">${row}</div></main></body></html>`;
  assert.deepEqual(await read(page, { name: "followers_1.html" }), [{ index: 0, refused: "takeout_as_pages" }]);
  const data = `<script type="application/json">{"id":"7"}</script>${page}`;
  assert.deepEqual(await valuesOf(data, { name: "page.html" }), [{ id: "7" }]);
});

test("a page without data is refused, whatever its name; in a recording it is ignored", async () => {
  const page = "<!DOCTYPE html><html><body><p>Sign in, to see more</p></body></html>";
  assert.deepEqual(await read(page, { name: "export.csv" }), [{ index: 0, refused: "page_without_data" }]);
  assert.deepEqual(await read("var state = {};\n", { name: "state.js" }), [{ note: "a script without data" }]);
  const content = { mimeType: "text/html", text: page };
  const frame = {
    startedDateTime: "2026-06-01T12:00:00Z",
    request: { url: "https://site.example/" },
    response: { content },
  };
  assert.deepEqual(await read(JSON.stringify({ log: { entries: [frame] } })), []);
});

test("binary and empty files are detected", async () => {
  const noise = Buffer.from(Array.from({ length: 3000 }, (_, at) => (at * 7919) % 251));
  assert.deepEqual((await read(noise)).filter(isRefused), [{ index: 0, refused: "not_text" }]);
  assert.deepEqual(await read(""), [{ note: "the file is empty" }]);
  assert.deepEqual(await read(" \n\n"), [{ note: "the file is empty" }]);
  const late = `${" ".repeat(70_000)}{"a":1}`;
  for (const chunk of [1000, 100_000]) assert.deepEqual(await valuesOf(late, { chunk }), [late]);
});

async function* failing(): AsyncGenerator<Buffer> {
  yield Buffer.from('{"a":1}\n{"b":2}\n{"c":');
  throw new UnreadableError("cut_short");
}

test("a stream that fails yields what came before, then the reason", async () => {
  const found: ParsedItem[] = [];
  for await (const one of readDocuments({ segments: ["x.ndjson"], bytes: failing })) found.push(one);
  assert.deepEqual(
    found.map((one) => (isDocument(one) ? one.value : isRefused(one) ? one.refused : one)),
    [{ a: 1 }, { b: 2 }, "cut_short: the JSON ends too early", "cut_short"],
  );
});

async function* broken(): AsyncGenerator<Buffer> {
  yield Buffer.from('{"a":1}\n');
  throw new TypeError("a bug");
}

test("a bug in reading a file is reported, and not thrown", async () => {
  const found = await Array.fromAsync(readDocuments({ segments: ["x.ndjson"], bytes: broken }));
  assert.match(found.find(isRefused)?.refused ?? "", /^unexpected_error: TypeError at /);
});

test("reading from an index yields the same as reading everything and dropping the first items", async () => {
  const samples = [
    ["lines.ndjson", '{"a":1}\nno\n{"b":2}\n{"c":3}\n'],
    ["list.json", '[1,{"b":2},{"c":oops},[4]]'],
    ["table.csv", "id,t\n1,a\n2\n3,c\n4,d\n"],
    [
      "page.html",
      '<html><script type="application/json">[1]</script><script type="application/json">[2]</script></html>',
    ],
  ] as const;
  for (const [name, text] of samples) {
    const all = await read(text, { name });
    for (let from = 0; from < 5; from++) {
      assert.deepEqual(
        await read(text, { name, firstIndex: from }),
        all.filter((one) => "index" in one && one.index >= from),
        name,
      );
    }
  }
});
