/** The parameter `platform`. Checked per request, since the schema does not know which platforms are registered. */
import { type PlatformStore, parameterError, type CrossPlatformContext } from "#api/endpoint.ts";
import { insufficientScope } from "#api/insufficient-scope.ts";
import { textParameter } from "#api/parameters.ts";
import { readScope } from "#api/platform.ts";

export const PlatformParameter = textParameter("Name of a platform, such as `longvideo`; case-insensitive.", {
  maxLength: 40,
});

export function resolvePlatform(
  ctx: Pick<CrossPlatformContext, "readers" | "denied" | "parameterLocation">,
  parameter: string,
): PlatformStore {
  const name = parameter.toLowerCase();
  const chosen = ctx.readers.find(({ platform }) => platform === name);
  if (chosen !== undefined) return chosen;
  if (ctx.denied.includes(name)) throw insufficientScope([readScope(name)]);
  const names = [...ctx.readers.map(({ platform }) => platform), ...ctx.denied];
  throw parameterError(ctx, "invalid_parameter", "platform", `must be one of ${names.toSorted().join(", ")}`);
}
