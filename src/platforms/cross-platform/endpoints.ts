import type { Endpoint, SpanningContext } from "#api/endpoint.ts";
import { history } from "./endpoints/history.ts";
import { search } from "./endpoints/search.ts";

export const ENDPOINTS: Endpoint<SpanningContext>[] = [search, history];
