import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { brotliCompressSync, constants, gunzipSync, gzipSync, zstdCompressSync } from "node:zlib";
import { SMALL_XZ, tarOf, XZ_BOMB_IN_GZIP, zipOf } from "#testing/sample-archives.ts";
import { type OpenResult, type OpenedFile, type OpenOptions, listInputFiles } from "./open-files.ts";
import { UnreadableError } from "./unreadable-error.ts";

let folder: string;
let spoolFolder: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "open-files-"));
  spoolFolder = join(folder, "spool");
});
after(() => rm(folder, { recursive: true }));

const MiB = 1024 * 1024;

/** The files of all paths, opened. */
async function* openFiles(paths: readonly string[], options: OpenOptions): AsyncGenerator<OpenResult> {
  for await (const file of listInputFiles(paths, options)) yield* file.open(file.name);
}

async function readContent(file: OpenedFile): Promise<string> {
  let text = "";
  try {
    for await (const chunk of file.bytes()) text += chunk.length > MiB ? "" : chunk.toString("latin1");
  } catch (error) {
    if (!(error instanceof UnreadableError)) throw error;
    return `${text.length} bytes, then: ${error.message}`;
  }
  return text.length > 1000 ? `${text.length} bytes` : text;
}

/** The outcome of each file under a path, by its name within the path. */
async function open(
  name: string,
  data: Buffer | string | null,
  options: Partial<OpenOptions> = {},
): Promise<Record<string, string>> {
  const path = join(folder, name);
  if (data !== null) await writeFile(path, data);
  const found: Record<string, string> = {};
  for await (const opened of openFiles([path], { spoolFolder, ...options })) {
    found[opened.name.slice(folder.length + 1)] = await outcome(opened);
  }
  return found;
}

async function outcome(opened: OpenResult): Promise<string> {
  if ("refused" in opened) return `refused: ${opened.refused}`;
  if ("skipped" in opened) return `skipped: ${opened.skipped}`;
  return readContent(opened);
}

test("folders are walked in order; hidden files, media and links are skipped", async () => {
  const root = join(folder, "captures");
  await mkdir(join(root, "b"), { recursive: true });
  await writeFile(join(root, "z.json"), "z");
  await writeFile(join(root, "b", "x.json"), "x");
  await writeFile(join(root, ".secret"), "s");
  await writeFile(join(root, "a.mp4"), "m");
  await writeFile(join(root, "picture"), Buffer.from([0xff, 0xd8, 0xff, 0xe0]));
  await symlink("/etc/hostname", join(root, "link.json"));
  await symlink(folder, join(root, "loop"));
  const found = await open("captures", null);
  assert.deepEqual(Object.entries(found), [
    ["captures/.secret", "skipped: hidden"],
    ["captures/a.mp4", "skipped: media"],
    ["captures/b/x.json", "x"],
    ["captures/link.json", "skipped: link"],
    ["captures/loop", "skipped: link"],
    ["captures/picture", "skipped: media"],
    ["captures/z.json", "z"],
  ]);
});

test("a missing path is refused and the next one is read", async () => {
  await writeFile(join(folder, "there.json"), "1");
  const seen: string[] = [];
  for await (const opened of openFiles([join(folder, "gone"), join(folder, "there.json")], { spoolFolder })) {
    seen.push(await outcome(opened));
  }
  assert.deepEqual(seen, ["refused: file_not_found", "1"]);
});

test("compression is detected by content, brotli by its suffix", async () => {
  const line = '{"id":7100000000000000001,"caption":"a boat"}\n';
  for (const [name, data] of [
    ["one.gz", gzipSync(line)],
    ["two", zstdCompressSync(line)],
    ["three.json.br", brotliCompressSync(line)],
    ["four.json.xz", SMALL_XZ],
    ["five.gz", gzipSync(SMALL_XZ)],
  ] as const) {
    assert.deepEqual(await open(name, data), { [name]: line });
  }
  assert.deepEqual(await open("members.gz", Buffer.concat([gzipSync("a"), gzipSync("b")])), { "members.gz": "ab" });
  const frames = Buffer.concat([zstdCompressSync("a"), zstdCompressSync("b"), zstdCompressSync("c")]);
  assert.deepEqual(await open("frames.zst", frames), { "frames.zst": "abc" });
});

