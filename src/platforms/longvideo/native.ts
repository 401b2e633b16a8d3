/**
 * The long-video platform's own objects as we keep them. Every field is optional; counts, times and texts that we
 * query live in the record's header and are read from there.
 */

export interface NativeThumbnail {
  url?: string;
  width?: number;
  height?: number;
}

export interface NativeVideo {
  /** Name of the channel as shown beside the video. */
  channelTitle?: string;
  categoryId?: string;
  keywords?: string[];
  thumbnails?: NativeThumbnail[];
  /** It is live now. */
  isLive?: boolean;
  /** It was streamed live once. */
  wasLive?: boolean;
  /** Kind of video in the platform's words, such as NORMAL or SHORT. */
  type?: string;
  chapters?: { title?: string; startS?: number }[];
  heatmap?: { startS?: number; endS?: number; value?: number }[];
}

export interface NativeChannel {
  title?: string;
  customUrl?: string;
  thumbnails?: NativeThumbnail[];
}

export interface NativeComment {
  authorName?: string;
  authorChannelId?: string;
  authorThumbnails?: NativeThumbnail[];
}

export interface LongVideoNatives {
  account: NativeChannel;
  post: NativeVideo;
  comment: NativeComment;
  sound: object;
  hashtag: object;
  place: object;
}
