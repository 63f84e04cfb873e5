import { connect, createServer, type Socket } from 'node:net';

/** One address of PostgreSQL that leads to a selectable server, as a virtual address or a balancer does. */
export interface Forwarder {
  readonly port: number;
  /** Sends new connections to the server with the Unix socket in this directory, and ends those to others. */
  leadTo(directory: string): void;
  /** From now on withholds every answer of the server after a request that contains this text. */
  withholdAnswersTo(request: string): void;
  /** Sends withheld answers on, and withholds no more. */
  release(): void;
  end(): void;
}

/** @param directory the folder with the Unix socket of the first server */
export async function startForwarder(directory: string): Promise<Forwarder> {
  let target = directory;
  let awaited: string | undefined;
  const withheld = new Map<Socket, Socket>();
  const open = new Set<Socket>();
  const server = createServer((from) => {
    const to = connect(`${target}/.s.PGSQL.5432`);
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      open.add(one);
      one
        .on('error', () => {})
        .on('close', () => {
          open.delete(one);
          other.destroy();
        });
      one.pipe(other);
    }
    from.on('data', (request) => {
      if (awaited === undefined || !request.includes(awaited)) return;
      to.unpipe(from);
      withheld.set(to, from);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: (server.address() as { port: number }).port,
    leadTo(next) {
      target = next;
      cut();
    },
    withholdAnswersTo(request) {
      awaited = request;
    },
    release() {
      awaited = undefined;
      for (const [to, from] of withheld) to.pipe(from);
      withheld.clear();
    },
    end() {
      server.close();
      cut();
    },
  };
}
