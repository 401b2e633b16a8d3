/** Rejects with `createError()` when the work takes longer. The work itself continues; its result is then ignored. */
export function withTimeout<Result>(ms: number, work: Promise<Result>, createError: () => Error): Promise<Result> {
  return new Promise((resolve, reject) => {
    // A result that arrived while this process was busy is in time: setImmediate lets the event loop read it first.
    const timer = setTimeout(() => setImmediate(() => reject(createError())), ms);
    const end = () => clearTimeout(timer);
    work.then(resolve, reject).then(end, end);
  });
}
