import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import type { Network } from '../../src/outside/site-visit/network.ts';
import { temporaryDirectory } from './temporary.ts';

/** The answer to a path: all bytes of it, or a way to misbehave. */
export type Answers = (path: string, socket: Socket, head: string) => string | undefined;

export interface FakeSite {
  readonly port: number;
  /** Heads of all requests so far. */
  readonly heads: string[];
  readonly paths: () => string[];
  /** Connections so far, with or without requests. */
  readonly connections: () => number;
  close(): void;
}

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** The bytes of an answer. */
export const wire = (status: number, headers: Readonly<Record<string, string>> = {}, body = '') =>
  [
    `HTTP/1.1 ${status} Whatever`,
    ...Object.entries({ 'Content-Length': String(Buffer.byteLength(body)), ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
    '',
    body,
  ].join('\r\n');

/** Starts a site on a free port of the loopback address; over TLS when it has a certificate. */
export async function fakeSite(answers: Answers, tls?: Certificate & TlsOptions): Promise<FakeSite> {
  const heads: string[] = [];
  const open = new Set<Socket>();
  let connections = 0;
  const serve = (socket: Socket) => {
    socket.on('error', () => {});
    socket.once('data', (bytes) => {
      const head = bytes.toString('latin1');
      heads.push(head);
      const answer = answers(head.split(' ')[1] ?? '', socket, head);
      if (answer !== undefined) socket.end(answer);
    });
  };
  const server: Server = tls ? createTlsServer(tls, serve) : createServer(serve);
  server.on('connection', (socket: Socket) => {
    connections += 1;
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    heads,
    paths: () => heads.map((head) => head.split(' ')[1] ?? ''),
    connections: () => connections,
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/**
 * A network in which public addresses lead to fake sites: names resolve by `names` (one list per lookup, the
 * last one repeats), `places` maps `address:port` to a port of the loopback address, and `cutOff` addresses
 * have no route.
 */
export function fakeNetwork(
  names: Readonly<Record<string, readonly (readonly string[])[]>>,
  places: Readonly<Record<string, number>>,
  cutOff: readonly string[] = [],
): Network & { readonly lookups: string[]; readonly dialled: string[] } {
  const lookups: string[] = [];
  const dialled: string[] = [];
  return {
    lookups,
    dialled,
    async lookup(host) {
      lookups.push(host);
      const answers = names[host] ?? [];
      const asked = lookups.filter((name) => name === host).length;
      return answers[Math.min(asked, answers.length) - 1] ?? [];
    },
    texts: async () => [],
    hasRouteTo: async (address) => !cutOff.includes(address),
    dial(address, port) {
      dialled.push(`${address}:${port}`);
      return connect({ host: '127.0.0.1', port: places[`${address}:${port}`] ?? 1 });
    },
  };
}

/**
 * A certificate for a name, created by openssl: self-signed unless an issuer is given; with -1 days, expired
 * yesterday.
 */
export function certificate(
  name: string,
  {
    days = 90,
    issuer,
    authority = false,
    names = `DNS:${name}`,
  }: { days?: number; issuer?: Certificate; authority?: boolean; names?: string } = {},
): Certificate {
  const directory = temporaryDirectory();
  const file = (base: string) => join(directory, base);
  const openssl = (command: string) =>
    execFileSync('openssl', command.split(' '), { cwd: directory, stdio: 'ignore' });
  openssl('genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out key');
  openssl(`req -new -key key -subj /CN=${name} -out csr`);
  writeFileSync(file('ext'), authority ? 'basicConstraints=CA:TRUE' : `subjectAltName=${names}`);
  if (issuer) {
    writeFileSync(file('ca.crt'), issuer.cert);
    writeFileSync(file('ca.key'), issuer.key);
  }
  const signer = issuer ? '-CA ca.crt -CAkey ca.key -CAcreateserial' : '-signkey key';
  openssl(`x509 -req -in csr ${signer} -days ${days} -extfile ext -out crt`);
  return { cert: readFileSync(file('crt'), 'utf8'), key: readFileSync(file('key'), 'utf8') };
}

/**
 * Opens a site without scan findings.
 *
 * @param opened receives it, for its caller to close
 * @param until it sends no answer before this resolves
 * @returns its address
 */
export async function openQuietSite(opened: FakeSite[], until?: Promise<void>): Promise<string> {
  const hello = wire(200, {}, 'Hello');
  const site = await fakeSite((_path, socket) => {
    if (until === undefined) return hello;
    void until.then(() => socket.end(hello));
    return undefined;
  });
  opened.push(site);
  return `http://localhost:${site.port}/blog`;
}