test("segments have no compression suffix, and include folders", async () => {
  await writeFile(join(folder, "talk [abc].en.vtt.gz"), gzipSync("WEBVTT"));
  await writeFile(join(folder, "clip.txz"), SMALL_XZ);
  await writeFile(join(folder, "all.zip"), zipOf([{ name: "boats/2020.json.xz", data: SMALL_XZ }]));
  const seen: string[][] = [];
  const paths = ["talk [abc].en.vtt.gz", "clip.txz", "all.zip"].map((name) => join(folder, name));
  for await (const opened of openFiles(paths, { spoolFolder })) if ("bytes" in opened) seen.push(opened.segments);
  assert.deepEqual(seen, [["talk [abc].en.vtt"], ["clip.tar"], ["all.zip", "boats", "2020.json"]]);
});

test("two xz files are decoded concurrently", async () => {
  await writeFile(join(folder, "side.json.xz"), SMALL_XZ);
  const readers = [1, 2].map(() => openFiles([join(folder, "side.json.xz")], { spoolFolder }));
  const opened = await Promise.all(readers.map(async (files) => (await files.next()).value as OpenedFile));
  const texts = await Promise.all(opened.map((file) => readContent(file)));
  assert.match(texts[0]!, /a boat/);
  assert.equal(texts[0], texts[1]);
  for (const files of readers) await files.return(undefined);
});

test("layers are opened to a limited depth", async () => {
  const inner = await tarOf([{ name: "a.json.xz", data: SMALL_XZ }]);
  const found = await open(
    "outer.tar",
    await tarOf([
      { name: "in.tar.gz", data: gzipSync(inner) },
      { name: "b.json.xz", data: SMALL_XZ },
    ]),
  );
  assert.equal(found["outer.tar!in.tar.gz!a.json.xz"], "refused: too_many_layers: more than 3");
  assert.match(found["outer.tar!b.json.xz"]!, /a boat/);
});

test("tar: files are read; links, devices and unsafe names are refused; the rest is read", async () => {
  const tar = await tarOf([
    { name: "../out.json", data: "no" },
    { name: "/etc/abs.json", data: "no" },
    { name: "link.json", type: "symlink" },
    { name: "hard.json", type: "link" },
    { name: "pipe", type: "fifo" },
    { name: "device", type: "character-device" },
    { name: "photo.jpg", data: "x".repeat(100_000) },
    { name: `${"long/".repeat(60)}name.json`, data: "deep" },
    { name: "last.json", data: "last" },
  ]);
  for (const [name, data] of [
    ["mixed.tar", tar],
    ["mixed.tgz", gzipSync(tar)],
  ] as const) {
    assert.deepEqual(await open(name, data), {
      [`${name}!../out.json`]: "refused: unsafe_name: points outside the archive",
      [`${name}!/etc/abs.json`]: "refused: unsafe_name: absolute path",
      [`${name}!link.json`]: "refused: not_a_plain_file: link",
      [`${name}!hard.json`]: "refused: not_a_plain_file: link",
      [`${name}!pipe`]: "refused: not_a_plain_file: pipe",
      [`${name}!device`]: "refused: not_a_plain_file: device",
      [`${name}!photo.jpg`]: "skipped: media",
      [`${name}!${"long/".repeat(60)}name.json`]: "deep",
      [`${name}!last.json`]: "last",
    });
  }
});

