/** The two sizes of a list: what is stored of it, and what the platform counts. */
import { Type } from "#api/schema.ts";
import { nullable } from "#api/wire.ts";

export const StoredCount = {
  stored: Type.Integer({ description: "Number of stored entries." }),
  platform_total: nullable(Type.Integer({ description: "The platform's own count; null if unknown." })),
};
