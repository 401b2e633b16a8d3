/**
 * Who is erased leaves no byte: not in the store or its log, not in what others wrote, not in the import history, rejects,
 * the service's log or a backup made afterwards; and nothing comes back with another import or a restore.
 */
import assert from "node:assert/strict";
import { globSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { Client } from "pg";
import { until } from "#testing/until.ts";
import { reportClaim } from "#testing/claims.ts";
import { freshStoreDatabase } from "./postgres/databases.ts";
import { runCommand } from "./run-command.ts";
import { pushedLine, writeLines } from "./spawn-import.ts";
import { bearerHeader, openTokenIssuer } from "./test-tokens.ts";
import { query, startTestServer, temporaryFolder, type TestServer } from "./test-server.ts";

interface TestPerson {
  id: string;
  handle: string;
  name: string;
  /** A word of every text of theirs. */
  word: string;
  picture: string;
  posts: string[];
}

const PEOPLE: TestPerson[] = ["quorra.velsin", "Tamrind_Osk", "ylvabraand"].map((handle, index) => ({
  id: `69330000000000000${index}7`,
  handle,
  name: ["Quorra Velsin", "Tamrind Oskarat", "Ylva"][index] as string,
  word: ["zephyrquill", "umbralglint", "frostmarrow"][index] as string,
  picture: `https://media.example/avatars/face-${["aa11bb", "cc22dd", "ee33ff"][index]}.jpg`,
  posts: [0, 1].map((number) => `74330000000000${index}${number}005`),
}));

const GUEST = { id: "6933000000000000999", uniqueId: "guest.writer", nickname: "Guest Writer" };

const authorOf = ({ id, handle, name, picture, word }: TestPerson) => ({
  id,
  uniqueId: handle,
  nickname: name,
  avatarLarger: picture,
  secUid: `sec-${word}`,
  signature: `${word} all day`,
});

const soundOf = ({ name, picture }: TestPerson, index: number) => ({
  id: `743300000000000${index}900`,
  title: `original sound - ${name}`,
  authorName: name,
  coverLarge: picture,
  playUrl: `https://media.example/voices/${index}.mp3`,
  original: true,
});

const item = (id: string, more: Record<string, unknown>) => ({
  id,
  createTime: 1_745_000_000,
  stats: { diggCount: 7, shareCount: 1, commentCount: 2, playCount: 300 },
  video: { id, duration: 12, playAddr: "https://media.example/play.mp4" },
  ...more,
});

const comment = (cid: string, postId: string, user: object, text: string) =>
  JSON.stringify({ cid, aweme_id: postId, text, create_time: 1_745_000_100, digg_count: 1, reply_id: "0", user });

/** What a capture shows of a person: their posts, comments and sound, and what others say about them. */
function linesAbout(person: TestPerson, index: number): string[] {
  const { handle, word, posts, id, name } = person;
  const author = authorOf(person);
  const music = soundOf(person, index);
  const mention = [{ userUniqueId: handle, userId: id, hashtagName: "" }, { hashtagName: "harbour" }];
  return [
    ...posts.map((postId) => pushedLine(item(postId, { desc: `${word} on the pier`, author, music }))),
    pushedLine(
      item(`74330000000000${index}9999`, {
        desc: `A duet with @${handle}. And @${handle}! See https://www.tiktok.com/@${handle}/video/1 #harbour`,
        author: GUEST,
        music,
        textExtra: mention,
      }),
    ),
    comment(`7433000000000${index}0001`, `74330000000000${index}9999`, userOf(id, handle, name), `${word} indeed`),
    comment(
      `7433000000000${index}0002`,
      posts[0] as string,
      userOf("6933000000000000999", "guest.writer", "Guest"),
      "hi",
    ),
    comment(
      `7433000000000${index}0003`,
      `74330000000000${index}9999`,
      userOf("6933000000000000999", "guest.writer", "Guest"),
      `@${handle.toUpperCase()} was there, see.@${handle}, 撮影@${handle}さん, ＠${handle} @@${handle} @guest.writer@${handle} instagram.com/${handle} https://www.youtube.com/channel/${id}.`,
    ),
  ];
}

function userOf(uid: string, unique_id: string, nickname: string) {
  return { uid, unique_id, nickname, avatar_thumb: { url_list: ["https://media.example/small.jpg"] } };
}

/** Everything that would tell that somebody was here. */
function tracesOf({ id, handle, name, word, picture, posts }: TestPerson): string[] {
  return [id, handle.toLowerCase(), name.toLowerCase(), word, picture, ...posts];
}

/** The bytes of all files of the service, and of the tables of a database as text. */
async function everythingStored(server: TestServer, more: readonly string[]): Promise<Map<string, string>> {
  const files = globSync("**/*", { cwd: server.dataDir }).map((name) => join(server.dataDir, name));
  const stored = new Map(
    [...files, ...more]
      .filter((file) => statSync(file).isFile())
      .map((file) => [file, readFileSync(file).toString("latin1").toLowerCase()]),
  );
  const url = server.env["STORE_URL"];
  if (url === undefined) return stored;
  const client = new Client(url);
  await client.connect();
  const tables = await client.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'",
  );
  for (const { name } of tables.rows) {
    const { rows } = await client.query<{ text: string }>(`SELECT t::text AS text FROM "${name}" t`);
    stored.set(
      `table ${name}`,
      rows
        .map(({ text }) => text)
        .join("\n")
        .toLowerCase(),
    );
  }
  await client.end();
  return stored;
}

