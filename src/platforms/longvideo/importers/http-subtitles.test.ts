/** Subtitles and transcripts, from a file to the answers of the operations that they feed. */
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Static } from "#api/schema.ts";
import { exitCodeFor } from "#import/import-files.ts";
import { zipOf } from "#testing/sample-archives.ts";
import { startImportedServer } from "#tests/import-fixtures.ts";
import { FIXTURES, written, imported, closeAfterTest } from "#tests/longvideo-imports.ts";
import { runCommand } from "#tests/run-command.ts";
import { temporaryFolder } from "#tests/test-server.ts";
import type { VideoSubtitles } from "../endpoints/video/subtitles.ts";

test("subtitle files: seven formats, the language from the name or the text", async () => {
  const { subtitles, report } = await imported("subtitles");
  const texts = async (lang: string) => (await subtitles("harbourW01k", lang)).subtitles.map(({ text }) => text);
  assert.deepEqual((await subtitles("harbourW01k", "en")).subtitles, [
    { id: 0, start: 0.4, duration: 1.92, text: "good morning harbour" },
    { id: 1, start: 2.32, duration: 2.69, text: "the gulls are awake" },
  ]);
  assert.deepEqual((await subtitles("harbourW01k", "de")).subtitles, [
    { id: 0, start: 0.4, duration: 1.9, text: "Guten Morgen, Hafen" },
    { id: 1, start: 2.3, duration: 2.7, text: "Die Möwen\nsind wach" },
  ]);
  assert.deepEqual(await texts("fr"), ["Bonjour, le port", "Les mouettes sont réveillées"]);
  assert.deepEqual(await texts("es"), ['Buenos días, "puerto"', "Las gaviotas despiertan"]);
  assert.deepEqual(await texts("it"), ["Buongiorno, porto", "I gabbiani sono svegli"]);
  assert.deepEqual(await texts("pt"), ["bom dia", "porto"]);
  assert.deepEqual(await texts("nl"), ["Goedemorgen,\nhaven", "De meeuwen zijn wakker"]);
  assert.deepEqual(await texts("sv"), ["God morgon, hamnen"], "the name has the id of a track");
  assert.deepEqual(report.total.refused, {
    subtitles_of_unknown_video: 1,
    subtitles_without_lines: 1,
    subtitles_without_video: 1,
  });
});

test("subtitle files: eleven characters make no video, unless they are a stored one, have its description beside, or --of says so", async () => {
  const home = temporaryFolder();
  const folder = home.path;
  const srt = (name: string) => {
    const file = join(folder, name);
    writeFileSync(file, "1\n00:00:01,000 --> 00:00:02,500\nNo language in the name\n");
    return file;
  };
  const started = await startImportedServer([srt("interview01.srt")]);
  const { server, report } = started;
  try {
    const refused = { subtitles_of_unknown_video: 1 };
    assert.deepEqual([report.total.refused, report.total.records, exitCodeFor(report)], [refused, {}, 2]);
    const { total } = await started.importMore([srt("Untitled.srt")], { subject: "https://youtu.be/lanternDk05" });
    assert.deepEqual([total.refused, total.records.subtitles?.new], [{}, 1]);
    const videos = JSON.stringify({ kind: "youtube#video", id: "interview01", snippet: { title: "Interview" } });
    writeFileSync(join(folder, "videos.json"), videos);
    for (const dryRun of [true, false]) {
      const known = await started.importMore([join(folder, "videos.json"), join(folder, "interview01.srt")], {
        dryRun,
      });
      assert.deepEqual([known.total.refused, known.total.records.subtitles?.new], [{}, 1], "a stored video");
    }
    srt("quayNight02.srt");
    writeFileSync(join(folder, "quayNight02.info.json"), "{}");
    const beside = await started.importMore([join(folder, "quayNight02.srt")]);
    assert.deepEqual([beside.total.refused, beside.total.records.post?.new], [{}, 1]);
    const track = { name: "talks/lockGates03.en.srt", data: readFileSync(join(folder, "quayNight02.srt")) };
    for (const [name, entries, refusals] of [
      ["alone.zip", [track, { name: "lockGates03.info.json", data: "{}" }], refused],
      ["beside.zip", [track, { name: "talks/lockGates03.info.json", data: "{}" }], {}],
    ] as const) {
      writeFileSync(join(folder, name), zipOf([...entries]));
      const zipped = (await started.importMore([join(folder, name)])).files.find((file) => file.name.endsWith(".srt"));
      assert.deepEqual(zipped?.refused, refusals, name);
    }
    for (const id of ["lanternDk05", "interview01", "quayNight02"]) {
      assert.deepEqual(await server.json(`/api/longvideo/video/subtitles?video_id=${id}`), {
        lang: "und",
        is_available: true,
        subtitles: [{ id: 0, start: 1, duration: 1.5, text: "No language in the name" }],
      });
    }
  } finally {
    await server.close();
    home.remove();
  }
});

