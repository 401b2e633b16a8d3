import type { Endpoint, CrossPlatformContext } from "#api/endpoint.ts";
import { history } from "./endpoints/history.ts";
import { search } from "./endpoints/search.ts";

export const ENDPOINTS: Endpoint<CrossPlatformContext>[] = [search, history];
