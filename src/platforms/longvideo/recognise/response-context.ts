/** What only the answer around an object knows. */
export interface AnswerContext {
  /** The video that the answer is about. */
  videoId?: string | undefined;
  /** The channel whose page it is. */
  channel?: { id: string; title: string } | undefined;
  /** Unix milliseconds. */
  capturedAt?: number | null;
}