/** Named by ids alone, as some tools do; the last one has few changes. */
const IDS = [
  "z6wDERJgUnk",
  "Qx7TrAm3pZ8",
  "a1-kLmN0pQs",
  "H_9vWtYbB2U",
  "m8QeD4sVfRo",
  "0tGiK6hJyCw",
  "Zk3n_XpL5aE",
  "u2MbFw9rTjI",
  "dY7oPc1SxvQ",
  "W4hRq8NzLkA",
  "eJ5sVg0TmB4",
  "TUVxyZABClo",
];
const WORDS = ["iPhone15Pro", "Covid19Talk", "PyCon25Day1", "TEDxBerlin7"];

test("subtitle files: a folder of names that are clearly ids is one of videos; words in it, or alone, need the switch", async () => {
  const home = temporaryFolder();
  const data = "1\n00:00:01,000 --> 00:00:02,500\nTide tables\n";
  const folderOf = (name: string, stems: readonly string[]) => {
    const folder = join(home.path, name);
    mkdirSync(folder);
    for (const stem of stems) writeFileSync(join(folder, `${stem}.srt`), data);
    return folder;
  };
  const talks = folderOf("talks", [...IDS, "interview01"]);
  const words = folderOf("words", [...WORDS, "Interview02"]);
  const isServed = async (id: string) =>
    (await started.server.get(`/api/longvideo/video/subtitles?video_id=${id}`)).status === 200;
  const zip = join(home.path, "talks.zip");
  writeFileSync(zip, zipOf(IDS.map((id) => ({ name: `captions/${id}.en.srt`, data }))));
  const loose = join(home.path, "loose.zip");
  writeFileSync(loose, zipOf(IDS.map((id) => ({ name: `${id}/${id}.fr.srt`, data }))));

  const started = await startImportedServer([join(folderOf("alone", IDS.slice(0, 4)), `${IDS[0]}.srt`)]);
  try {
    assert.deepEqual(started.report.total.refused, { subtitles_of_unknown_video: 1 }, "four are too few");
    const ofWords = await started.importMore([words]);
    assert.deepEqual([ofWords.total.refused, ofWords.total.records], [{ subtitles_of_unknown_video: 5 }, {}]);
    const unresolved = await started.importMore([loose]);
    assert.deepEqual(unresolved.total.refused, { subtitles_of_unknown_video: 12 }, "each in a folder of its own");
    // Named one by one, as a shell does for *.srt.
    const ofTalks = await started.importMore(IDS.map((id) => join(talks, `${id}.srt`)));
    assert.deepEqual([ofTalks.total.refused, ofTalks.total.records.post?.new], [{}, 12]);
    const again = await started.importMore([talks]);
    assert.deepEqual(again.total.refused, { subtitles_of_unknown_video: 1 }, "the one word among them");
    assert.deepEqual(again.total.records.subtitles, { new: 0, updated: 0, unchanged: 12, erased: 0 });
    const zipped = await started.importMore([zip]);
    assert.deepEqual([zipped.total.refused, zipped.total.records.subtitles?.new], [{}, 12]);
    for (const id of IDS) assert.ok(await isServed(id), id);
    for (const id of [...WORDS, "interview01"]) assert.ok(!(await isServed(id)), id);
    const forced = await started.importMore([words], { namesAreIds: true });
    assert.deepEqual([forced.total.refused, forced.total.records.post?.new], [{}, 5]);
    assert.ok(await isServed("iPhone15Pro"));
  } finally {
    await started.server.close();
    home.remove();
  }
});

