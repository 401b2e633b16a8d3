import { Type } from "#api/schema.ts";
import { nullable } from "#api/wire.ts";

export const CaptureTime = nullable(
  Type.String({ description: "When it was captured: ISO 8601 in UTC, such as `2026-11-15T12:00:00.000Z`." }),
);

/** The largest time value of a JavaScript Date. */
const LAST_MS = 8.64e15;

/** From Unix milliseconds; 0 means unknown. */
export function toCaptureTime(capturedAt: number): string | null {
  return capturedAt > 0 && capturedAt <= LAST_MS ? new Date(capturedAt).toISOString() : null;
}
