/** A pooler like PgBouncer in front of the test server. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** As many as PgBouncer accepts unless it is told otherwise. */
const PARAMETERS = new Set(["user", "database", "client_encoding", "application_name"]);

export interface Pooler {
  port: number;
  close: () => Promise<void>;
}

/**
 * `session`: each client has a connection of the server to itself. `transaction`: all share one, which a client has until
 * its transaction ends. `silent`: clients wait for a connection. `error`: none may log in.
 */
export type PoolerMode = "session" | "transaction" | "silent" | { error: string };

interface Client {
  socket: Socket;
  /** Messages that wait for the shared connection. */
  waiting: Buffer[];
}

export async function startPooler(serverPort: number, mode: PoolerMode): Promise<Pooler> {
  const sockets = new Set<Socket>();
  const shared = new SharedConnection();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    return socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket));
  };
  const server = createServer((socket) => {
    keep(socket).once("data", (startup) => {
      const unknown = parameterNames(startup).find((name) => !PARAMETERS.has(name));
      const error = typeof mode === "object" ? mode.error : unknown && `unsupported startup parameter: ${unknown}`;
      if (error !== undefined) {
        socket.end(errorMessage(error));
        return;
      }
      const upstream = keep(connect(serverPort, "127.0.0.1"));
      upstream.write(startup);
      const relay = (chunk: Buffer) => upstream.write(chunk);
      socket.on("data", relay).on("close", () => upstream.destroy());
      upstream.on("close", () => socket.destroy());
      forEachMessage(upstream, (message, stop) => {
        if (message[0] === "K".charCodeAt(0)) message.writeInt32BE(-1, 5);
        socket.write(message);
        if (mode === "session" || message[0] !== "Z".charCodeAt(0)) return;
        stop();
        socket.off("data", relay);
        if (mode === "transaction") shared.add(socket, upstream);
      });
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

class SharedConnection {
  readonly #clients = new Set<Client>();
  #upstream: Socket | undefined;
  #owner: Client | undefined;
  /** Statements of the owner that are not answered. */
  #pending = 0;

  /** The first one's connection is the one that is shared. */
  add(socket: Socket, upstream: Socket): void {
    if (this.#upstream === undefined) {
      this.#upstream = upstream;
      forEachMessage(upstream, (message) => this.#answer(message));
    }
    const client: Client = { socket, waiting: [] };
    this.#clients.add(client);
    socket.on("close", () => this.#clients.delete(client));
    forEachMessage(socket, (message) => {
      client.waiting.push(message);
      this.#send();
    });
  }

  #send(): void {
    this.#owner ??= [...this.#clients].find(({ waiting }) => waiting.length > 0);
    for (const message of this.#owner?.waiting.splice(0) ?? []) {
      const type = String.fromCharCode(message[0] ?? 0);
      if (type === "X") continue;
      if (type === "Q" || type === "S") this.#pending += 1;
      this.#upstream?.write(message);
    }
  }

  #answer(message: Buffer): void {
    this.#owner?.socket.write(message);
    if (message[0] !== "Z".charCodeAt(0)) return;
    this.#pending -= 1;
    if (this.#pending > 0 || message[5] !== "I".charCodeAt(0)) return;
    this.#owner = undefined;
    this.#send();
  }
}

/** Each message is a letter, the length of the rest, and the rest. */
function forEachMessage(socket: Socket, handle: (message: Buffer, stop: () => void) => void): void {
  let bytes: Buffer = Buffer.alloc(0);
  const onData = (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    while (bytes.length >= 5 && bytes.length > bytes.readInt32BE(1)) {
      const message = bytes.subarray(0, bytes.readInt32BE(1) + 1);
      bytes = bytes.subarray(message.length);
      handle(message, () => socket.off("data", onData));
    }
  };
  socket.on("data", onData);
}

/** The first message of a client: its length, the protocol's version, then names and values. */
function parameterNames(startup: Buffer): string[] {
  return startup
    .toString("latin1", 8, startup.length - 2)
    .split("\0")
    .filter((_, index) => index % 2 === 0);
}

function errorMessage(text: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C08P01\0M${text}\0\0`);
  const header = Buffer.alloc(5, "E");
  header.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([header, fields]);
}
