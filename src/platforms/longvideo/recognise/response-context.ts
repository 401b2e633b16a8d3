/** What only the enclosing response knows. */
export interface ResponseContext {
  /** The video that the response is about. */
  videoId?: string | undefined;
  /** The channel whose page it is. */
  channel?: { id: string; title: string } | undefined;
  /** Unix milliseconds. */
  capturedAt?: number | null;
}
