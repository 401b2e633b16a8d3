/**
 * Instagram's own objects as they are stored, under the names of its item format. Every field is optional; what is
 * queried (counts, times, captions, authors) is in the record's header.
 */

export interface NativeImage {
  url?: string;
  width?: number;
  height?: number;
}

export interface NativeVideoVersion extends NativeImage {
  type?: number;
}

export interface NativeBioLink {
  image_url?: string | null;
  is_pinned?: boolean;
  link_type?: string;
  lynx_url?: string;
  media_accent_color_hex?: string | null;
  media_type?: string | null;
  title?: string;
  url?: string;
  creation_source?: string | null;
}

export interface NativeUser {
  pk?: string;
  username?: string;
  full_name?: string;
  profile_pic_url?: string;
  hd_profile_pic_url_info?: { url?: string };
  is_verified?: boolean;
  is_private?: boolean;
  fbid_v2?: string;
  is_unpublished?: boolean;
  text_post_app_badge_label?: string;
  show_text_post_app_badge?: boolean;
  live_broadcast_visibility?: number | null;
  live_broadcast_id?: string | null;
  ai_agent_type?: string | null;
  gating?: object | null;
  is_memorialized?: boolean;
  has_story_archive?: boolean;
  is_coppa_enforced?: boolean;
  is_regulated_c18?: boolean;
  regulated_news_in_locations?: unknown[];
  bio_links?: NativeBioLink[];
  linked_fb_info?: object | null;
  latest_reel_media?: number;
  has_profile_pic?: boolean;
  profile_pic_genai_tool_info?: unknown[];
  show_account_transparency_details?: boolean;
  account_type?: number;
  mutual_followers_count?: number;
  address_street?: string;
  city_name?: string;
  zip?: string;
  category?: string;
  is_business?: boolean;
  should_show_category?: boolean;
  is_ring_creator?: boolean;
  show_ring_award?: boolean;
  biography_with_entities?: { entities?: unknown[] };
  ring_creator_metadata?: { profile_background_color?: string };
  account_badges?: unknown[];
  external_lynx_url?: string;
  external_url?: string;
  pronouns?: string[];
  transparency_label?: string | null;
  transparency_product?: string | null;
  hide_creator_marketplace_badge?: boolean;
  has_chaining?: boolean;
  remove_message_entrypoint?: boolean;
  is_embeds_disabled?: boolean;
  is_cannes?: boolean;
  is_professional_account?: boolean;
  total_clips_count?: number;
  /** Expiry of the current story, Unix seconds. */
  reel_expiring_at?: number;
}

export interface NativePost {
  /** Only for the parts of an album: a post's id is in the record's header. */
  pk?: string;
  code?: string;
  /** 1 photo, 2 video, 8 album. */
  media_type?: number;
  product_type?: string;
  __typename?: string;
  caption?: { pk?: string; created_at?: number };
  /** The author as captured with the post; the header has its id. */
  user?: {
    pk?: string;
    username?: string;
    full_name?: string;
    is_verified?: boolean;
    profile_pic_url?: string;
  };
  accessibility_caption?: string | null;
  display_uri?: string | null;
  image_versions2?: { candidates?: NativeImage[] };
  video_versions?: NativeVideoVersion[];
  carousel_media_count?: number | null;
  carousel_media?: NativePost[] | null;
  original_width?: number;
  original_height?: number;
  thumbnail_src?: string;
  thumbnail_resources?: { src?: string; config_width?: number; config_height?: number }[];
  audience?: string | null;
  media_cropping_info?: object | null;
  profile_grid_thumbnail_fitting_style?: string | null;
  media_overlay_info?: object | null;
  preview?: string | null;
  thumbnails?: object | null;
  timeline_pinned_user_ids?: string[];
  upcoming_event?: object | null;
  media_notes?: { items?: unknown[] };
  like_and_view_counts_disabled?: boolean;
  comments_disabled?: boolean | null;
  /** Views, where plays are known too; the header counts the plays. */
  view_count?: number;
}

export interface NativeComment {
  user?: NativeUser;
}

export interface NativeHashtag {
  profile_pic_url?: string;
  allow_following?: boolean;
  is_following?: boolean;
  is_top_media_only?: boolean;
}

export interface NativePlace {
  title?: string;
  subtitle?: string;
}

export interface PhotoShareNatives {
  account: NativeUser;
  post: NativePost;
  comment: NativeComment;
  sound: object;
  hashtag: NativeHashtag;
  place: NativePlace;
}
