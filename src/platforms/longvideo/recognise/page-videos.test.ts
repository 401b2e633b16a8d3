import assert from "node:assert/strict";
import { test } from "node:test";
import { recordingCollector } from "#testing/recording-collector.ts";
import { recognisePageObject } from "./page-objects.ts";
import type { ResponseContext } from "./response-context.ts";

function record(object: Record<string, unknown>, context: ResponseContext = {}) {
  const { collect, recording } = recordingCollector();
  recognisePageObject(object, context, collect);
  return recording;
}

function read(object: Record<string, unknown>) {
  return record(object).posts[0];
}

const title = { runs: [{ text: "Weaving" }] };
const thumbnail = { thumbnails: [] };

test("those who wait for a stream are not its views", () => {
  const viewCountText = { runs: [{ text: "12" }, { text: " waiting" }] };
  const video = { videoId: "soonLoom01A", title, thumbnail, viewCountText, shortViewCountText: viewCountText };
  const upcoming = read({ videoRenderer: { ...video, upcomingEventData: { startTime: "1774500000" } } });
  assert.deepEqual([upcoming?.counters, upcoming?.native], [{}, { isLive: false }]);
  const viewed = read({ videoRenderer: { ...video, viewCountText: { simpleText: "1,234 views" } } });
  assert.deepEqual(viewed?.counters, { views: 1234 });
});

test("a card with the badge of a live stream is live", () => {
  const card = (badge: object) =>
    read({
      lockupViewModel: {
        contentId: "liveLoom02E",
        contentType: "LOCKUP_CONTENT_TYPE_VIDEO",
        contentImage: {
          thumbnailViewModel: {
            overlays: [{ thumbnailBottomOverlayViewModel: { badges: [{ thumbnailBadgeViewModel: badge }] } }],
          },
        },
      },
    });
  assert.deepEqual(card({ text: "LIVE", badgeStyle: "THUMBNAIL_OVERLAY_BADGE_STYLE_LIVE" })?.native, {
    isLive: true,
    streamed: true,
  });
  assert.equal(card({ text: "12:30", badgeStyle: "THUMBNAIL_OVERLAY_BADGE_STYLE_DEFAULT" })?.durationS, 750);
});

test("shorts of older pages and videos of the mobile site have a headline", () => {
  const viewCountText = { simpleText: "1.2M views" };
  const video = { videoId: "reelLoom01A", headline: { simpleText: "A pick a day" }, thumbnail, viewCountText };
  const short = read({ reelItemRenderer: { ...video, navigationEndpoint: { reelWatchEndpoint: {} } } });
  assert.deepEqual([short?.title, short?.native], ["A pick a day", { type: "SHORT" }]);
  assert.deepEqual([short?.counters, short?.approximate], [{ views: 1_200_000 }, { "counters.views": 100_000 }]);
  assert.equal(read({ videoWithContextRenderer: video })?.title, "A pick a day");
});

test("a video that channels published together is that of the first one in their list", () => {
  const tap = (innertubeCommand: object) => ({ commandContext: { onTap: { innertubeCommand } } });
  const [loom, wool] = ["UCloomAndWoolWorkshop001", "UCloomAndWoolWorkshop002"];
  const tapped = { title: { content: "Loom" }, rendererContext: tap({ browseEndpoint: { browseId: loom } }) };
  const onTap = { innertubeCommand: { browseEndpoint: { browseId: loom } } };
  const linked = { title: { content: "Loom", commandRuns: [{ onTap }] } };
  const other = { title: { content: "Wool" }, rendererContext: tap({ browseEndpoint: { browseId: wool } }) };
  const dialog = (...items: object[]) => {
    const listItems = items.map((item) => ({ listItemViewModel: item }));
    const dialogViewModel = { customContent: { listViewModel: { listItems } } };
    return { showDialogCommand: { panelLoadingStrategy: { inlineContent: { dialogViewModel } } } };
  };
  const metadataRows = [{ metadataParts: [{ text: { content: "Loom and Wool" } }] }];
  const card = (command: object) => {
    const image = { avatarStackViewModel: { rendererContext: tap(command) } };
    const lockupMetadataViewModel = { image, metadata: { contentMetadataViewModel: { metadataRows } } };
    const contentType = "LOCKUP_CONTENT_TYPE_VIDEO";
    return { lockupViewModel: { contentId: "bothLoom01A", contentType, metadata: { lockupMetadataViewModel } } };
  };
  const run = { text: "Loom and Wool", navigationEndpoint: dialog(linked, other) };
  const found = { videoRenderer: { videoId: "bothLoom01A", title, thumbnail, ownerText: { runs: [run] } } };
  const owner = { videoOwnerRenderer: { title: { runs: [run] }, navigationEndpoint: run.navigationEndpoint } };
  const context = { videoId: "bothLoom01A", channel: { id: "UCloomAndWoolWorkshop003", title: "Spindle" } };
  for (const object of [
    card(dialog(tapped, other)),
    card(dialog(linked, other)),
    found,
    { videoSecondaryInfoRenderer: { owner } },
  ]) {
    const { posts, accounts } = record(object, context);
    assert.deepEqual([posts[0]?.authorId, posts[0]?.native], [loom, { channelTitle: "Loom" }]);
    assert.deepEqual([accounts.length, accounts[0]?.displayName], [1, "Loom"]);
  }
  const { posts, accounts } = record(card({}), context);
  assert.deepEqual([posts[0]?.authorId, posts[0]?.native], [undefined, { channelTitle: "Loom and Wool" }]);
  assert.deepEqual(accounts, [], "without links it is not the page's channel either");
});

test("cards of shorts have their picture in either of two places", () => {
  const sources = [{ url: "https://i.ytimg.com/vi/reelLoom02E/frame0.jpg", width: 405, height: 720 }];
  const onTap = { innertubeCommand: { reelWatchEndpoint: { videoId: "reelLoom02E" } } };
  for (const picture of [
    { thumbnail: { sources } },
    { thumbnailViewModel: { thumbnailViewModel: { image: { sources } } } },
  ]) {
    assert.deepEqual(read({ shortsLockupViewModel: { onTap, ...picture } })?.native, {
      thumbnails: sources,
      type: "SHORT",
    });
  }
});
