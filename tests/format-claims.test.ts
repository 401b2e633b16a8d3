/**
 * Every fixture of every slice is read by the formats of its folder and by no other, whatever the platform: a format that
 * claims a foreign file by luck fails here. Where the list is empty, only recognisers read the files, as they may elsewhere.
 */
import assert from "node:assert/strict";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { test } from "node:test";
import { isDocument } from "#import/containers/document.ts";
import { readDocuments } from "#import/containers/documents.ts";
import { listInputFiles, type OpenedFile } from "#import/containers/open-files.ts";
import { loadImportPlatforms } from "#import/read-document.ts";
import { PLATFORMS } from "#platforms/registry.ts";

const SLICES = join(import.meta.dirname, "..", "src", "platforms");

const FORMATS: Record<string, Record<string, string[]>> = {
  shortvideo: {
    "4cat": ["shortvideo 4cat", "shortvideo zeeschuimer-other"],
    apidojo: ["shortvideo apidojo"],
    apify: ["shortvideo apify"],
    "bright-data": ["shortvideo bright-data"],
    "creative-center": ["shortvideo creative-center"],
    discover: ["shortvideo discover"],
    "download-services": ["shortvideo download service"],
    "gallery-dl": ["shortvideo gallery-dl"],
    "native-table": ["shortvideo tiktok table"],
    oembed: ["shortvideo oembed"],
    "post-tables": ["shortvideo tiktok post table"],
    "research-api": ["shortvideo research-api"],
    takeout: ["shortvideo takeout"],
    "tiktok-api-dl": ["shortvideo tiktok-api-dl"],
    "tiktok-content-scraper": ["shortvideo tiktok-content-scraper"],
    "tiktok-scraper": ["shortvideo tiktok-scraper"],
    web: [],
    "yt-dlp": ["shortvideo yt-dlp"],
    zeeschuimer: ["shortvideo zeeschuimer", "shortvideo zeeschuimer-other"],
  },
  longvideo: {
    "comment-downloader": ["longvideo youtube-comment-downloader"],
    "comment-tables": ["longvideo comment table"],
    "data-api": [],
    "data-tools": ["longvideo youtube-data-tools comments", "longvideo youtube-data-tools videos"],
    oembed: ["longvideo oembed"],
    pages: ["longvideo innertube", "longvideo timedtext", "longvideo transcript panel"],
    "search-comments": ["longvideo youtubesearchpython comments"],
    studio: ["longvideo youtube studio"],
    subtitles: ["longvideo subtitles"],
    takeout: [
      "longvideo takeout comments",
      "longvideo takeout history",
      "longvideo takeout playlist",
      "longvideo takeout subscriptions",
    ],
    "transcript-tools": ["longvideo transcript segments", "longvideo youtube-transcript"],
    transcripts: ["longvideo youtube-transcript-api"],
    trending: [
      "longvideo kaggle-trending-2017",
      "longvideo kaggle-trending-2018",
      "longvideo kaggle-trending-2020",
      "longvideo trending-daily",
    ],
    "video-tables": ["longvideo video table"],
    "yt-dlp": ["longvideo yt-dlp"],
  },
  photoshare: {
    "4cat": ["photoshare 4cat"],
    "4cat.ndjson": ["photoshare zeeschuimer"],
    apidojo: ["photoshare apidojo"],
    apify: ["photoshare apify"],
    "bright-data": ["photoshare bright-data"],
    crowdtangle: ["photoshare crowdtangle"],
    "gallery-dl": ["photoshare gallery-dl"],
    "graph-api": ["photoshare graph-api"],
    instaloader: ["photoshare instaloader", "photoshare instaloader comments"],
    phantombuster: ["photoshare phantombuster"],
    scrapfly: ["photoshare scrapfly"],
    takeout: ["photoshare takeout followers"],
    web: [],
    // Its last line is a capture of another site.
    "zeeschuimer.ndjson": ["photoshare zeeschuimer", "shortvideo zeeschuimer-other"],
  },
};

const platforms = await loadImportPlatforms(PLATFORMS);

/** Every format that an import could choose for a document of the file, were its slice asked first. */
async function listClaims(opened: OpenedFile): Promise<string[]> {
  const file = { name: opened.name, segments: opened.segments, subject: null };
  const claims = new Set<string>();
  for await (const item of readDocuments(opened)) {
    if (!isDocument(item)) continue;
    for (const { name, importers } of platforms) {
      const format = importers.find((importer) => importer.detects(item, file));
      if (format !== undefined) claims.add(`${name} ${format.name}`);
    }
  }
  return [...claims].toSorted();
}

for (const [slice, formatsByFolder] of Object.entries(FORMATS)) {
  test(`${slice}: each fixture is claimed by the formats of its folder, and each folder's formats are all there`, async () => {
    const root = join(SLICES, slice, "importers", "fixtures");
    const found: Record<string, Set<string>> = {};
    for await (const input of listInputFiles([root], { spoolFolder: join(tmpdir(), "triptych-no-spool") })) {
      for await (const opened of input.open(input.name)) {
        assert.ok("bytes" in opened, input.name);
        const [folder = ""] = relative(root, opened.name).split("/");
        const claims = (found[folder] ??= new Set());
        for (const claim of await listClaims(opened)) claims.add(claim);
      }
    }
    const claimed = Object.entries(found).map(([folder, claims]) => [folder, [...claims].toSorted()]);
    assert.deepEqual(Object.fromEntries(claimed), formatsByFolder);
  });
}
