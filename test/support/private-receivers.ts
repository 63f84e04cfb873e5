import { createServer } from 'node:https';
import { type AddressInfo, isIPv6, type Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { createServer as createTlsServer } from 'node:tls';
import { SMTPServer } from 'smtp-server';
import { privateAddress } from './private-address.ts';
import { certificateFor } from './receivers.ts';

// Real receivers at a private address of this host, because loopback is never notified.

const ADDRESS = privateAddress();
/** Undefined where there is no such address. */
export const HOST = ADDRESS !== undefined && isIPv6(ADDRESS) ? `[${ADDRESS}]` : ADDRESS;

const portOf = (server: Pick<Server, 'address'>): number => (server.address() as AddressInfo).port;

/** The answers of misbehaving receivers, by path; `hang` sends nothing, and `drip` an endless head. */
const BAD_ANSWERS: Readonly<Record<string, string>> = {
  garbage: '220 mail.example ESMTP\r\n',
  endless: `HTTP/1.1 200 OK\r\nx-a: ${'b'.repeat(100_000)}`,
  failing: 'HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n',
  redirect:
    'HTTP/1.1 302 No\r\nlocation: http://169.254.169.254/latest/meta-data/\r\ncontent-length: 0\r\n\r\n',
};
export const BAD_PATHS = ['hang', 'drip', ...Object.keys(BAD_ANSWERS)];

/** A webhook, a mail server (on the loopback address), a syslog server and a misbehaving one, with their received data. */
export async function privateReceivers() {
  const hooks: { headers: Record<string, string>; body: string }[] = [];
  const mails: string[] = [];
  const lines: string[] = [];
  const before: { answer: () => unknown } = { answer: () => {} };
  const certificate = certificateFor('receiver', { names: `IP:${ADDRESS}` });
  const hook = createServer(certificate, async (request, response) => {
    const body = await text(request);
    hooks.push({ headers: request.headers as Record<string, string>, body });
    await before.answer();
    response.writeHead(204).end();
  });
  const mail = new SMTPServer({
    ...certificateFor('localhost'),
    authOptional: true,
    async onData(stream, _, done) {
      mails.push(await text(stream));
      done();
    },
  });
  mail.on('error', () => {});
  const syslog = createTlsServer(certificate, (socket) => {
    let arrived = '';
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      arrived += chunk;
      // RFC 5425: a message follows its length in octets.
      for (let count = /^\d+ /.exec(arrived); count; count = /^\d+ /.exec(arrived)) {
        const end = count[0].length + Number(count[0]);
        if (arrived.length < end) return;
        lines.push(arrived.slice(count[0].length, end));
        arrived = arrived.slice(end);
      }
    });
  });
  const bad = createTlsServer(certificate, (socket) => {
    socket.on('error', () => {});
    socket.once('data', (request) => {
      const [, path = ''] = /^POST \/(\w+) /.exec(String(request)) ?? [];
      if (path === 'drip') {
        const timer = setInterval(() => socket.write('x-a: b\r\n'), 100);
        socket.write('HTTP/1.1 200 OK\r\n');
        socket.once('close', () => clearInterval(timer));
      } else if (path !== 'hang') socket.end(BAD_ANSWERS[path] ?? '');
    });
  });
  const listen = (server: Pick<Server, 'listen'>, address = ADDRESS) =>
    new Promise<void>((resolve) => server.listen(0, address, resolve));
  await Promise.all([listen(hook), listen(syslog), listen(bad), listen(mail.server, '127.0.0.1')]);
  return {
    hooks,
    mails,
    lines,
    /** Called before the answer to a webhook. */
    before,
    ports: { hook: portOf(hook), mail: portOf(mail.server), syslog: portOf(syslog), bad: portOf(bad) },
    close(): void {
      for (const server of [hook, syslog, bad, mail]) server.close();
    },
  };
}
