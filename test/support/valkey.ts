import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { tlsSettings } from './certificate.ts';
import { freePort } from './free-port.ts';
import { temporaryDirectory } from './temporary.ts';

const EXECUTABLE = Bun.which('valkey-server') ?? Bun.which('redis-server');

/** Tests of limits in Valkey are skipped where neither it nor Redis is installed. */
export const isValkeyThere = EXECUTABLE !== null;

/** A Valkey or Redis server of a test, without persistence. */
export interface Valkey {
  readonly port: number;
  readonly socket: string;
  /** The file with its TLS certificate, which is for localhost; undefined without TLS. */
  readonly ca: string | undefined;
  /** In the form of SERVICE_LIMITS_URL, without a password. */
  readonly url: string;
  start(): Promise<void>;
  freeze(signal: 'SIGSTOP' | 'SIGCONT'): void;
  stop(): Promise<void>;
}

export interface ValkeyOptions {
  readonly password?: string;
  readonly tls?: boolean;
  /** Additional options of the server. */
  readonly options?: readonly string[];
}

/** Starts a server on a free port and a Unix socket. */
export async function startValkey({
  password,
  tls = false,
  options = [],
}: ValkeyOptions = {}): Promise<Valkey> {
  const directory = temporaryDirectory();
  const socket = join(directory, 'valkey.sock');
  const port = await freePort();
  const certificate = tls ? tlsSettings() : undefined;
  const listening = certificate
    ? [
        ...['--port', '0', '--tls-port', String(port), '--tls-auth-clients', 'no'],
        ...['--tls-cert-file', certificate.SERVICE_TLS_CERT, '--tls-key-file', certificate.SERVICE_TLS_KEY],
        ...['--tls-ca-cert-file', certificate.SERVICE_TLS_CERT],
      ]
    : ['--port', String(port)];
  const given = [
    ...[
      '--bind',
      '127.0.0.1',
      '--unixsocket',
      socket,
      '--dir',
      directory,
      '--save',
      '',
      '--appendonly',
      'no',
    ],
    ...listening,
    ...(password === undefined ? [] : ['--requirepass', password]),
    ...options,
  ];
  let child: ChildProcess | undefined;
  const start = async () => {
    // It ends with the tests.
    child = spawn('setpriv', ['--pdeathsig', 'KILL', EXECUTABLE ?? '', ...given], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let output = '';
    await new Promise<void>((resolve, reject) => {
      child?.stdout?.on('data', (text) => {
        output += text;
        if (/ready to accept connections/i.test(output)) resolve();
      });
      child?.once('exit', () => reject(new Error(`it did not start: ${output}`)));
    });
    child.unref();
  };
  await start();
  return {
    port,
    socket,
    ca: certificate?.SERVICE_TLS_CERT,
    url: tls ? `rediss://localhost:${port}` : `redis://127.0.0.1:${port}`,
    start,
    freeze: (signal) => void child?.kill(signal),
    async stop() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const over = new Promise((resolve) => child?.once('exit', resolve));
      child.kill('SIGKILL');
      await over;
    },
  };
}
