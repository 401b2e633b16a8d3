/**
 * Answers of Invidious (`/api/v1/…`): videos, lists of them, channels and comments. It computes times from "2 years ago",
 * and writes 0 and the present time for what the page does not show.
 */
import type { Collector, Importer } from "#api/importer.ts";
import { DAY_S } from "#domain/time.ts";
import { listRecords } from "#import/capture/document-records.ts";
import type { Measured } from "#import/capture/estimates.ts";
import {
  type Fields,
  readFilledText,
  readFilledTexts,
  readFlag,
  readMeasure,
  readObject,
  readObjectAt,
  readObjects,
  readPositiveCount,
  readText,
  readTimestamp,
} from "#import/capture/field-readers.ts";
import { readViews } from "../recognise/page-text.ts";
import { collectComment } from "./collect-comment.ts";
import { collectChannel, collectVideo, type CapturedChannel } from "./collect-video.ts";
import { isChannelId, readHandle, readPlainId, readVideoId } from "./id-forms.ts";
import { readShownCount } from "./shown-count.ts";
import { readThumbnails } from "./thumbnails.ts";
import { estimateComputedTime, parseRelativeTime } from "./timestamps.ts";

export const invidious: Importer = {
  name: "invidious",

  detects({ kind, value }) {
    const answer = kind === "json" ? readObject(value) : undefined;
    if (answer === undefined) return false;
    return isChannel(answer) || isPlaylist(answer) || isComments(answer) || listVideos(answer).length > 0;
  },

  read({ value, capturedAt }, _file, collect) {
    const answer = readObjectAt(value);
    if (isComments(answer)) return readComments(answer, capturedAt ?? undefined, collect);
    if (isChannel(answer)) collectChannel(readChannel(answer), collect);
    const videos = listVideos(answer);
    for (const video of videos) readVideo(video, capturedAt ?? undefined, collect);
    if (isPlaylist(answer) && videos.length === 0) collect.skip("a playlist, which has no video of its own");
  },
};

function isVideo(object: Fields): boolean {
  return readVideoId(object["videoId"]) !== undefined && Array.isArray(object["videoThumbnails"]);
}

/** Of a channel, a playlist, or beside the video that is watched, which is one too. */
function listVideos(answer: Fields): Fields[] {
  const listed = ["videos", "latestVideos", "recommendedVideos"].flatMap((name) => listRecords(answer[name]));
  return readObjects([answer, ...listed]).filter(isVideo);
}

function isChannel(object: Fields): boolean {
  return isChannelId(object["authorId"]) && "subCount" in object && Array.isArray(object["authorThumbnails"]);
}

function isPlaylist(object: Fields): boolean {
  return "playlistId" in object && "playlistThumbnail" in object;
}

function isComments({ videoId, comments }: Fields): boolean {
  const [first] = readObjects(comments);
  return readVideoId(videoId) !== undefined && first !== undefined && "commentId" in first && "contentHtml" in first;
}

function readChannel(object: Fields): CapturedChannel {
  return {
    id: readPlainId(object["authorId"]),
    handle: readHandle(object["channelHandle"]) ?? readHandle(object["authorUrl"]),
    title: readFilledText(object["author"]),
    // Where it is found by a search, only an excerpt.
    bio: "latestVideos" in object ? readText(object["description"]) : undefined,
    verified: readFlag(object["authorVerified"]),
    createdAt: readTimestamp(object["joined"]),
    followers: readShownCount(readPositiveCount(object["subCount"]), 3),
    thumbnails: readThumbnails(object["authorThumbnails"]),
  };
}

function readVideo(video: Fields, capturedAt: number | undefined, collect: Collector): void {
  // Only the answer about one video has them; lists show an excerpt of its description, and rounded views.
  const isWhole = Array.isArray(video["keywords"]);
  const isLive = readFlag(video["liveNow"]);
  const hasBegun = isLive !== true && readFlag(video["isUpcoming"]) !== true;
  const views = readPositiveCount(video["viewCount"]);
  collectVideo(
    {
      id: readVideoId(video["videoId"]),
      title: readFilledText(video["title"]),
      description: isWhole ? readText(video["description"]) : readFilledText(video["description"]),
      isExcerpt: !isWhole,
      channel: readChannel(video),
      publishedAt: hasBegun ? readPublished(video, isWhole, capturedAt) : undefined,
      category: readFilledText(video["genre"]),
      // Every short in a list is said to take 60 seconds.
      durationS: !isWhole && video["lengthSeconds"] === 60 ? undefined : readMeasure(video["lengthSeconds"]),
      counters: {
        // Of a stream, the text counts those who watch or wait.
        views: isWhole || !hasBegun ? views : (readViews(video["viewCountText"]) ?? readShownCount(views, 2)),
        likes: readPositiveCount(video["likeCount"]),
      },
      hasFewThumbnails: true,
      native: {
        keywords: readFilledTexts(video["keywords"]),
        thumbnails: readThumbnails(video["videoThumbnails"]),
        isLive: isWhole || isLive === true ? isLive : undefined,
      },
    },
    collect,
  );
}

function readPublished(object: Fields, isDay: boolean, capturedAt: number | undefined): Measured | undefined {
  const value = readTimestamp(object["published"]);
  if (value === undefined) return undefined;
  if (isDay) return { value, margin: DAY_S };
  const age = parseRelativeTime(readFilledText(object["publishedText"]));
  // "0 seconds ago" is what it writes where no time is shown.
  if (age?.margin === 1) return undefined;
  return estimateComputedTime(value, age === undefined ? capturedAt : (value + age.value) * 1000);
}

function readComments(answer: Fields, capturedAt: number | undefined, collect: Collector): void {
  const videoId = readVideoId(answer["videoId"]) ?? "";
  collectVideo(
    { id: videoId, counters: { comments: readShownCount(readPositiveCount(answer["commentCount"]), 2) } },
    collect,
  );
  for (const comment of readObjects(answer["comments"])) {
    collectComment(
      {
        id: readPlainId(comment["commentId"]),
        videoId,
        text: readFilledText(comment["content"]),
        publishedAt: readPublished(comment, false, capturedAt),
        likes: readShownCount(comment["likeCount"], 2),
        replies: readShownCount(readObjectAt(comment, "replies")["replyCount"], 2),
        authorName: readFilledText(comment["author"]),
        authorChannelId: readPlainId(comment["authorId"]),
        authorThumbnails: readThumbnails(comment["authorThumbnails"]),
        authorVerified: readFlag(comment["verified"]),
      },
      collect,
    );
  }
}
