/** Goes around every call of an object's methods, such as to ask elsewhere or to tell of failures. */

/** `call` asks another object of the same kind for what was asked of this one. */
export type Around<Target> = <Result>(call: (target: Target) => Promise<Result>) => Promise<Result>;

/** What is not a method stays as it is. */
export function wrapMethods<Target extends object>(target: Target, around: Around<Target>): Target {
  const members = Object.entries(target).map(([name, member]: [string, unknown]) => {
    if (typeof member !== "function") return [name, member];
    return [name, (...values: unknown[]) => around((other) => methodOf(other, name)(...values))];
  });
  return Object.fromEntries(members) as Target;
}

function methodOf(target: object, name: string): (...values: unknown[]) => Promise<never> {
  return Reflect.get(target, name) as (...values: unknown[]) => Promise<never>;
}
