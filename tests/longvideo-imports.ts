/** Files of YouTube imported into a service, and the answers of the operations that they feed. */
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { getTestContext } from "node:test";
import type { Static } from "#api/schema.ts";
import type { VideoComments } from "../src/platforms/longvideo/endpoints/video/comments.ts";
import type { VideoSubtitles } from "../src/platforms/longvideo/endpoints/video/subtitles.ts";
import type { TrendingVideos } from "../src/platforms/longvideo/endpoints/trending.ts";
import type { LongVideoNatives } from "../src/platforms/longvideo/native.ts";
import type { VideoDetails, VideoListing } from "../src/platforms/longvideo/shapes/video-record.ts";
import { type ImportedServer, startImportedServer } from "./import-fixtures.ts";
import { temporaryFolder } from "./test-server.ts";

export const FIXTURES = join(import.meta.dirname, "../src/platforms/longvideo/importers/fixtures");
export const UNKNOWN = { prefer: "unknown=null" };

function afterTest(work: () => unknown): void {
  const context = getTestContext();
  if (context === undefined || !("after" in context)) throw new Error("not within a test");
  context.after(work);
}

/** With its test: one that stays starts a thread after a while, to rank what was imported. */
export function closeAfterTest({ server }: ImportedServer): void {
  afterTest(() => server.close());
}

/** A path for a file of this test, in a folder that goes with it. */
export function ownFile(name: string): string {
  const folder = temporaryFolder();
  afterTest(() => folder.remove());
  return join(folder.path, name);
}

/** A file of this test, where no fixture says enough. */
export function written(name: string, value: unknown): string {
  const file = ownFile(name);
  writeFileSync(file, JSON.stringify(value));
  return file;
}

/** The same as CSV, with a column for each name of the first row. */
export function writtenTable(name: string, ...rows: Record<string, string | number>[]): string {
  const file = ownFile(name);
  const cells = [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))];
  const lines = cells.map((line) => line.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(","));
  writeFileSync(file, lines.join("\n"));
  return file;
}

export async function imported(...names: string[]) {
  return importedAt(undefined, ...names);
}

/** With the time of capture that `--captured-at` gives. */
export async function importedAt(capturedAt: number | undefined, ...names: string[]) {
  const opened = await startImportedServer(
    names.map((name) => resolve(FIXTURES, name)),
    capturedAt === undefined ? {} : { capturedAt },
  );
  closeAfterTest(opened);
  const { server, report } = opened;
  return {
    report,
    importMore: (capturedAtLater: number, name: string) =>
      opened.importMore([resolve(FIXTURES, name)], { capturedAt: capturedAtLater }),
    getChannel: async (id: string) => {
      const store = await server.openStore();
      return store
        .reader<LongVideoNatives>("longvideo")
        .getAccount(id)
        .finally(() => store.close());
    },
    refreshTrends: async () => {
      const store = await server.openStore();
      await store.writer.refreshTrends().finally(() => store.close());
    },
    get: server.json.bind(server),
    details: (id: string, headers: Record<string, string> = UNKNOWN) =>
      server.json<VideoDetails>(`/api/longvideo/video/details?video_id=${id}`, headers),
    comments: (id: string) =>
      server.json<Static<typeof VideoComments>>(`/api/longvideo/video/comments?video_id=${id}`, UNKNOWN),
    subtitles: (id: string, lang = "") =>
      server.json<Static<typeof VideoSubtitles>>(
        `/api/longvideo/video/subtitles?video_id=${id}${lang === "" ? "" : `&lang=${lang}`}`,
      ),
    charted: async (country: string, section: string) => {
      const path = `/api/longvideo/trending?country=${country}&section=${section}`;
      const { videos } = await server.json<Static<typeof TrendingVideos>>(path);
      return videos.map((video) => video.video_id);
    },
    search: async (query: string, headers: Record<string, string> = UNKNOWN) => {
      const path = `/api/longvideo/search?query=${encodeURIComponent(query)}`;
      return (await server.json<{ videos: VideoListing[] }>(path, headers)).videos;
    },
  };
}