test("subtitle files: the summary names the switch once for a folder, and the command takes it", async () => {
  const home = temporaryFolder();
  const folder = join(home.path, "words");
  mkdirSync(folder);
  const data = "1\n00:00:01,000 --> 00:00:02,500\nTide tables\n";
  for (const stem of WORDS) writeFileSync(join(folder, `${stem}.srt`), data);
  const run = (...options: string[]) =>
    runCommand(["import", folder, "--data-dir", join(home.path, "store"), ...options], {});
  try {
    const refused = await run();
    assert.equal(refused.code, 2);
    assert.match(refused.stdout, /refused 4: .*--names-are-ids/);
    assert.equal(refused.stdout.split("--names-are-ids").length, 2);
    const forced = await run("--names-are-ids");
    assert.equal(forced.code, 0);
    assert.match(forced.stdout, /subtitles: 4 new/);
  } finally {
    home.remove();
  }
});

test("youtube-transcript-api: a bare list, and the newer object that includes the video id", async () => {
  const snippets = [{ text: "day breaks", start: 0, duration: 2 }];
  const titled = { video_id: "quayDawn003", title: "Quay", language_code: "en", is_generated: false, snippets };
  const { subtitles } = await imported("yt-dlp", "transcripts", written("titled.json", titled));
  assert.equal((await subtitles("quayDawn003", "en")).subtitles[0]?.text, "day breaks");
  assert.deepEqual((await subtitles("harbourW01k", "sv")).subtitles, [
    { id: 0, start: 0.4, duration: 1.9, text: "God morgon, hamn" },
    { id: 1, start: 2.3, duration: 2.7, text: "Måsarna är vakna" },
  ]);
  assert.equal((await subtitles("quayNight02", "en")).subtitles[0]?.text, "night falls");
});

test("youtube-transcript for Node.js: escaped twice, in seconds or, of early versions, in milliseconds", async () => {
  const { subtitles } = await imported(
    "transcript-tools/Ebb [nodeTide004].json",
    "transcript-tools/Flood [nodeTide008].de.json",
  );
  assert.deepEqual((await subtitles("nodeTide004", "en")).subtitles, [
    { id: 0, start: 0.08, duration: 1.54, text: "It's ebbing" },
    { id: 1, start: 1.62, duration: 2, text: "Gulls & mud" },
  ]);
  assert.deepEqual((await subtitles("nodeTide008", "de")).subtitles, [
    { id: 0, start: 0, duration: 0.96, text: "Die Flut" },
    { id: 1, start: 0.96, duration: 2, text: "kommt" },
  ]);
});

test("transcripts with segments: youtubesearchpython in milliseconds; Whisper in seconds, of a video that is stored", async () => {
  const files = ["Slack [searchTide4].en.json", "Harbour walk [harbourW01k].json"].map(
    (name) => `transcript-tools/${name}`,
  );
  const { subtitles, report } = await imported(...files);
  assert.deepEqual((await subtitles("searchTide4", "en")).subtitles, [
    { id: 0, start: 0, duration: 1.5, text: "Slack water" },
    { id: 1, start: 1.5, duration: 2.5, text: "no wind" },
  ]);
  assert.deepEqual(report.total.refused, { subtitles_of_unknown_video: 1 });
  const known = await imported("yt-dlp", ...files);
  assert.deepEqual((await known.subtitles("harbourW01k", "fo")).subtitles, [
    { id: 0, start: 0, duration: 2.4, text: "Hello harbour." },
    { id: 1, start: 2.4, duration: 2.7, text: "The boats are in." },
  ]);
  assert.deepEqual(known.report.total.refused, {});
});

