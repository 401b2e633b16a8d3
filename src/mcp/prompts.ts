/** Prompts for tasks that researchers do often. They name tools; the model fills in the rest. */
import type { Operation } from "#api/platform.ts";

interface ResearchPrompt {
  name: string;
  title: string;
  description: string;
  arguments: { name: string; description: string; required: boolean }[];
  text: (values: Readonly<Record<string, string>>) => string;
}

const CITE =
  "The data are captures, not the live platforms: give captured_at beside every figure. Null means unknown, never zero. Say what the captures do not contain.";

export const PROMPTS: readonly ResearchPrompt[] = [
  {
    name: "find_mentions",
    title: "Find mentions of a topic",
    description: "Posts, comments and spoken lines about a topic on all platforms, with quotes and sources.",
    arguments: [{ name: "topic", description: "Words to search for.", required: true }],
    text: ({ topic }) =>
      `Find what people say about "${topic}". Call search with q set to it, once for each kind (post, comment, subtitle), and follow next_page until the results repeat themselves or no longer fit the topic. Results with matched "some" lack words of the topic: check that they fit. Group the findings by platform, quote the most telling ones with author and id, and count the rest. ${CITE}`,
  },
  {
    name: "profile_report",
    title: "Report on an account",
    description: "Who an account is, what it posts, and what gets attention.",
    arguments: [
      { name: "account", description: "User name, or URL of the profile.", required: true },
      { name: "platform", description: "shortvideo, longvideo or photoshare, if known.", required: false },
    ],
    text: ({ account, platform }) =>
      `Write a short report on the account "${account}"${platform ? ` of ${platform}` : ""}. Find it with search (kind account) if its platform or exact name is not known, then read its profile and its latest posts, and the comments on the two posts with the most engagement. Describe the account, its subjects, its rhythm of posting and what its audience reacts to. ${CITE}`,
  },
  {
    name: "growth_over_time",
    title: "Growth over time",
    description: "How the counters of an account or a post changed between captures.",
    arguments: [{ name: "record", description: "Account or post: name, id or URL.", required: true }],
    text: ({ record }) =>
      `Show how "${record}" grew. Find its platform, kind and id with search if they are not given, then call history for it. Print a table of day, value and change for each counter that has more than one point, name the largest change, and look for posts of that time which explain it. ${CITE}`,
  },
  {
    name: "compare_accounts",
    title: "Compare accounts",
    description: "Two or more accounts side by side.",
    arguments: [{ name: "accounts", description: "User names, separated by commas.", required: true }],
    text: ({ accounts }) =>
      `Compare these accounts: ${accounts}. Read the profile of each and one page of its posts. Print one table with a row per account: followers, posts, median likes and comments of the page, days between posts, most frequent hashtags. Compare only what all of them have. ${CITE}`,
  },
];

/** Prompts whose tools the client may call: all of them search. */
export function promptsFor(operations: readonly Operation[]): readonly ResearchPrompt[] {
  return operations.some(({ name }) => name === "search") ? PROMPTS : [];
}
