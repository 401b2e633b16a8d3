/** One line per endpoint; each is in the file of its path. */
import type { Endpoint } from "#api/endpoint.ts";
import { getBioLinks } from "./endpoints/get-bio-links.ts";
import { getFollowers } from "./endpoints/get-followers.ts";
import { getPosts } from "./endpoints/get-posts.ts";
import { getProfileV2 } from "./endpoints/get-profile-v2.ts";
import { getProfile } from "./endpoints/get-profile.ts";
import { getUserTaggedPosts } from "./endpoints/get-user-tagged-posts.ts";
import { searchHashtag } from "./endpoints/search-hashtag.ts";
import { search } from "./endpoints/search.ts";

export const ENDPOINTS: Endpoint[] = [
  getUserTaggedPosts,
  search,
  getProfile,
  getBioLinks,
  getProfileV2,
  getFollowers,
  getPosts,
  searchHashtag,
];
