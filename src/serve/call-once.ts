/** Runs the work on the first call; later calls return the same promise. */
export function callOnce(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= work());
}
