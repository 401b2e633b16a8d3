import { Type } from "#api/schema.ts";
import { Text } from "#api/wire.ts";
import type { StoredRecord } from "#domain/record.ts";

export const ApproximateFields = Type.Optional(
  Type.Array(Text, {
    description:
      "Fields that captures show only roughly, such as `counters.views` (rounded) or `published_at`. Absent if there are none.",
  }),
);

export function listApproximate({ approximate }: Pick<StoredRecord<object>, "approximate">): {
  approximate?: string[];
} {
  // Those of the platform's own object are not shown here.
  const paths = Object.keys(approximate ?? {}).filter((path) => !path.startsWith("native."));
  if (paths.length === 0) return {};
  return { approximate: paths.map((path) => (path === "publishedAt" ? "published_at" : path)) };
}
