import { useQuery } from "@tanstack/react-query";
import { adminRequest, type Overview } from "./admin.ts";
import { useCan } from "./session.ts";

/** The service counts a large store some seconds later. */
const RECOUNT_MS = 2_000;

/** What the store holds, asked for again until it was counted after the newest import. Only for the scope `admin`. */
export function useOverview() {
  return useQuery({
    queryKey: ["overview"],
    enabled: useCan("admin"),
    staleTime: 5_000,
    refetchInterval: ({ state: { data } }) => (data !== undefined && isOlderThanImport(data) ? RECOUNT_MS : false),
    queryFn: () => adminRequest("GET /admin/overview"),
  });
}

function isOlderThanImport({ countedAt, jobs: { newest } }: Overview): boolean {
  return newest !== null && Date.parse(newest.updatedAt) >= Date.parse(countedAt);
}
