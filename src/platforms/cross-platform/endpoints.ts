import type { Endpoint, CrossPlatformContext } from "#api/endpoint.ts";
import { chartHistory } from "./endpoints/charts/history.ts";
import { charts } from "./endpoints/charts.ts";
import { history } from "./endpoints/history.ts";
import { search } from "./endpoints/search.ts";

export const ENDPOINTS: Endpoint<CrossPlatformContext>[] = [search, history, charts, chartHistory];
