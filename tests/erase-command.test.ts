/** `triptych erase` beside a running service: first what would go, then it is gone at once, and an import skips it. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { requestOperation } from "./http-client.ts";
import { type CommandOutcome, runCommand } from "./run-command.ts";
import { aPostObject, pushedLine, writeLines } from "./spawn-import.ts";
import { startTestServer, type TestServer } from "./test-server.ts";
import { aComment, anAccount, aPost, WORLD } from "./world.ts";

const CHANNEL = "UCbrineBrineBrineBrine12";
/** Longer than Instagram allows; imports take it. */
const LONG_NAME = "an.account.name_of.40_characters_in_all_";
const SAIL = "3300000000000000003";

describe("triptych erase", () => {
  let server: TestServer;
  const erase = (...args: string[]): Promise<CommandOutcome> => runCommand(["erase", ...args], server.env);
  const statusOf = async (name: string) =>
    (await requestOperation(server.url, "shortvideo/user/info-with-region", { uniqueId: name })).status;

  before(async () => {
    const accounts = [
      anAccount("690000000001", "lea.stern"),
      anAccount("690000000002", "690000000001"),
      ...["3", "4", "5"].map((digit) => anAccount(`69000000010${digit}`, `69000000000${digit}`)),
    ];
    const stamp = { capturedAt: 0, source: "tool" };
    const batch = {
      accounts,
      posts: [aPost("790000000001", { authorId: "690000000003" })],
      comments: [aComment("890000000001", "790000000001", { authorId: "690000000004" })],
      follows: [{ accountId: "690000000001", followerId: "690000000005", since: null, ...stamp }],
    };
    const photos = {
      accounts: [anAccount("5500000002", "otto.brine"), anAccount("5500000003", LONG_NAME)],
      posts: [aPost(SAIL, { authorId: "5500000002" })],
    };
    const videos = {
      accounts: [anAccount(CHANNEL, "ottobrine")],
      posts: [aPost("brineVideo1", { authorId: CHANNEL })],
    };
    server = await startTestServer([
      ...WORLD,
      { platform: "shortvideo", batch },
      { platform: "photoshare", batch: photos },
      { platform: "longvideo", batch: videos },
    ]);
  });
  after(() => server.close());

  test("says what would go, and erases only with --yes", async () => {
    const preview = await erase("shortvideo", "account", "@ines.varga");
    assert.equal(preview.code, 0, preview.stderr);
    assert.match(preview.stdout, /^Would erase account @ines\.varga \(\d+\): 1 account, .* add --yes to erase\.\n$/);
    const asJson = JSON.parse((await erase("shortvideo", "account", "@ines.varga", "--json")).stdout) as object;
    assert.partialDeepStrictEqual(asJson, { erased: false, purged: null });
    assert.equal(await statusOf("ines.varga"), 200);
    const { stdout } = await erase("shortvideo", "account", "ines.varga", "--yes");
    assert.match(stdout, /^Erased account @ines\.varga \(\d+\): 1 account, .* Later imports skip it\.\n$/);
    assert.equal(await statusOf("ines.varga"), 404);
    const again = await erase("shortvideo", "account", "ines.varga", "--yes");
    assert.match(again.stdout, /: nothing that is stored\. Later imports skip it\.\n$/);
  });

  test("takes an id for an id, even if somebody has it for a name, and a name with @ for a name", async () => {
    const erased = async (...args: string[]) =>
      (JSON.parse((await erase(...args, "--json")).stdout) as { id: string }).id;
    const preview = ["shortvideo", "account"];
    assert.deepEqual(
      [await erased(...preview, "690000000001"), await erased(...preview, "@690000000001")],
      ["690000000001", "690000000002"],
    );
    // Of these, only posts, comments and follows are stored, and somebody else has the id for a name.
    for (const id of ["690000000003", "690000000004", "690000000005"]) {
      assert.equal(await erased(...preview, id), id);
      assert.equal(await erased(...preview, `@${id}`), id.replace("69000000000", "69000000010"));
    }
  });

  test("keeps out what is not stored yet", async () => {
    const { author } = aPostObject(1) as unknown as { author: { id: string; uniqueId: string } };
    const { stdout } = await erase("shortvideo", "account", author.id, "--yes", "--json");
    const counts = {
      account: 0,
      post: 0,
      comment: 0,
      subtitles: 0,
      follow: 0,
      chart: 0,
      sound: 0,
      history: 0,
      mention: 0,
      file: 0,
    };
    assert.deepEqual(JSON.parse(stdout), {
      platform: "shortvideo",
      kind: "account",
      id: author.id,
      erased: true,
      counts,
      purged: true,
    });
    const capture = writeLines(join(server.dataDir, "capture.ndjson"), [pushedLine(aPostObject(1))]);
    const imported = await runCommand(["import", capture, "--json"], server.env);
    const { records } = (JSON.parse(imported.stdout) as { total: { records: Record<string, object> } }).total;
    assert.deepEqual(records["post"], { new: 0, updated: 0, unchanged: 0, erased: 1 });
    assert.equal(await statusOf(author.uniqueId), 404);
  });

  test("takes the account captured last under a name, not one that was captured later without it", async () => {
    const capture = async (time: string, id: string, name: string) => {
      const file = writeLines(join(server.dataDir, "accounts.csv"), ["id,name,followers", `${id},${name},7`]);
      const fields = ["id=id", "name=name", "followers=followers"].flatMap((field) => ["--map", field]);
      const args = ["import", file, "--as", "shortvideo/account", ...fields, "--captured-at", time];
      assert.equal((await runCommand(args, server.env)).code, 0);
    };
    await capture("2026-01-05T12:00:00Z", "7300001", "tess.holm");
    await capture("2026-11-01T12:00:00Z", "7300002", "tess.holm");
    await capture("2026-11-10T12:00:00Z", "7300001", "");
    const { stdout } = await erase("shortvideo", "account", "tess.holm");
    assert.match(stdout, /^Would erase account @tess\.holm \(7300002\): 1 account/);
  });

  test("takes URLs, codes and the other forms of an id as the operations do", async () => {
    const read = async (...args: string[]) => {
      const { code, stdout, stderr } = await erase(...args, "--json");
      assert.equal(code, 0, stderr);
      const { id, counts } = JSON.parse(stdout) as { id: string; counts: Record<string, number> };
      return [id, counts["account"], counts["post"]];
    };
    for (const url of ["https://www.instagram.com/otto.brine/", "instagram.com/otto.brine/tagged?hl=en"])
      assert.deepEqual(await read("photoshare", "account", url), ["5500000002", 1, 1]);
    for (const text of [LONG_NAME, `@${LONG_NAME}`, `https://www.instagram.com/${LONG_NAME}/`])
      assert.deepEqual(await read("photoshare", "account", text), ["5500000003", 1, 0]);
    for (const post of [`${SAIL}_5500000002`, "C3L9IQOygAD", "https://www.instagram.com/otto.brine/p/C3L9IQOygAD/"])
      assert.deepEqual(await read("photoshare", "post", post), [SAIL, 0, 1]);
    for (const url of ["https://www.youtube.com/@ottobrine", `youtube.com/channel/${CHANNEL}/videos`])
      assert.deepEqual(await read("longvideo", "account", url), [CHANNEL, 1, 1]);
    for (const url of ["https://www.youtube.com/watch?v=brineVideo1&t=3", "https://youtu.be/brineVideo1"])
      assert.deepEqual(await read("longvideo", "post", url), ["brineVideo1", 0, 1]);
    assert.deepEqual(await read("shortvideo", "account", "https://www.tiktok.com/@lea.stern"), ["690000000001", 1, 0]);
    const video = "https://www.tiktok.com/@lea.stern/video/790000000001";
    assert.deepEqual(await read("shortvideo", "post", video), ["790000000001", 0, 1]);
  });

  test("erases what has only a displayed name by that name, and says that it is no more", async () => {
    const file = writeLines(join(server.dataDir, "videos.csv"), [
      "id,title,channel",
      "seaVideo001,Low tide,Sea of Brine",
    ]);
    const fields = ["id=id", "title=title", "author_display_name=channel"].flatMap((field) => ["--map", field]);
    const bringIn = async () => {
      const { stdout } = await runCommand(["import", file, "--as", "longvideo/post", ...fields, "--json"], server.env);
      return (JSON.parse(stdout) as { total: { records: Record<string, object> } }).total.records["post"];
    };
    assert.deepEqual(await bringIn(), { new: 1, updated: 0, unchanged: 0, erased: 0 });
    const { stdout } = await erase("longvideo", "account", "sea of brine", "--yes");
    assert.equal(stdout, "Erased what has only the name sea of brine: 1 post. Later imports skip it.\n");
    assert.deepEqual(await bringIn(), { new: 0, updated: 0, unchanged: 0, erased: 1 });
  });

  test("what can be no id and no name is a usage error, and nothing is erased", async () => {
    for (const [platform, kind, id] of [
      ["shortvideo", "account", "https://www.tiktok.com/@lea.stern/video/790000000001"],
      ["shortvideo", "post", "https://vm.tiktok.com/ZMabcdef/"],
      ["shortvideo", "post", "lea.stern"],
      ["photoshare", "account", "https://www.instagram.com/p/C3L9IQOygAD/"],
      ["photoshare", "account", "https://example.com/otto.brine"],
      ["photoshare", "post", "no post at all"],
      ["longvideo", "post", "https://www.youtube.com/@ottobrine"],
      ["longvideo", "comment", "https://www.youtube.com/watch?v=brineVideo1&lc=Ugx1"],
      // Old names, which may be the handles of others today.
      ["longvideo", "account", "https://www.youtube.com/user/ottobrine"],
      ["longvideo", "account", "youtube.com/c/ottobrine/videos"],
      ["longvideo", "account", " "],
    ] as const) {
      const { code, stderr } = await erase(platform, kind, id, "--yes");
      assert.equal(code, 2, id);
      assert.match(stderr, new RegExp(`^triptych: the id must be the id of an? ${kind}`));
    }
  });

  test("an unknown platform or kind is a usage error", async () => {
    assert.deepEqual((await erase("tiktok", "account", "x")).code, 2);
    const { code, stderr } = await erase("shortvideo", "sound", "x");
    assert.deepEqual([code, stderr], [2, "triptych: the kind must be one of account, post, comment\n"]);
  });
});
