/**
 * Threads has profiles and posts in the form of Instagram's. They have the same names, but other counts and sometimes other
 * ids, so that they would replace the accounts on Instagram.
 */
import { type Fields, readObjectAt } from "#import/capture/field-readers.ts";
import { isUser } from "./captured-user.ts";
import type { EnclosingContext } from "./enclosing-context.ts";
import { isItem } from "./item-post.ts";

const SITE = /^https?:\/\/(?:[a-z]+\.)?threads\.(?:net|com)\//i;

export function isOnThreads({ document }: EnclosingContext): boolean {
  return SITE.test(document?.url ?? "");
}

/** Undefined for what is not of Threads. */
export function describeThreadsObject(object: Fields, enclosing: EnclosingContext): string | undefined {
  if (isOnThreads(enclosing) && isItem(object)) return "a Threads post";
  const isProfile = isThreadsUser(object) || (isOnThreads(enclosing) && isUser(object));
  // In 2023 only the name around it differed.
  return isProfile || isUser(readObjectAt(object, "userData", "user")) ? "a Threads profile" : undefined;
}

/** Instagram's own users only say whether to show a badge of Threads. */
export function isThreadsUser(user: Fields): boolean {
  return "text_post_app_is_private" in user && isUser(user);
}
