import type { Endpoint, SpanningContext } from "#contract/endpoint.ts";
import { history } from "./endpoints/history.ts";
import { search } from "./endpoints/search.ts";

export const ENDPOINTS: Endpoint<SpanningContext>[] = [search, history];
