import { once } from 'node:events';
import { connect } from 'node:net';
import { hostname } from 'node:os';
import type { Duplex } from 'node:stream';
import type { Deliver, Outcome } from '../../domain/notification/delivery.ts';
import { shownEvent } from '../../domain/notification/shown-event.ts';
import { type SyslogFormat, syslogLine } from '../../domain/notification/syslog.ts';
import { SECOND_MS } from '../../lib/clock.ts';
import { within } from '../../lib/within.ts';
import type { IdleConnections } from './idle-connections.ts';
import { type ConnectionProblem, failedBy, latencySince } from './outcomes.ts';
import { connectTo, type ReceiverRules } from './receiver.ts';

export interface SyslogTarget {
  /** A host that accepts TLS, or the path of a Unix stream socket. */
  readonly at: { readonly host: string; readonly port: number } | { readonly path: string };
  readonly format: SyslogFormat;
  /** PEM certificates to trust; undefined = those of the system. */
  readonly ca: string | undefined;
}

export interface SyslogOptions extends ReceiverRules {
  readonly idle: IdleConnections;
  /** Version of this service. */
  readonly version: string;
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 15 * SECOND_MS;
/** Longer than for webhooks, because syslog receivers expect lasting connections. */
const IDLE_MS = 60 * SECOND_MS;
const NO_SOCKET =
  'The socket does not accept connections. Check that the syslog server runs, that the socket is a stream socket, and that this service may write to it.';

/**
 * Sends events to a syslog server over a persistent connection: over TLS with octet counting (RFC 5425), or line by line to a
 * Unix socket. Syslog has no acknowledgements, so `delivered` means that the operating system accepted the bytes.
 */
export function createSyslog({ at, format, ca }: SyslogTarget, options: SyslogOptions): Deliver {
  const { idle, version, timeoutMs = TIMEOUT_MS } = options;
  const origin = { host: hostname(), processId: process.pid, version };
  const key = JSON.stringify([at, ca]);

  const open = (ended: AbortSignal): Promise<Duplex | ConnectionProblem> =>
    'path' in at
      ? connectToSocket(at.path, ended)
      : connectTo({ ...at, tls: { protocols: [], ca } }, options, ended);

  const send = async (bytes: Buffer, ended: AbortSignal): Promise<ConnectionProblem | undefined> => {
    for (;;) {
      const known = idle.take(key);
      const stream = known?.stream ?? (await open(ended));
      if (typeof stream === 'string') return stream;
      const openedAt = known?.openedAt ?? performance.now();
      const destroy = () => stream.destroy();
      ended.addEventListener('abort', destroy);
      const isWritten = await written(stream, bytes);
      ended.removeEventListener('abort', destroy);
      if (isWritten) idle.put(key, { stream, openedAt }, IDLE_MS);
      else destroy();
      if (isWritten) return undefined;
      if (known === undefined) return 'closed';
    }
  };

  return async ({ events, isPersonalIncluded }): Promise<Outcome> => {
    const startedAt = performance.now();
    const lines = events.map((event) => syslogLine(shownEvent(event, isPersonalIncluded), format, origin));
    const framed = lines.map('path' in at ? (line) => `${line}\n` : octetCounted);
    const end = new AbortController();
    const problem = await within(send(Buffer.from(framed.join('')), end.signal), timeoutMs);
    const latencyMs = latencySince(startedAt);
    if (problem === undefined) return { outcome: 'delivered', status: null, latencyMs };
    end.abort();
    const failed = failedBy(problem, latencyMs);
    return problem === 'unreachable' && 'path' in at ? { ...failed, reason: NO_SOCKET } : failed;
  };
}

const octetCounted = (line: string): string => `${Buffer.byteLength(line)} ${line}`;

async function connectToSocket(path: string, ended: AbortSignal): Promise<Duplex | ConnectionProblem> {
  const socket = connect({ path });
  ended.addEventListener('abort', () => socket.destroy());
  socket.on('error', () => {});
  try {
    await once(socket, 'connect');
    return socket;
  } catch {
    socket.destroy();
    return 'unreachable';
  }
}

/** Writes bytes; false if the connection ends before the operating system has accepted all of them. */
function written(stream: Duplex, bytes: Buffer): Promise<boolean> {
  return new Promise((resolve) => {
    const fail = () => finish(false);
    const finish = (isWritten: boolean) => {
      stream.off('close', fail).off('error', fail).off('end', fail);
      resolve(isWritten);
    };
    stream.on('close', fail).on('error', fail).on('end', fail);
    if (stream.destroyed) fail();
    else stream.write(bytes, (error) => finish(!error));
  });
}
