/** Taking an import out again: first what would change, then the undoing itself. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type AdminOutput, adminRequest } from "../api/admin.ts";
import { takeFocus } from "../ui/focus.ts";
import { formatExact } from "../ui/format.ts";
import { Failed } from "../ui/states.tsx";

export function UndoImport({ id, canUndo }: { id: string; canUndo: boolean }) {
  const client = useQueryClient();
  const send = (dryRun: boolean) => adminRequest("POST /admin/jobs/{id}/undo", { id, dryRun: `${dryRun}` });
  const preview = useMutation({ mutationFn: () => send(true) });
  const undo = useMutation({
    mutationFn: () => send(false),
    onSuccess() {
      preview.reset();
      // What was loaded before may have come with this import.
      client.removeQueries({ predicate: ({ queryKey: [name] }) => name !== "session" && name !== "report" });
      void client.invalidateQueries({ queryKey: ["report", id] });
    },
  });
  return (
    <div aria-live="polite">
      {canUndo && preview.data === undefined && undo.data === undefined ? (
        <p>
          <button type="button" disabled={preview.isPending} onClick={() => preview.mutate()}>
            Undo this import…
          </button>
        </p>
      ) : null}
      {preview.isError ? <Failed error={preview.error} /> : null}
      {undo.isError ? <Failed error={undo.error} /> : null}
      {preview.data === undefined ? null : (
        <section className="card erasure" aria-label="What would change" tabIndex={-1} ref={takeFocus}>
          <h2>Would change</h2>
          <Changes undo={preview.data} />
          <button type="button" className="danger" disabled={undo.isPending} onClick={() => undo.mutate()}>
            Undo it
          </button>
        </section>
      )}
      {undo.data === undefined ? null : (
        <section className="card erasure" aria-label="Undone" tabIndex={-1} ref={takeFocus}>
          <h2>Undone</h2>
          <Changes undo={undo.data} />
        </section>
      )}
    </div>
  );
}

function Changes({ undo: { removed, restored, kept, points } }: { undo: AdminOutput<"POST /admin/jobs/{id}/undo"> }) {
  const rows = [
    ["removed: only this import brought them", removed],
    ["set back to what they were", restored],
    ["kept: later imports brought them too", kept],
    ["removed from the history of counters", [{ kind: "point", count: points }]],
  ] as const;
  const changes = rows.flatMap(([what, counts]) =>
    counts.filter(({ count }) => count > 0).map(({ kind, count }) => ({ what, kind, count })),
  );
  if (changes.length === 0) return <p>Nothing.</p>;
  return (
    <ul className="plain">
      {changes.map(({ what, kind, count }) => (
        <li key={`${what} ${kind}`}>
          <strong>
            {formatExact(count)} × {kind}
          </strong>{" "}
          {what}
        </li>
      ))}
    </ul>
  );
}