test("--of names the video of transcripts that do not; without it, such lists and segments may be anything", async () => {
  const files = [
    written("lines.json", [{ text: "Low water", duration: 1.5, offset: 0, lang: "en" }]),
    written("whispered.json", { text: "", segments: [{ start: 0, end: 1.5, text: " Low water" }], language: "fo" }),
    written("searched.json", { segments: [{ startMs: "0", endMs: "1500", text: "Low water", startTime: "0:00" }] }),
  ];
  const foreign = [
    written("7312345678901234567.json", [{ text: "Low water", duration: 1.5, offset: 0 }]),
    written("731234567890123.json", { segments: [{ start: 0, end: 1.5, text: "Low water" }] }),
    written("ride.json", {
      segments: [
        { start: 0, end: 1.5, name: "Hill" },
        { start: 2, end: 3, text: "x" },
      ],
    }),
    written("notes.json", [{ text: "Low water", duration: 1.5, offset: 0, speaker: "Odile" }]),
  ];
  const started = await startImportedServer([...files, ...foreign]);
  closeAfterTest(started);
  assert.deepEqual(started.report.total.refused, { unknown_format: files.length + foreign.length });
  const { total } = await started.importMore([...files, ...foreign], { subject: "https://youtu.be/tideTable04" });
  assert.deepEqual(total.refused, { unknown_format: foreign.length });
  for (const language of ["en", "fo", "und"]) {
    const path = `/api/longvideo/video/subtitles?video_id=tideTable04&lang=${language}`;
    const { subtitles } = await started.server.json<Static<typeof VideoSubtitles>>(path);
    assert.deepEqual(subtitles, [{ id: 0, start: 0, duration: 1.5, text: "Low water" }], language);
  }
});

test("the transcript beside a video: its lines name the video and the track", async () => {
  const panel = (targetId: string) => {
    const line = { startMs: "1000", endMs: "4500", snippet: { runs: [{ text: "Good evening" }] }, targetId };
    const initialSegments = [{ transcriptSectionHeaderRenderer: {} }, { transcriptSegmentRenderer: line }];
    const body = { transcriptSegmentListRenderer: { initialSegments } };
    const content = { transcriptRenderer: { content: { transcriptSearchPanelRenderer: { body } } } };
    return { responseContext: {}, actions: [{ updateEngagementPanelAction: { content } }] };
  };
  const response = (targetId: string) => ({
    startedDateTime: "2026-03-01T10:00:00.000Z",
    request: { url: "https://www.youtube.com/youtubei/v1/get_transcript" },
    response: { content: { mimeType: "application/json", text: JSON.stringify(panel(targetId)) } },
  });
  const entries = ["panelSong0A.CgNhc3ISAmVuGgA%3D.1000.4500", "panelSong1E.CgASAmRlGgA%3D.1000.4500"].map(response);
  const { subtitles, report } = await imported(
    written("panel.har", { log: { version: "1.2", entries } }),
    written("unnamed-panel.json", panel("")),
  );
  assert.deepEqual((await subtitles("panelSong0A", "en")).subtitles, [
    { id: 0, start: 1, duration: 3.5, text: "Good evening" },
  ]);
  assert.equal((await subtitles("panelSong1E", "de")).is_available, true);
  assert.deepEqual(report.total.refused, { subtitles_without_video: 1 });
});

test("the transcript panel of 2026: the request names the video, or the file, or --of; a line ends with the next", async () => {
  const { subtitles, report } = await imported("pages/transcript-panel.har", "pages/Low water [panelSaved8].en.json");
  assert.deepEqual((await subtitles("panelBrook4")).subtitles, [
    { id: 0, start: 0, duration: 4, text: "Good evening" },
    { id: 1, start: 4, duration: 3719, text: "The tide is out" },
    { id: 2, start: 3723, duration: 0, text: "Good night" },
  ]);
  assert.deepEqual(
    (await subtitles("panelSaved8", "en")).subtitles.map(({ start, text }) => [start, text]),
    [
      [2, "Mud and gulls"],
      [5, "Boots on"],
    ],
  );
  assert.deepEqual([report.total.refused, report.total.skipped], [{}, {}]);
  const saved = readFileSync(join(FIXTURES, "pages/Low water [panelSaved8].en.json"), "utf8");
  const unnamed = written("panel.json", JSON.parse(saved));
  const started = await startImportedServer([unnamed]);
  closeAfterTest(started);
  assert.deepEqual(started.report.total.refused, { subtitles_without_video: 1 });
  const { total } = await started.importMore([unnamed], { subject: "https://youtu.be/panelSaved8" });
  assert.deepEqual([total.refused, total.records.subtitles?.new], [{}, 1]);
});
