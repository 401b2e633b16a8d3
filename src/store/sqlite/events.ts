/** Tells this process of its own changes: of tokens and of erasures, once they are kept. */
import type { Listeners } from "../listeners.ts";
import type { Tokens, Writer } from "../store.ts";

export function tellingTokens(tokens: Tokens, listeners: Listeners): Tokens {
  return {
    ...tokens,
    async putToken(token) {
      await tokens.putToken(token);
      listeners.tell({ about: "token", keyId: token.keyId });
    },
  };
}

export function tellingWriter(writer: Writer, listeners: Listeners): Writer {
  return {
    ...writer,
    async erase(platform, kind, id) {
      await writer.erase(platform, kind, id);
      listeners.tell({ about: "erasure", platform, kind, id });
    },
  };
}