test("zip: the same, and encrypted and damaged entries", async () => {
  const zip = zipOf([
    { name: "../out.json", data: "no" },
    { name: String.raw`..\win.json`, data: "no" },
    { name: "C:/abs.json", data: "no" },
    { name: "link.json", data: "/etc/hostname", mode: 0o120777 },
    { name: "locked.json", data: "no", encrypted: true },
    { name: "__MACOSX/a.json", data: "no" },
    { name: ".", data: "no" },
    { name: "stored.json", data: "damaged", stored: true },
    { name: "folder/", data: "" },
    { name: "good.json", data: "good" },
  ]);
  zip.write("DAMAGED", zip.indexOf("damaged"));
  const wanted = {
    "../out.json": "refused: unsafe_name: points outside the archive",
    [String.raw`..\win.json`]: "refused: unsafe_name: points outside the archive",
    "C:/abs.json": "refused: unsafe_name: absolute path",
    "link.json": "refused: not_a_plain_file: link",
    "locked.json": "refused: encrypted",
    "__MACOSX/a.json": "skipped: hidden",
    ".": "refused: unsafe_name: empty",
    "stored.json": "7 bytes, then: damaged (wrong checksum)",
    "good.json": "good",
  };
  for (const [name, data] of [
    ["mixed.zip", zip],
    ["mixed.zip.gz", gzipSync(zip)],
  ] as const) {
    const found = await open(name, data);
    assert.deepEqual(
      found,
      Object.fromEntries(Object.entries(wanted).map(([inner, text]) => [`${name}!${inner}`, text])),
    );
  }
  assert.deepEqual(await readdir(spoolFolder), []);
});

test("zip: a spreadsheet is refused as one", async () => {
  const excel = zipOf([
    { name: "docProps/app.xml", data: "<Properties/>" },
    { name: "xl/workbook.xml" },
    { name: "[Content_Types].xml" },
  ]);
  const calc = zipOf([
    { name: "mimetype", data: "application/vnd.oasis.opendocument.spreadsheet", stored: true },
    { name: "content.xml", data: "<office/>" },
  ]);
  assert.deepEqual(await open("views.xlsx", excel), { "views.xlsx": "refused: unsupported_spreadsheet" });
  assert.deepEqual(await open("views.ods", calc), { "views.ods": "refused: unsupported_spreadsheet" });
  const takeout = zipOf([
    { name: "views.xlsx", data: excel },
    { name: "xl/workbook.xml", data: "<x/>" },
  ]);
  assert.deepEqual(await open("takeout.zip", takeout), {
    "takeout.zip!views.xlsx": "refused: unsupported_spreadsheet",
    "takeout.zip!xl/workbook.xml": "<x/>",
  });
});

test("zip: overlapping entries refuse the archive; too many entries end it", async () => {
  const sharing = zipOf([
    { name: "a", data: "x".repeat(9999) },
    { name: "b", sharing: 0 },
    { name: "c", sharing: 0 },
  ]);
  assert.deepEqual(await open("sharing.zip", sharing), {
    "sharing.zip": "refused: overlapping_entries",
  });
  const [first, second] = [
    { name: "a", data: "aa", stored: true },
    { name: "b", data: "b", stored: true },
  ];
  const touching = zipOf([first, second]);
  assert.deepEqual(await open("touching.zip", touching), { "touching.zip!a": "aa", "touching.zip!b": "b" });
  // The second entry begins at the last byte of the first.
  const secondLocal = touching.lastIndexOf("PK\x03\x04");
  touching.writeUInt32LE(secondLocal - 1, touching.lastIndexOf("PK\x01\x02") + 42);
  assert.deepEqual(await open("touching.zip", touching), { "touching.zip": "refused: overlapping_entries" });
  const many = [1, 2, 3].map((at) => ({ name: `${at}.json`, data: `${at}` }));
  const limits = { entries: 2 };
  assert.deepEqual(await open("many.zip", zipOf(many), { limits }), {
    "many.zip!1.json": "1",
    "many.zip!2.json": "2",
    "many.zip": "refused: too_many_entries: more than 2",
  });
  assert.deepEqual(Object.keys(await open("many.tar", await tarOf(many), { limits })).length, 3);
});

