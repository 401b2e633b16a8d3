/**
 * `npm run bench -- scale [--posts=100000 --rounds=3 --seconds=2 --connections=4]`: on PostgreSQL, one importer beside bare
 * COPY, two importers beside one, and /api/search beside the same search on a file.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Server } from "#tests/postgres/server.ts";
import { copyBare, createDatabase, startDurableServer } from "./bare-copy.ts";
import { openPostCapture } from "./corpus.ts";
import { posts as shortVideos } from "./corpus-shortvideo.ts";
import { importResults } from "./import.ts";
import { sendLoad } from "./load.ts";
import type { Target } from "./processes.ts";
import { atLeast, interleave, measured, ratios, type Result } from "./report.ts";
import { createToken, importCaptures, startService } from "./service.ts";

/** Shared out among importers. */
const FILES = 4;
const QUERIES = 2_000;

export async function run(options: Record<string, string>): Promise<Result[]> {
  const posts = Number(options["posts"] ?? 100_000);
  const rounds = Number(options["rounds"] ?? 3);
  const folder = mkdtempSync(join(tmpdir(), "triptych-scale-"));
  const server = await startDurableServer();
  try {
    const captures: string[] = [];
    for (let part = 0; part < FILES; part++) captures.push(await openPostCapture(posts, part, FILES));
    const importing = await compareImporters(server, captures, posts, rounds, folder);
    await importCaptures(captures, { DATA_DIR: join(folder, "file") });
    const load = { connections: Number(options["connections"] ?? 4), seconds: Number(options["seconds"] ?? 2) };
    return [...importing, ...(await compareSearches(server, posts, rounds, load, folder))];
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compareImporters(
  server: Server,
  captures: readonly string[],
  posts: number,
  rounds: number,
  folder: string,
): Promise<Result[]> {
  const copies: number[] = [];
  const [two = [], one = []] = await interleave([2, 1], rounds, async (importers) => {
    const url = await createDatabase(server, "imported");
    const settings = { STORE_URL: url, PEPPER_FILE: join(folder, "pepper") };
    const startedAt = performance.now();
    await Promise.all(
      Array.from({ length: importers }, (_, number) =>
        importCaptures(captures, { ...settings, DATA_DIR: join(folder, `importer-${number}`) }),
      ),
    );
    const seconds = (performance.now() - startedAt) / 1_000;
    if (importers === 1) copies.push(await copyBare(server, "imported", "copied"));
    return seconds;
  });
  const [rate, share] = importResults("PostgreSQL, 1 importer", posts, one, "bare COPY", copies);
  return [rate, atLeast(0.4, share), measured("PostgreSQL: speed of 2 importers beside 1", ratios(one, two))];
}

async function compareSearches(
  server: Server,
  posts: number,
  rounds: number,
  load: { connections: number; seconds: number },
  folder: string,
): Promise<Result[]> {
  const stores = {
    file: { DATA_DIR: join(folder, "file") },
    PostgreSQL: {
      STORE_URL: server.url("imported"),
      PEPPER_FILE: join(folder, "pepper"),
      DATA_DIR: join(folder, "node"),
    },
  };
  const requests = Array.from(shortVideos(posts).take(QUERIES), ({ desc }) => ({
    path: `/api/search?q=${desc.split(" ").slice(0, 2).join("+")}`,
  }));
  const nodes: { service: Target; token: string }[] = [];
  try {
    for (const [name, settings] of Object.entries(stores)) {
      const token = await createToken(settings);
      nodes.push({ token, service: await startService(settings, join(folder, `${name}.log`)) });
    }
    const [file = [], postgres = []] = await interleave(nodes, rounds + 1, async ({ service, token }, round) => {
      const fresh = [...requests.slice(round * 300), ...requests.slice(0, round * 300)];
      const headers = { authorization: `Bearer ${token}` };
      return (await sendLoad(service, { ...load, requests: fresh, headers })).perSecond;
    });
    return [
      measured("file: searches per second", file.slice(1)),
      measured("PostgreSQL: searches per second", postgres.slice(1)),
      atLeast(0.5, measured("PostgreSQL: searches beside the file", ratios(postgres.slice(1), file.slice(1)))),
    ];
  } finally {
    for (const { service } of nodes) await service.stop();
  }
}
