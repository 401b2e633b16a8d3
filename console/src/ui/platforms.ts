/** What the platforms are called here, and what their people look at first. */
import type { IconName } from "./icons.tsx";

export const PLATFORMS = ["shortvideo", "longvideo", "photoshare"] as const;

const LABELS: Record<string, string> = {
  shortvideo: "Short video",
  longvideo: "Long video",
  photoshare: "Photo sharing",
};

/** A platform that was added later is shown by its own name. */
export const platformLabel = (platform: string): string => LABELS[platform] ?? platform;

export const KIND_LABELS: Record<string, string> = {
  post: "Posts",
  account: "Accounts",
  hashtag: "Hashtags",
  sound: "Sounds",
  place: "Places",
  comment: "Comments",
  subtitle: "Spoken words",
};

export type KnownCounters = { [Name in CounterName]?: number | null | undefined };
export type CounterName =
  | "views"
  | "likes"
  | "comments"
  | "shares"
  | "saves"
  | "reposts"
  | "followers"
  | "following"
  | "posts"
  | "friends"
  | "replies";

export const COUNTER_LABELS: Record<CounterName, string> = {
  views: "Views",
  likes: "Likes",
  comments: "Comments",
  shares: "Shares",
  saves: "Saves",
  reposts: "Reposts",
  followers: "Followers",
  following: "Following",
  posts: "Posts",
  friends: "Friends",
  replies: "Replies",
};

const ICONS: Partial<Record<CounterName, IconName>> = {
  views: "eye",
  likes: "heart",
  comments: "comment",
  shares: "share",
  saves: "bookmark",
  followers: "people",
  posts: "grid",
  replies: "comment",
};

export interface CounterItem {
  icon: IconName;
  label: string;
  value: number | null | undefined;
}

/** Photos are looked at for their likes; their views are not counted. */
const OF_POST: Record<string, CounterName[]> = {
  shortvideo: ["views", "likes", "comments", "shares"],
  longvideo: ["views", "likes", "comments"],
  photoshare: ["likes", "comments"],
};

export function postCounters(platform: string, counters: KnownCounters): CounterItem[] {
  return toItems(OF_POST[platform] ?? ["views", "likes", "comments"], counters);
}

export function toItems(names: readonly CounterName[], counters: KnownCounters): CounterItem[] {
  return names.map((name) => ({ icon: ICONS[name] ?? "dot", label: COUNTER_LABELS[name], value: counters[name] }));
}
