import { useQuery } from "@tanstack/react-query";
import { adminRequest, type Overview } from "./admin.ts";
import { useCan } from "./session.ts";

/** What the store holds. Only a token with the scope `admin` may see it. */
export function useOverview() {
  return useQuery({
    queryKey: ["overview"],
    enabled: useCan("admin"),
    staleTime: 5_000,
    queryFn: () => adminRequest<Overview>("GET", "overview"),
  });
}
