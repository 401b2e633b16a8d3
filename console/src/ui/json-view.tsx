/** JSON as text, indented. A very long one is cut on screen; copies and downloads are whole. */
const MAX_SHOWN = 200_000;

export function JsonView({ value, label }: { value: unknown; label: string }) {
  const text = typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
  return (
    <pre className="json" tabIndex={0} aria-label={label}>
      <code>
        {text.slice(0, MAX_SHOWN)}
        {text.length > MAX_SHOWN ? "\n…" : ""}
      </code>
    </pre>
  );
}
