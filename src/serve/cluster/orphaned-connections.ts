/**
 * Node's cluster forgets two kinds of connections, whose callers would wait for nothing: one that it has handed to a
 * worker which dies before it says that it took it, and one that the last worker gives back when it closes. Here they
 * are remembered until they are taken, and closed. The messages are Node's own and nowhere promised: if they change,
 * nothing is remembered and Node's way is left as it is.
 */
import type { Worker } from "node:cluster";
import type { ChildProcess } from "node:child_process";

interface ClusterMessage {
  act?: string;
  seq?: number;
  ack?: number;
  accepted?: boolean;
}

interface Connection {
  close(): void;
}

export class OrphanedConnections {
  readonly #holders = new Map<Connection, Worker>();
  #ending = false;

  watch(worker: Worker): void {
    const child: ChildProcess = worker.process;
    const handed = new Map<number | undefined, Connection>();
    const send = child.send.bind(child) as (...sent: unknown[]) => boolean;
    child.send = (message: ClusterMessage, handle?: unknown, ...more: unknown[]) => {
      if (message.act === "newconn") {
        handed.set(message.seq, handle as Connection);
        this.#holders.set(handle as Connection, worker);
      }
      return send(message, handle, ...more);
    };
    child.on("internalMessage", ({ ack, accepted }: ClusterMessage) => {
      const connection = handed.get(ack);
      if (connection === undefined) return;
      handed.delete(ack);
      // Cluster has heard it first, and may have handed it to another.
      if (this.#holders.get(connection) === worker) this.#settle(connection, accepted === true || !this.#ending);
    });
    worker.once("exit", () => {
      for (const [connection, holder] of this.#holders) if (holder === worker) this.#settle(connection, false);
    });
  }

  /** From now on, what a worker gives back has nobody to go to. */
  end(): void {
    this.#ending = true;
  }

  #settle(connection: Connection, goesOn: boolean): void {
    this.#holders.delete(connection);
    if (!goesOn) connection.close();
  }
}
