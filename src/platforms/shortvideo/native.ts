/**
 * TikTok's own objects as they are stored, under their own names. Every field is optional: captures differ in
 * completeness, and only the id is certain. What is queried (counts, times, texts, authors) is in the record's header.
 */

export interface NativeUser {
  id?: string;
  shortId?: string;
  uniqueId?: string;
  nickname?: string;
  avatarLarger?: string;
  avatarMedium?: string;
  avatarThumb?: string;
  signature?: string;
  verified?: boolean;
  secUid?: string;
  ftc?: boolean;
  relation?: number;
  openFavorite?: boolean;
  bioLink?: { link?: string; risk?: number };
  commentSetting?: number;
  commerceUserInfo?: { commerceUser?: boolean };
  duetSetting?: number;
  stitchSetting?: number;
  secret?: boolean;
  isADVirtual?: boolean;
  roomId?: string;
  uniqueIdModifyTime?: number;
  ttSeller?: boolean;
  downloadSetting?: number;
  profileTab?: { showMusicTab?: boolean; showQuestionTab?: boolean; showPlayListTab?: boolean };
  followingVisibility?: number;
  recommendReason?: string;
  nowInvitationCardUrl?: string;
  nickNameModifyTime?: number;
  isEmbedBanned?: boolean;
  canExpPlaylist?: boolean;
  profileEmbedPermission?: number;
  eventList?: unknown[];
  suggestAccountBind?: boolean;
  isOrganization?: number;
  UserStoryStatus?: number;
}

export interface NativeVideo {
  id?: string;
  duration?: number;
  cover?: string;
  originCover?: string;
  dynamicCover?: string;
  playAddr?: string;
  downloadAddr?: string;
  format?: string;
  definition?: string;
  ratio?: string;
  bitrate?: number;
  codecType?: string;
  width?: number;
  height?: number;
}

export interface NativeMusic {
  id?: string;
  title?: string;
  authorName?: string;
  album?: string;
  duration?: number;
  coverLarge?: string;
  coverMedium?: string;
  coverThumb?: string;
  playUrl?: string;
  original?: boolean;
  private?: boolean;
  isCopyrighted?: boolean;
}

/** TikTok's `itemStruct`. */
export interface NativePost {
  author?: NativeUser;
  video?: NativeVideo;
  music?: NativeMusic;
  challenges?: { id?: string; title?: string }[];
  textExtra?: { hashtagName?: string; userUniqueId?: string }[];
  imagePost?: { images?: { imageURL?: { urlList?: string[] }; imageWidth?: number; imageHeight?: number }[] };
  isAd?: boolean;
}

export interface NativeComment {
  user?: {
    uid?: string;
    unique_id?: string;
    nickname?: string;
    avatar_thumb?: { uri?: string; url_list?: string[] };
  };
}

export interface NativeSound extends NativeMusic {
  artist?: NativeUser;
}

export interface NativeHashtag {
  desc?: string;
  coverLarger?: string;
  isCommerce?: boolean;
}

export interface ShortVideoNatives {
  account: NativeUser;
  post: NativePost;
  comment: NativeComment;
  sound: NativeSound;
  hashtag: NativeHashtag;
  place: object;
}
