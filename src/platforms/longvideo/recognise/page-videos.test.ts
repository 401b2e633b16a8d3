import assert from "node:assert/strict";
import { test } from "node:test";
import { recordingCollector } from "#testing/recording-collector.ts";
import { recognisePageObject } from "./page-objects.ts";

function read(object: Record<string, unknown>) {
  const { collect, recording } = recordingCollector();
  recognisePageObject(object, {}, collect);
  return recording.posts[0];
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