test("truncated archives yield what is complete and a refusal", async () => {
  const tar = await tarOf([
    { name: "a.json", data: "first" },
    { name: "b.json", data: "y".repeat(5000) },
  ]);
  assert.deepEqual(await open("cut.tar", tar.subarray(0, 3000)), {
    "cut.tar!a.json": "first",
    "cut.tar!b.json": "1464 bytes, then: truncated: its end is missing",
    "cut.tar": "refused: cut_short",
  });
  assert.deepEqual(await open("cut.zip", zipOf([{ name: "a.json", data: "a" }]).subarray(0, 40)), {
    "cut.zip": "refused: damaged: or truncated",
  });
  const lines = Buffer.from(Array.from({ length: 50_000 }, (_, at) => `{"n":${at * 7919}}\n`).join(""));
  const gz = gzipSync(lines);
  const [text] = Object.values(await open("cut.gz", gz.subarray(0, gz.length / 2)));
  assert.match(text!, /^[3-9]\d{5} bytes, then: truncated: its end is missing$/);
  assert.match(Object.values(await open("cut.xz", SMALL_XZ.subarray(0, 60)))[0]!, /truncated/);
  // Of the outer one only the checksum is missing.
  assert.deepEqual(await open("outer.gz", gzipSync(gzipSync("abc")).subarray(0, -8)), {
    "outer.gz": "3 bytes, then: truncated: its end is missing",
  });
});

test("bombs of every kind are refused early, and files beside them are read", async () => {
  const zeros = Buffer.alloc(64 * MiB);
  const bombs = {
    "bomb.gz": gzipSync(zeros),
    "bomb.zst": zstdCompressSync(zeros),
    "bomb.br": brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
    "bomb.xz": gunzipSync(XZ_BOMB_IN_GZIP),
  };
  for (const [name, data] of Object.entries(bombs)) {
    const [text] = Object.values(await open(name, data));
    assert.match(text!, /then: decompresses to .*\(to more than 500 times its size\)$/, name);
    assert.ok(Number.parseInt(text!, 10) <= 40 * MiB, `${name} gave ${text}`);
  }
  const found = await open(
    "beside.tar",
    await tarOf([
      { name: "x.gz", data: bombs["bomb.gz"] },
      { name: "y.json", data: "fine" },
    ]),
  );
  assert.equal(found["beside.tar!y.json"], "fine");
});

test("many small bombs in one archive share one budget, and nested ones are not read to the end", async () => {
  const bomb = gzipSync(Buffer.alloc(7 * MiB));
  const bombs = await tarOf([1, 2, 3, 4, 5, 6].map((at) => ({ name: `${at}.gz`, data: bomb })));
  for (const [budget, reason] of [
    [{ archiveRatioFromBytes: 16 * MiB }, "the whole file to more than 500 times its size"],
    [{ outputBytes: 16 * MiB }, "to more than 16 MiB"],
  ] as const) {
    const found = await open("many-bombs.tar", bombs, { limits: { ratioFromBytes: 8 * MiB, ...budget } });
    assert.equal(found["many-bombs.tar!1.gz"], `${7 * MiB} bytes`);
    assert.equal(found["many-bombs.tar"], `refused: expands_too_much: ${reason}`);
  }
  const [nested] = Object.values(await open("nested.gz", gzipSync(gzipSync(gzipSync(Buffer.alloc(40 * MiB))))));
  assert.match(nested!, /decompresses to .*to more than 500 times/);
});

test("a file may expand to the limit, and no frame of it may need more memory than a decoder has", async () => {
  const packed = gzipSync("x".repeat(16));
  assert.deepEqual(await open("full.gz", packed, { limits: { outputBytes: 16 } }), { "full.gz": "x".repeat(16) });
  assert.match(
    Object.values(await open("over.gz", packed, { limits: { outputBytes: 15 } })).join(),
    /decompresses to .*\(to more than 1 KiB\)$/,
  );
  // The header of a frame with a window of 2 TiB, and an empty block.
  const wide = Buffer.from("28b52ffd00f8010000", "hex");
  assert.match(Object.values(await open("wide.zst", wide)).join(), /^0 bytes, then: needs too much memory/);
});

