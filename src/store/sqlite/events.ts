/** Emits events for this process's own changes to tokens and for its erasures, once they are committed. */
import type { EventHub } from "../event-hub.ts";
import type { Tokens } from "../tokens.ts";
import type { Writer } from "../writer.ts";

export function withTokenEvents(tokens: Tokens, events: EventHub): Tokens {
  return {
    ...tokens,
    async writeToken(token) {
      await tokens.writeToken(token);
      events.emit({ about: "token", keyId: token.keyId });
    },
  };
}

export function withWriterEvents(writer: Writer, events: EventHub): Writer {
  return {
    ...writer,
    async erase(platform, kind, id) {
      const result = await writer.erase(platform, kind, id);
      events.emit({ about: "erasure", platform });
      return result;
    },
  };
}
