/** JSON as text, indented. A very long one is cut on screen; copies and downloads are whole. */
import { ScrollBox } from "./scroll-box.tsx";

const MAX_SHOWN = 200_000;

export function JsonView({ value, label }: { value: unknown; label: string }) {
  const text = typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
  return (
    <ScrollBox className="json" label={label}>
      <pre>
        <code>
          {text.slice(0, MAX_SHOWN)}
          {text.length > MAX_SHOWN ? "\n…" : ""}
        </code>
      </pre>
    </ScrollBox>
  );
}
