/**
 * Calls between two processes over the channel that Node opens between them. Each is answered or fails; when the other
 * process is gone, all that are open fail.
 */

/** What one side may be asked, by name. */
export type Protocol = Record<string, { asks: unknown; gets: unknown }>;

export type Handlers<P extends Protocol> = {
  [Name in keyof P]: (asked: P[Name]["asks"]) => P[Name]["gets"] | Promise<P[Name]["gets"]>;
};

/** This process or a child of it. */
export interface Channel {
  send?(message: Message, handle: undefined, options: undefined, sent: (error: Error | null) => void): boolean;
  on(event: "message", listener: (message: unknown) => void): unknown;
  once(event: "disconnect", listener: () => void): unknown;
}

type Message =
  | { call: number; name: string; asked: unknown }
  | { answer: number; given: unknown }
  | { answer: number; failed: Failure };

/** An error as it travels: with what is told apart by more than its message, such as `code`. */
type Failure = Record<string, unknown> & { message: string };

class ChannelClosed extends Error {
  override message = "another process of the service is gone";
}

interface Open {
  resolve(given: unknown): void;
  reject(error: Error): void;
}

export class RpcChannel<Theirs extends Protocol> {
  readonly #channel: Channel;
  readonly #answers: Record<string, (asked: never) => unknown>;
  readonly #open = new Map<number, Open>();
  #calls = 0;
  #gone = false;

  /** The answers are those that the other side's protocol asks for. */
  constructor(channel: Channel, answers: Record<string, (asked: never) => unknown>) {
    this.#channel = channel;
    this.#answers = answers;
    channel.on("message", (message) => this.#onMessage(message as Message));
    channel.once("disconnect", () => {
      this.#gone = true;
      for (const call of this.#open.values()) call.reject(new ChannelClosed());
      this.#open.clear();
    });
  }

  call<Name extends keyof Theirs & string>(name: Name, asked: Theirs[Name]["asks"]): Promise<Theirs[Name]["gets"]> {
    if (this.#gone) return Promise.reject(new ChannelClosed());
    const number = ++this.#calls;
    return new Promise((resolve, reject) => {
      this.#open.set(number, { resolve, reject });
      this.#send({ call: number, name, asked }, (error) => {
        if (this.#open.delete(number)) reject(error);
      });
    });
  }

  /** For what needs no answer: whoever is gone need not know. */
  notify<Name extends keyof Theirs & string>(name: Name, asked: Theirs[Name]["asks"]): void {
    this.call(name, asked).catch(() => undefined);
  }

  #onMessage(message: Message): void {
    if ("call" in message) {
      void this.#answer(message.call, message.name, message.asked);
      return;
    }
    const call = this.#open.get(message.answer);
    this.#open.delete(message.answer);
    if ("failed" in message) call?.reject(Object.assign(new Error(message.failed.message), message.failed));
    else call?.resolve(message.given);
  }

  async #answer(number: number, name: string, asked: unknown): Promise<void> {
    // Whoever asked and is gone by now misses nothing.
    const unheard = () => undefined;
    try {
      this.#send({ answer: number, given: (await this.#answers[name]?.(asked as never)) ?? null }, unheard);
    } catch (error) {
      const { message, stack } = error as Error;
      this.#send({ answer: number, failed: Object.assign({ message, stack }, error) }, unheard);
    }
  }

  #send(message: Message, failed: (error: Error) => void): void {
    this.#channel.send?.(message, undefined, undefined, (error) => error !== null && failed(error));
  }
}