async function countTraces(
  server: TestServer,
  people: readonly TestPerson[],
  more: readonly string[] = [],
): Promise<string[]> {
  const stored = await everythingStored(server, more);
  return people.flatMap((person) =>
    tracesOf(person).flatMap((trace) =>
      [...stored].flatMap(([file, text]) => (text.includes(trace) ? [`${trace} in ${file}`] : [])),
    ),
  );
}

async function succeed(args: string[], env: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await runCommand(args, env);
  assert.ok(code === 0 || (args[0] === "import" && code === 1), stderr);
  return stdout;
}

/** Waits until it is imported. */
async function upload(server: TestServer, name: string, lines: readonly string[]): Promise<void> {
  const desk = await openTokenIssuer(server);
  const { token } = await desk.issue({ scopes: ["ingest"] });
  await desk.close();
  const form = new FormData();
  form.append("file", new Blob([lines.join("\n")]), name);
  const headers = bearerHeader(token);
  const response = await fetch(`${server.url}/ingest/files`, { method: "POST", body: form, headers });
  assert.equal(response.status, 202);
  const { job } = (await response.json()) as { job: string };
  const folder = join(server.dataDir, "uploads");
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  const store = await server.openStore();
  await until(async () => (await store.jobs.getJob(job))?.state === "done" && readdirSync(folder).length === 0);
  await store.close();
  const jobs = JSON.parse(await succeed(["jobs", "--json"], server.env)) as { id: string; state: string }[];
  assert.equal(jobs.find(({ id }) => id === job)?.state, "done");
}

interface Imported {
  total: { records: Record<string, { new: number; updated: number; erased: number } | undefined> };
}

