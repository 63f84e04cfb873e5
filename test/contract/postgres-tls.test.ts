import { afterAll, describe, expect, test } from 'bun:test';
import { execFileSync } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { appendFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { postgresAddress } from '../../src/settings/database-address.ts';
import { API, call } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { type PostgresServer, startPostgres } from '../support/postgres.ts';
import { run, start } from '../support/service.ts';
import { temporaryDirectory } from '../support/temporary.ts';

// Runs with the whole matrix: it starts PostgreSQL with four certificates.

/** This host under a name that settings do not recognise as local. */
const NAME = hostname();
/** The whole exchange, in hexadecimal: a request for TLS, and the termination. */
const SAID = /^0{6}0804d2162f(?:580{6}04)?$/;

const openssl = (...words: string[]) => execFileSync('openssl', words, { stdio: 'ignore' });

/** An authority, as a certificate and its key. */
function makeAuthority() {
  const folder = temporaryDirectory();
  const [cert, key] = [join(folder, 'ca.pem'), join(folder, 'ca.key')];
  openssl(
    ...'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 9 -subj /CN=authority'.split(
      ' ',
    ),
    ...['-keyout', key, '-out', cert],
  );
  return { cert, key };
}

/** Settings of a server with a certificate for a name that expires after the given number of days. */
function certified(by: ReturnType<typeof makeAuthority>, name: string, days: number): string[] {
  const folder = temporaryDirectory();
  const at = (file: string) => join(folder, file);
  const newKey = 'req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=database'.split(' ');
  openssl(...newKey, '-keyout', at('key'), '-out', at('request'));
  writeFileSync(at('names'), `subjectAltName = DNS:${name}\n`);
  openssl(
    ...['x509', '-req', '-in', at('request'), '-CA', by.cert, '-CAkey', by.key, '-CAcreateserial'],
    ...['-days', String(days), '-extfile', at('names'), '-out', at('cert')],
  );
  return ['ssl = on', `ssl_cert_file = '${at('cert')}'`, `ssl_key_file = '${at('key')}'`];
}

const isNamed = await lookup(NAME).then(
  () => NAME !== 'localhost',
  () => false,
);
if (!isNamed) console.warn(`PostgreSQL by TLS is not tested: ${NAME} does not lead to this host`);

describe.skipIf(!isNamed)('PostgreSQL over a network', () => {
  const authority = makeAuthority();
  const other = makeAuthority();
  const servers: PostgresServer[] = [];
  afterAll(() => Promise.all(servers.map((server) => server.stop('SIGQUIT'))));

  /** Starts a server that listens at the given name, and returns its port. */
  async function listening(settings: string[]) {
    const port = await freePort();
    const server = await startPostgres(["listen_addresses = '*'", `port = ${port}`, ...settings]);
    servers.push(server);
    // Also accepts connections without TLS: Redoubt has to refuse them.
    appendFileSync(join(server.directory, 'data/pg_hba.conf'), 'host all all all trust\n');
    return port;
  }
  const served = (port: number, ca?: string) => ({
    SERVICE_DATABASE_URL: `postgres://redoubt:not-for-logs@${NAME}:${port}/postgres`,
    ...(ca === undefined ? {} : { SERVICE_DATABASE_CA: ca }),
    SERVICE_DATA_DIR: temporaryDirectory(),
    SERVICE_PORT: '0',
    SERVICE_ADMIN_PORT: 'off',
  });

  test('is reached over TLS only, with the configured authority', async () => {
    const port = await listening(certified(authority, NAME, 9));
    const env = served(port, authority.cert);
    // Its own process: it connects to its database over TLS.
    const service = await start('binary', env);
    const { key } = await service.issue('--plan', 'pro');
    expect((await call(service.url, `${API}/me`, { key })).status).toBe(200);
    const { SERVICE_DATABASE_URL: url = '' } = env;
    expect(postgresAddress(url).ssl).not.toBe(false);
    await service.end();
  });

  test.each([
    ['is signed by another authority', () => certified(other, NAME, 9), 'SERVICE_DATABASE_CA'],
    ['has expired', () => certified(authority, NAME, -1), 'expired. Renew it'],
    ['belongs to another host', () => certified(authority, 'db.example.com', 9), 'for another host'],
    ['is missing', () => [], 'does not support TLS'],
  ])(
    'with a certificate that %s gets no query: a start ends immediately, in one line, with exit code 2',
    async (_, settings, words) => {
      const port = await listening(settings());
      for (const command of ['serve', 'init', 'migrate']) {
        const { exitCode, stderr } = await run('binary', served(port, authority.cert), command);
        const lines = stderr.trim().split('\n');
        expect([command, exitCode, lines.length]).toEqual([command, 2, 1]);
        expect(lines[0]).toMatch(new RegExp(`^redoubt: SERVICE_DATABASE_URL: .*${words}`));
      }
    },
  );

  test('without a configured authority is verified with those of the system', async () => {
    const port = await listening(certified(authority, NAME, 9));
    const { exitCode, stderr } = await run('binary', served(port), 'serve');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('SERVICE_DATABASE_CA')]);
  });

  test('that refuses TLS receives nothing more, not even a user name', async () => {
    const received: string[] = [];
    const server = createServer((socket) => {
      const connection = received.push('') - 1;
      socket
        .on('error', () => {})
        .on('data', (bytes) => {
          received[connection] += bytes.toString('hex');
          socket.write('N');
        });
    });
    await new Promise<void>((resolve) => server.listen(0, resolve));
    const { port } = server.address() as { port: number };
    expect((await run('binary', served(port), 'serve')).exitCode).toBe(2);
    expect(received.length).toBeGreaterThan(0);
    for (const exchange of received) expect(exchange).toMatch(SAID);
    server.close();
  });
});
