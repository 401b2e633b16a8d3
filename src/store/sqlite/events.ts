/** Tells this process of its own changes: of tokens and of erasures, once they are kept. */
import type { EventHub } from "../event-hub.ts";
import type { Tokens, Writer } from "../store.ts";

export function withTokenEvents(tokens: Tokens, listeners: EventHub): Tokens {
  return {
    ...tokens,
    async writeToken(token) {
      await tokens.writeToken(token);
      listeners.tell({ about: "token", keyId: token.keyId });
    },
  };
}

export function withWriterEvents(writer: Writer, listeners: EventHub): Writer {
  return {
    ...writer,
    async erase(platform, kind, id) {
      await writer.erase(platform, kind, id);
      listeners.tell({ about: "erasure", platform, kind, id });
    },
  };
}
