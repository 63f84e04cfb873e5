import { afterEach, describe, expect, test } from 'bun:test';
import { type AddressInfo, createServer } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { Message } from '../../../src/domain/notification/delivery.ts';
import { createMailer, type MailRecipient } from '../../../src/outside/notify/mail.ts';
import type { SmtpServer } from '../../../src/settings/smtp-server.ts';
import { tagsOf } from '../../support/markup.ts';
import { headerIn, readMail } from '../../support/received-mail.ts';
import { CA, certificateFor, eventWith, HOSTILE_TEXTS, messageOf } from '../../support/receivers.ts';

const CERTIFICATE = certificateFor('localhost');
const LOGIN = { user: 'ann', password: 'zq7secret' };
const RECIPIENT: MailRecipient = { address: 'ops@example.com' };

const open: (() => void)[] = [];
afterEach(() => {
  for (const close of open.splice(0)) close();
});

/** A mail server that requires a login, and what it received. */
async function mailServer(options: SMTPServerOptions = {}) {
  const mails: Buffer[] = [];
  const sessions = new Set<string>();
  const server = new SMTPServer({
    ...CERTIFICATE,
    authMethods: ['PLAIN', 'LOGIN'],
    onAuth: ({ username, password }, session, done) => {
      if (!session.secure) return done(new Error('not encrypted'));
      if (username !== LOGIN.user || password !== LOGIN.password)
        return done(new Error('zq7mark wrong login'));
      done(null, { user: username });
    },
    onData: (stream, { id }, done) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        sessions.add(id);
        mails.push(Buffer.concat(parts));
        done();
      });
    },
    ...options,
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(() => server.close());
  const { port } = server.server.address() as AddressInfo;
  return { port, mails, connections: () => sessions.size };
}

const serverAt = (port: number, more: Partial<SmtpServer> = {}): SmtpServer => ({
  host: 'localhost',
  port,
  tls: 'starttls',
  ca: CA,
  login: LOGIN,
  from: { name: 'Example Alerts', address: 'alerts@example.com' },
  ...more,
});
const send = (server: SmtpServer | undefined, message: Message = messageOf(), recipient = RECIPIENT) => {
  const mailer = createMailer({ server, timeoutMs: 2_000 });
  open.push(mailer.close);
  return mailer.to(recipient)(message);
};

describe('a mail', () => {
  test.each(['starttls', 'tls'] as const)(
    'goes out by %s and a login, with nothing that tracks',
    async (tls) => {
      const { port, mails } = await mailServer({ secure: tls === 'tls' });
      const unsubscribe = 'https://licenses.example/portal/notifications?t=a b>c';
      const found = await send(serverAt(port, { tls }), messageOf(), { ...RECIPIENT, unsubscribe });
      expect(found).toMatchObject({ outcome: 'delivered' });
      const mail = readMail(mails[0] ?? Buffer.alloc(0));
      expect(mail.headers.map(([name]) => name).sort()).toEqual([
        'auto-submitted',
        'content-type',
        'date',
        'from',
        'list-unsubscribe',
        'list-unsubscribe-post',
        'message-id',
        'mime-version',
        'subject',
        'to',
      ]);
      expect(
        ['from', 'to', 'subject', 'list-unsubscribe', 'auto-submitted'].map((name) => headerIn(mail, name)),
      ).toEqual([
        'Example Alerts <alerts@example.com>',
        'ops@example.com',
        '[Example Alerts] Critical: A critical alert was opened at shop.example',
        '<https://licenses.example/portal/notifications?t=a%20b%3Ec>',
        'auto-generated',
      ]);
      expect(mail.text).toContain('28 Nov 2026, 14:05 UTC\n  License ID: lic_1\n  Site: shop.example');
      expect(mail.text).not.toContain('Ann Example');
      const tags = await tagsOf(mail.html);
      expect(tags.filter(({ name }) => ['img', 'script', 'link', 'iframe', 'style'].includes(name))).toEqual(
        [],
      );
      expect(tags.flatMap(({ attributes: { href } }) => href ?? [])).toEqual([
        'https://licenses.example/console/alerts/7',
        'https://licenses.example/portal/notifications?t=a%20b%3Ec',
      ]);
    },
  );

  test('to a server on this host needs neither TLS nor a login', async () => {
    const { port, mails } = await mailServer({ authOptional: true, hideSTARTTLS: true });
    const here = serverAt(port, { host: '127.0.0.1', tls: 'none', ca: undefined, login: undefined });
    expect(await send(here, messageOf({}, true))).toMatchObject({ outcome: 'delivered' });
    expect(readMail(mails[0] ?? Buffer.alloc(0)).text).toContain('Customer: Ann Example');
  });

  test('is a digest by severity, the most severe first, and counts omitted events', async () => {
    const { port, mails } = await mailServer();
    const severities = ['low', 'critical', 'high', 'critical'] as const;
    const events = Array.from({ length: 132 }, (_, at) =>
      eventWith({ id: `evt_${at}`, severity: severities[at] ?? 'info', summary: `Event ${at}` }),
    );
    await send(serverAt(port), messageOf(events as [(typeof events)[0]]));
    const mail = readMail(mails[0] ?? Buffer.alloc(0));
    expect(headerIn(mail, 'subject')).toBe(
      '[Example Alerts] 132 notifications: 2 critical, 1 high, 1 low, 128 info',
    );
    const places = [
      'CRITICAL',
      'Event 1\n',
      'Event 3\n',
      'HIGH',
      'Event 2\n',
      'LOW',
      'Event 0\n',
      'INFO',
      'Event 99',
    ];
    const found = places.map((words) => mail.text.indexOf(words));
    expect(found).toEqual(found.toSorted((a, b) => a - b));
    expect([found.includes(-1), mail.text.includes('And 32 notifications more.')]).toEqual([false, true]);
  });

  test('has one set of headers and one body with hostile names', async () => {
    const { port, mails } = await mailServer();
    const mailer = createMailer({ server: serverAt(port) });
    open.push(mailer.close);
    for (const text of HOSTILE_TEXTS) {
      const message = messageOf(
        { id: text.slice(0, 99), summary: text, data: { name: text }, personal: { customer: text } },
        true,
      );
      const unsubscribe = `https://licenses.example/${text.slice(0, 99).toWellFormed()}`;
      expect(await mailer.to({ ...RECIPIENT, unsubscribe })(message)).toMatchObject({ outcome: 'delivered' });
    }
    expect(mails).toHaveLength(HOSTILE_TEXTS.length);
    const names = [
      'auto-submitted',
      'content-type',
      'date',
      'from',
      'list-unsubscribe',
      'list-unsubscribe-post',
      'message-id',
      'mime-version',
    ];
    for (const raw of mails) {
      const mail = readMail(raw);
      expect(mail.headers.map(([name]) => name).sort()).toEqual([...names, 'subject', 'to']);
      expect(headerIn(mail, 'to')).toBe('ops@example.com');
      expect([...(headerIn(mail, 'subject') ?? '')].length).toBeLessThanOrEqual(120);
      expect(raw.length).toBeLessThan(32_768);
      const tags = new Set((await tagsOf(mail.html)).map(({ name }) => name));
      expect([...tags].sort()).toEqual([
        'a',
        'body',
        'div',
        'h2',
        'head',
        'html',
        'meta',
        'p',
        'span',
        'strong',
      ]);
    }
  });

  test('shares its connection with later ones, and keeps its id when sent again', async () => {
    const { port, mails, connections } = await mailServer();
    const mailer = createMailer({ server: serverAt(port) });
    open.push(mailer.close);
    for (let sent = 0; sent < 5; sent++) await mailer.to(RECIPIENT)(messageOf());
    const ids = new Set(mails.map((raw) => headerIn(readMail(raw), 'message-id')));
    expect([mails.length, connections(), ids.size]).toEqual([5, 1, 1]);
  });
});

