/** Intercepts the methods of an object, for example to run them on another server or to translate errors. */

/** `call` runs the intercepted method on any object of the same type. */
export type Interceptor<Target> = <Result>(call: (target: Target) => Promise<Result>) => Promise<Result>;

/** Members that are not functions stay as they are. */
export function wrapMethods<Target extends object>(target: Target, intercept: Interceptor<Target>): Target {
  const members = Object.entries(target).map(([name, member]: [string, unknown]) => {
    if (typeof member !== "function") return [name, member];
    return [name, (...values: unknown[]) => intercept((other) => methodOf(other, name)(...values))];
  });
  return Object.fromEntries(members) as Target;
}

function methodOf(target: object, name: string): (...values: unknown[]) => Promise<never> {
  return Reflect.get(target, name) as (...values: unknown[]) => Promise<never>;
}
