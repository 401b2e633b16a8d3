/**
 * From files to HTTP answers. In a slice's test:
 *
 *   const { server, report } = await importedHouse([fixture("yt-dlp/market.info.json")], { of: "name" });
 *   const video = await server.json("/api/longvideo/video/details?video_id=…");
 *   await server.close();
 *
 * The files are imported by the real importer into a real store, which a real server then serves; nothing else is stored.
 */
import { importFiles, type ImportRequest } from "#import/import-files.ts";
import { readFiles } from "#import/read-files.ts";
import type { ImportReport } from "#import/report.ts";
import { PLATFORMS } from "#platforms/registry.ts";
import { openSqliteStore } from "#store/sqlite/store.ts";
import { startTestServer, type TestServer } from "./test-server.ts";

export interface ImportedServer {
  server: TestServer;
  report: ImportReport;
  /** Imports more files into the running server. */
  importMore(paths: string[], request?: Partial<ImportRequest>): Promise<ImportReport>;
}

export async function startImportedServer(
  paths: string[],
  request: Partial<ImportRequest> = {},
): Promise<ImportedServer> {
  const server = await startTestServer([]);
  const importMore = (more: string[], options: Partial<ImportRequest> = {}) =>
    importInto(server.dataDir, more, options);
  return { server, report: await importMore(paths, request), importMore };
}

export async function importInto(
  dataDir: string,
  paths: string[],
  request: Partial<ImportRequest> = {},
): Promise<ImportReport> {
  const store = openSqliteStore(dataDir);
  try {
    return await importFiles(
      { store, read: (files) => readFiles(PLATFORMS, store.encoder, files), dataDir },
      { paths, origin: "command", ...request },
    );
  } finally {
    await store.close();
  }
}