describe('a failed mail is reported in words', () => {
  const refusedBy = (reason: string, status: number | null = null) =>
    expect.objectContaining({ outcome: 'failed', status, reason: expect.stringContaining(reason) });

  test.each<[string, SMTPServerOptions, Partial<SmtpServer>, string, number | null]>([
    ['without STARTTLS', { disabledCommands: ['STARTTLS'] }, {}, 'STARTTLS', 500],
    ['with a certificate of an unknown CA', {}, { ca: undefined }, 'SERVICE_SMTP_CA', null],
    [
      'with a certificate for another name',
      { ...certificateFor('other.example') },
      {},
      'SERVICE_SMTP_CA',
      null,
    ],
    [
      'with an expired certificate',
      { ...certificateFor('localhost', { days: -1 }) },
      {},
      'SERVICE_SMTP_CA',
      null,
    ],
    ['that expects TLS at once', { secure: true }, {}, 'SERVICE_SMTP_TLS', null],
    ['that expects STARTTLS', {}, { tls: 'tls' }, 'SERVICE_SMTP_TLS', null],
    ['that refuses the login', {}, { login: { user: 'ann', password: 'x' } }, 'SERVICE_SMTP_PASSWORD', 535],
    ['that requires a login', {}, { login: undefined }, 'requires a login', 530],
    [
      'that refuses the sender',
      { onMailFrom: (_, _session, done) => done(new Error('zq7mark')) },
      {},
      'SERVICE_SMTP_FROM',
      550,
    ],
    [
      'that refuses the recipient',
      { onRcptTo: (_, _session, done) => done(new Error('zq7mark')) },
      {},
      "target's address",
      550,
    ],
    [
      'that refuses the message',
      { onData: (stream, _, done) => void stream.resume().on('end', () => done(new Error('zq7mark'))) },
      {},
      'refuses the message',
      450,
    ],
  ])('to a server %s', async (_, options, settings, words, status) => {
    const { port, mails } = await mailServer(options);
    const found = await send(serverAt(port, settings));
    expect([found, mails.length]).toEqual([refusedBy(words, status), 0]);
    expect(JSON.stringify(found)).not.toContain('zq7');
  });

  test('to a server that hangs, does not speak SMTP or does not exist, in bounded time', async () => {
    for (const [greeting, words, status] of [
      ['', 'did not respond in time', null],
      ['HTTP/1.1 400 Bad Request\r\n\r\n', 'not SMTP', null],
    ] as const) {
      const server = createServer((socket) => socket.on('error', () => {}).write(greeting));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      open.push(() => server.close());
      const startedAt = performance.now();
      expect(await send(serverAt((server.address() as AddressInfo).port))).toEqual(refusedBy(words, status));
      expect(performance.now() - startedAt).toBeLessThan(4_000);
    }
    expect(await send(serverAt(1))).toEqual(refusedBy('does not accept connections'));
    expect(await send(serverAt(25, { host: 'redoubt.invalid' }))).toEqual(refusedBy('does not resolve'));
  });

  test.each(['', 'ops', 'a@b.example, c@d.example', 'a@b.example\r\nBcc: c@d.example', 'Ann <a@b.example>'])(
    'to %j, which is not one mailbox',
    async (address) => {
      const { port, mails } = await mailServer();
      const found = await send(serverAt(port), messageOf(), { address });
      expect([found.outcome, mails.length]).toEqual(['refused', 0]);
    },
  );

  test('without a mail server in the settings', async () => {
    expect(await send(undefined)).toEqual(refusedBy('SERVICE_SMTP_HOST'));
  });
});
