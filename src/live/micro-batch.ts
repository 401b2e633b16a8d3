import { zip } from "#domain/zip.ts";

/** Passes on the calls of one tick together: one transaction for many small decisions. While one runs, the next collect. */
export function microBatch<In, Out>(run: (inputs: In[]) => Promise<readonly Out[]>): (input: In) => Promise<Out> {
  let waiting: { input: In; resolve: (out: Out) => void; reject: (error: unknown) => void }[] = [];
  let isRunning = false;

  async function flush(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      try {
        const outs = await run(batch.map(({ input }) => input));
        for (const [{ resolve }, out] of zip(batch, outs)) resolve(out);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isRunning = false;
  }

  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject });
      if (isRunning) return;
      isRunning = true;
      setImmediate(() => void flush());
    });
}