test("captures with a compression ratio of 200 are read to the end", async () => {
  const line = `${JSON.stringify({ id: "7100000000000000001", desc: "the same boat, seen again ".repeat(80) })}\n`;
  const lines = Buffer.from(Array.from({ length: 15_000 }, (_, at) => line.replace("001", String(at % 1000))).join(""));
  const packed = gzipSync(lines);
  assert.ok(lines.length / packed.length > 150);
  assert.deepEqual(await open("dense.gz", packed), { "dense.gz": `${lines.length} bytes` });
});

test("standard input is read like a file, zips by way of the spool folder", async () => {
  const zip = zipOf([{ name: "a.json", data: "from a pipe" }]);
  const piped = async function* (): AsyncGenerator<Buffer> {
    for (let at = 0; at < zip.length; at += 10) yield zip.subarray(at, at + 10);
  };
  const seen: string[] = [];
  for await (const opened of openFiles(["-"], { spoolFolder, standardInput: piped() })) {
    // Nothing that a kill could leave behind. Windows may not allow that.
    if (process.platform !== "win32") assert.deepEqual(await readdir(spoolFolder), []);
    seen.push(opened.name, await outcome(opened));
  }
  assert.deepEqual(seen, ["standard input!a.json", "from a pipe"]);
  for await (const opened of openFiles(["-"], { spoolFolder, standardInput: piped(), limits: { spoolBytes: 50 } })) {
    assert.equal(await outcome(opened), "refused: archive_too_large: more than 1 KiB");
  }
  assert.deepEqual(await readdir(spoolFolder), []);
});

test("leaving early closes everything, and unread files do not block the next", async () => {
  const zip = zipOf([
    { name: "a.json", data: "a".repeat(300_000) },
    { name: "b.json", data: "b" },
  ]);
  await writeFile(join(folder, "early.zip.gz"), gzipSync(zip));
  for await (const opened of openFiles([join(folder, "early.zip.gz")], { spoolFolder })) {
    assert.ok("bytes" in opened);
    for await (const chunk of opened.bytes()) {
      assert.ok(chunk.length > 0);
      break;
    }
    break;
  }
  assert.deepEqual(await readdir(spoolFolder), []);
  await writeFile(
    join(folder, "early.tar"),
    await tarOf([
      { name: "a", data: "a".repeat(300_000) },
      { name: "b", data: "b" },
    ]),
  );
  const names: string[] = [];
  for await (const opened of openFiles([join(folder, "early.tar")], { spoolFolder })) names.push(opened.name.slice(-1));
  assert.deepEqual(names, ["a", "b"]);
});

test("refusals of unsupported archives say what to use instead", async () => {
  const found = await open(
    "old.7z",
    Buffer.concat([Buffer.from([0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c]), Buffer.alloc(50)]),
  );
  assert.deepEqual(found, { "old.7z": "refused: unsupported_archive: 7z" });
});

test("progress counts the bytes of the file on disk", async () => {
  const data = gzipSync(Buffer.alloc(3 * MiB, "progress "));
  await writeFile(join(folder, "progress.gz"), data);
  let bytes = 0;
  const onBytes = (count: number) => void (bytes += count);
  for await (const opened of openFiles([join(folder, "progress.gz")], { spoolFolder, onBytes })) {
    assert.ok("bytes" in opened);
    await readContent(opened);
    assert.equal(bytes, data.length + 3 * MiB, "read and decompressed");
    assert.equal(opened.bytesRead(), data.length);
    assert.equal(opened.diskFile.size, data.length);
  }
  const zip = zipOf(["a.json", "b.json"].map((name) => ({ name, data: "1234567", stored: true })));
  await writeFile(join(folder, "progress.zip"), zip);
  const read: number[] = [];
  for await (const opened of openFiles([join(folder, "progress.zip")], { spoolFolder })) {
    assert.ok("bytes" in opened);
    await readContent(opened);
    read.push(opened.bytesRead());
  }
  assert.deepEqual(read, [7, 14]);
});