for (const kind of ["SQLite", "PostgreSQL"] as const) {
  describe(`erasing people on ${kind}`, () => {
    test("leaves no byte of them, nothing comes back, and everybody else stays", async (t) => {
      const outside = temporaryFolder();
      t.after(() => outside.remove());
      const database = kind === "SQLite" ? null : await freshStoreDatabase();
      t.after(() => database?.drop());
      const LOG_FILE = join(outside.path, "service.log");
      const server = await startTestServer([], {
        LOG_LEVEL: "trace",
        LOG_FILE,
        ...(database === null ? {} : { STORE_URL: database.url }),
      });
      t.after(() => server.close());
      const { env } = server;

      // The files are named after people, and one line of each is refused.
      const [gone, stays, alsoGone] = PEOPLE as [TestPerson, TestPerson, TestPerson];
      const captures = [
        { owner: gone, people: [gone] },
        { owner: alsoGone, people: [stays, alsoGone] },
      ];
      const files = captures.map(({ owner, people }) => {
        const lines = people.flatMap((person) => linesAbout(person, PEOPLE.indexOf(person)));
        return writeLines(join(outside.path, `${owner.handle}_posts.ndjson`), [...lines, '{"cid": "1", "text": ']);
      });
      await succeed(["import", ...files], env);
      for (const { handle } of PEOPLE) {
        assert.equal((await server.get(`/api/shortvideo/user/info-with-region?uniqueId=${handle}`)).status, 200);
        assert.equal((await server.get(`/api/shortvideo/user/${handle}`)).status, 404);
      }
      await upload(server, `${gone.handle}.ndjson`, linesAbout(gone, 0));
      assert.notEqual((await countTraces(server, [gone])).length, 0);

      const preview = JSON.parse(await succeed(["erase", "shortvideo", "account", gone.handle, "--json"], env)) as {
        counts: Record<string, number>;
      };
      assert.deepEqual(preview.counts, {
        account: 1,
        post: 2,
        comment: 2,
        subtitles: 0,
        follow: 0,
        chart: 0,
        sound: 1,
        history: 2,
        mention: 2,
        file: 2,
      });
      const erased = [gone, alsoGone];
      for (const { handle } of erased) await succeed(["erase", "shortvideo", "account", `@${handle}`, "--yes"], env);
      const backup = join(outside.path, "after.backup");
      await succeed(["backup", backup], env);
      const unpacked = join(outside.path, "after.ndjson");
      writeFileSync(unpacked, gunzipSync(readFileSync(backup)));
      assert.deepEqual(await countTraces(server, erased, [LOG_FILE, unpacked]), []);

      // What others wrote is still there, without the name.
      const { itemInfo } = await server.json<{ itemInfo: { itemStruct: { desc: string; music: { title: string } } } }>(
        "/api/shortvideo/post/detail?videoId=7433000000000009999",
      );
      assert.equal(
        itemInfo.itemStruct.desc,
        "A duet with [erased]. And [erased]! See https://www.tiktok.com/-/video/1 #harbour",
      );
      assert.equal(itemInfo.itemStruct.music.title, "");
      for (const path of [
        `/api/shortvideo/user/info-with-region?uniqueId=${gone.handle}`,
        "/api/shortvideo/music/info?musicId=7433000000000000900",
      ]) {
        assert.equal((await server.get(path)).status, 404, path);
      }
      for (const text of [gone.name, gone.word, `@${gone.handle}`]) {
        const found = await server.json<{ data: unknown[] }>(
          `/api/shortvideo/search/general?${query({ keyword: text })}`,
        );
        assert.deepEqual(found.data, [], text);
      }
      assert.equal((await server.get(`/api/shortvideo/user/info-with-region?uniqueId=${stays.handle}`)).status, 200);
      assert.equal((await server.get("/api/shortvideo/music/info?musicId=7433000000000001900")).status, 200);

      // The same captures again, under another name of the file.
      const again = writeLines(join(outside.path, "again.ndjson"), PEOPLE.flatMap(linesAbout));
      const { total } = JSON.parse(await succeed(["import", again, "--json"], env)) as Imported;
      const added = Object.values(total.records).map((counts) => counts?.new ?? 0);
      assert.deepEqual(new Set(added), new Set([0]), "nothing is new");
      assert.equal(total.records["post"]?.erased, 4);
      const left = await countTraces(server, erased, [LOG_FILE]);
      assert.deepEqual(left, []);
      assert.notEqual((await countTraces(server, [stays])).length, 0);
      reportClaim(
        `on ${kind}, an erased person leaves 0 bytes in store, write-ahead log, uploads, rejects, log and later backups`,
        `${left.length} of ${erased.flatMap(tracesOf).length} traces left of ${erased.length} people; the same captures again stored 0`,
      );
    });
  });
}

test("a backup made before an erasure brings nobody back into a store that knows of it", async (t) => {
  const outside = temporaryFolder();
  t.after(() => outside.remove());
  const [gone, stays] = PEOPLE as [TestPerson, TestPerson];
  const first = await startTestServer([]);
  t.after(() => first.close());
  const captures = writeLines(
    join(outside.path, "all.ndjson"),
    [gone, stays].flatMap((person, index) => linesAbout(person, index)),
  );
  await succeed(["import", captures], first.env);
  const backup = join(outside.path, "before.backup");
  await succeed(["backup", backup], first.env);

  // By name, before the store has seen anybody: the id is learnt later.
  const second = await startTestServer([]);
  t.after(() => second.close());
  await succeed(["erase", "shortvideo", "account", gone.handle, "--yes"], second.env);
  const env = { DATA_DIR: second.dataDir };
  await succeed(["restore", backup], env);
  // A store that has never seen somebody cannot know the display name that their sound has, nor the picture.
  const unknown = [gone.name.toLowerCase(), gone.picture];
  assert.deepEqual(
    (await countTraces(second, [gone])).filter((trace) => !unknown.some((text) => trace.startsWith(text))),
    [],
  );
  assert.notEqual((await countTraces(second, [stays])).length, 0);
});

test("somebody erased by name before any import never comes in, whatever id the captures show", async (t) => {
  const outside = temporaryFolder();
  t.after(() => outside.remove());
  const server = await startTestServer([]);
  t.after(() => server.close());
  const [person] = PEOPLE as [TestPerson];
  await succeed(["erase", "shortvideo", "account", person.handle, "--yes"], server.env);
  const file = writeLines(join(outside.path, "unseen.ndjson"), linesAbout(person, 0));
  const { total } = JSON.parse(await succeed(["import", file, "--json"], server.env)) as Imported;
  assert.equal(total.records["post"]?.erased, 2);
  assert.equal((await server.get(`/api/shortvideo/user/info-with-region?uniqueId=${person.handle}`)).status, 404);
  assert.equal((await server.get(`/api/shortvideo/post/detail?videoId=${person.posts[0]}`)).status, 404);
  assert.deepEqual(await countTraces(server, [person]), []);
});
