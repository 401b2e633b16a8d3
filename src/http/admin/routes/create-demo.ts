import { Type } from "#api/schema.ts";
import { wireObject } from "#api/wire.ts";
import { ApiError } from "#errors";
import { adminRoute, requireActor } from "../admin-route.ts";

export const createDemo = adminRoute({
  method: "POST",
  path: "/admin/demo",
  access: ["admin"],
  summary: "Fill an empty store with the demo data",
  description:
    "Invented people and posts of all platforms, to look around with. The data is added as an import, which `GET /admin/jobs/{id}` shows; `triptych demo remove` deletes it. A store that has records is refused.",
  input: Type.Object({}),
  output: wireObject({ job: Type.String({ description: "Id of the import." }) }),
  status: 202,
  async handle(ctx) {
    const { services } = ctx;
    const started = await services.addDemo();
    if (started === "not empty")
      throw new ApiError("conflict", "the store has records; the demo data is for empty ones");
    if (started === "running") throw new ApiError("conflict", "the demo data is being added");
    await services.audit.record({ actor: requireActor(ctx).keyId, action: "demo.add", details: started });
    return { body: started };
  },
});
