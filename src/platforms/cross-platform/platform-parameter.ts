/** The parameter `platform`. Which names there are is known when a request comes, not when a schema is written. */
import { type PlatformStore, parameterError, type CrossPlatformContext } from "#api/endpoint.ts";
import { insufficientScope } from "#api/insufficient-scope.ts";
import { textParameter } from "#api/parameters.ts";
import { readScope } from "#api/platform.ts";

export const PlatformParameter = textParameter("Name of a platform, such as `longvideo`; case does not matter.", {
  maxLength: 40,
});

export function chosenPlatform(
  ctx: Pick<CrossPlatformContext, "readers" | "denied" | "place">,
  written: string,
): PlatformStore {
  const name = written.toLowerCase();
  const chosen = ctx.readers.find(({ platform }) => platform === name);
  if (chosen !== undefined) return chosen;
  if (ctx.denied.includes(name)) throw insufficientScope([readScope(name)]);
  const names = [...ctx.readers.map(({ platform }) => platform), ...ctx.denied];
  throw parameterError(ctx, "invalid_parameter", "platform", `must be one of ${names.toSorted().join(", ")}`);
}
