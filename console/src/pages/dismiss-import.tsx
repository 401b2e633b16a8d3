/** An import that no process works on: how it is resumed, and a button that ends it. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { adminRequest, type JobSummary } from "../api/admin.ts";
import { Failed } from "../ui/states.tsx";

export function DismissImport({ id, state }: Pick<JobSummary, "id" | "state">) {
  const client = useQueryClient();
  const dismiss = useMutation({
    mutationFn: () => adminRequest("POST /admin/jobs/{id}/dismiss", { id }),
    onSettled: () =>
      client.invalidateQueries({
        predicate: ({ queryKey: [name] }) => ["report", "jobs", "overview"].includes(String(name)),
      }),
  });
  return (
    <div aria-live="polite">
      {dismiss.isError ? <Failed error={dismiss.error} /> : null}
      {state === "interrupted" || state === "waiting" ? (
        <p>
          {state === "interrupted"
            ? "No process works on this import any more. Run the same command again to resume it."
            : "The service that has the files imports them when their turn comes."}{" "}
          <button type="button" disabled={dismiss.isPending} onClick={() => dismiss.mutate()}>
            Dismiss
          </button>
        </p>
      ) : null}
    </div>
  );
}
