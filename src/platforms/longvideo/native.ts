/** YouTube's own objects as they are stored. Every field is optional; what is queried is in the record's header. */

export interface NativeThumbnail {
  url?: string;
  width?: number;
  height?: number;
}

export interface NativeVideo {
  /** The channel's name at the time of capture. */
  channelTitle?: string;
  categoryId?: string;
  keywords?: string[];
  thumbnails?: NativeThumbnail[];
  /** It is live now. */
  isLive?: boolean;
  /** It is a past live stream. */
  wasLive?: boolean;
  /** A capture saw it live, or as a past live stream. Never false: what was streamed remains so. */
  streamed?: true;
  /** YouTube's name for the kind of video, such as NORMAL or SHORT. */
  type?: string;
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
