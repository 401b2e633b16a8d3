/** What is asked: each task names its operation, the things that it asks for, and the bound that its rate is held to. */
import type { Ids } from "./corpus.ts";
import type { Request } from "./load-requests.ts";

export type Kind = "look-up" | "list" | "search" | "trending" | "not modified";

export interface Task {
  name: string;
  kind: Kind;
  method: "GET" | "POST";
  /** Where the operation stands, without parameters. */
  path: string;
  things: keyof Ids | readonly string[];
  parameters: (thing: string) => Record<string, string>;
  /** Asked with the ETag of an earlier answer. */
  conditional?: true;
}

const PAGES = ["1", "2", "3", "4", "5"];

const detail = {
  method: "GET",
  path: "/api/shortvideo/post/detail",
  things: "posts",
  parameters: (videoId: string) => ({ videoId }),
} as const;

export const TASKS: readonly Task[] = [
  { name: "post/detail", kind: "look-up", ...detail },
  {
    name: "user/info-with-region",
    kind: "look-up",
    method: "GET",
    path: "/api/shortvideo/user/info-with-region",
    things: "people",
    parameters: (uniqueId) => ({ uniqueId }),
  },
  {
    name: "video/details",
    kind: "look-up",
    method: "GET",
    path: "/api/longvideo/video/details",
    things: "videos",
    parameters: (id) => ({ video_id: id }),
  },
  {
    name: "get-profile",
    kind: "look-up",
    method: "GET",
    path: "/api/photoshare/get-profile",
    things: "accounts",
    parameters: (name) => ({ username_or_url: name }),
  },
  {
    name: "music/posts",
    kind: "list",
    method: "GET",
    path: "/api/shortvideo/music/posts",
    things: "sounds",
    parameters: (musicId) => ({ musicId, count: "30" }),
  },
  {
    name: "post/comments",
    kind: "list",
    method: "GET",
    path: "/api/shortvideo/post/comments",
    things: "commented",
    parameters: (videoId) => ({ videoId, count: "50" }),
  },
  {
    name: "get-posts",
    kind: "list",
    method: "POST",
    path: "/api/photoshare/get-posts",
    things: "accounts",
    parameters: (name) => ({ username_or_url: name, amount: "12" }),
  },
  {
    name: "get-followers",
    kind: "list",
    method: "POST",
    path: "/api/photoshare/get-followers",
    things: "followed",
    parameters: (name) => ({ username_or_url: name, data: "followers", amount: "50" }),
  },
  {
    name: "search/general",
    kind: "search",
    method: "GET",
    path: "/api/shortvideo/search/general",
    things: "keywords",
    parameters: (keyword) => ({ keyword }),
  },
  {
    name: "trending/videos",
    kind: "trending",
    method: "GET",
    path: "/api/shortvideo/trending/videos",
    things: PAGES,
    parameters: (page) => ({ period: "120", limit: "20", page }),
  },
  { name: "not-modified", kind: "not modified", ...detail, conditional: true },
];

export function thingsOf({ things }: Task, ids: Ids): readonly string[] {
  return typeof things === "string" ? ids[things] : things;
}

export function requestFor(task: Task, thing: string): Request {
  const sent = String(new URLSearchParams(task.parameters(thing)));
  return task.method === "GET" ? { path: `${task.path}?${sent}` } : { path: task.path, body: sent };
}

/** As every client of the service sends them. */
export function headersFor(task: Task, token: string): Record<string, string> {
  return {
    Authorization: `Bearer ${token}`,
    "Content-Type": task.method === "GET" ? "application/json" : "application/x-www-form-urlencoded",
  };
}
