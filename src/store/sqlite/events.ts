/** Emits events for this process's own changes to tokens and for its erasures, once they are committed. */
import type { EventHub } from "#store/write/event-hub.ts";
import type { Tokens } from "#store/tokens/port.ts";
import type { Writer } from "#store/write/port.ts";

export function withTokenEvents(tokens: Tokens, events: EventHub): Tokens {
  async function emitAfter<Result>(keyId: string, write: Promise<Result>): Promise<Result> {
    const result = await write;
    events.emit({ about: "token", keyId });
    return result;
  }
  return {
    ...tokens,
    writeToken: (token) => emitAfter(token.keyId, tokens.writeToken(token)),
    revokeToken: (keyId, ...args) => emitAfter(keyId, tokens.revokeToken(keyId, ...args)),
    replaceToken: (keyId, ...args) => emitAfter(keyId, tokens.replaceToken(keyId, ...args)),
    endSession: (keyId, ...args) => emitAfter(keyId, tokens.endSession(keyId, ...args)),
    endAllSessions: (keyId) => emitAfter(keyId, tokens.endAllSessions(keyId)),
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
