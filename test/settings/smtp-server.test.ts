import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../src/settings/config.ts';
import { smtpServer } from '../../src/settings/smtp-server.ts';
import { temporaryDirectory } from '../support/temporary.ts';

const FROM = 'alerts@example.com';
const serverOf = (
  settings: Readonly<Record<string, string>>,
  others: Readonly<Record<string, string>> = {},
) =>
  smtpServer(
    loadConfig({
      ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [`SERVICE_SMTP_${name}`, value])),
      ...others,
    }),
  );

test('without settings there is no mail server', () => {
  expect(serverOf({})).toBeUndefined();
});

test.each([
  [{ HOST: 'mail.example.com' }, { port: 587, tls: 'starttls' }],
  [
    { HOST: 'mail.example.com', TLS: 'tls' },
    { port: 465, tls: 'tls' },
  ],
  [
    { HOST: '10.0.0.7', PORT: '2525' },
    { port: 2525, tls: 'starttls' },
  ],
  [{ HOST: 'localhost' }, { port: 25, tls: 'none' }],
  [{ HOST: '127.0.0.2' }, { port: 25, tls: 'none' }],
  [
    { HOST: '::1', TLS: 'starttls' },
    { port: 587, tls: 'starttls' },
  ],
  [{ HOST: 'localhost.example.com' }, { tls: 'starttls' }],
])('%j is reached as %j: only a mail server on this host needs no TLS', (settings, expected) => {
  expect(serverOf({ FROM, ...settings })).toMatchObject(expected);
});

test('the sender is an address, or a name with an address', () => {
  expect(serverOf({ HOST: 'a.example', FROM })?.from).toEqual({ name: 'Redoubt', address: FROM });
  expect(serverOf({ HOST: 'a.example', FROM: `Müller & Söhne <${FROM}>` })?.from).toEqual({
    name: 'Müller & Söhne',
    address: FROM,
  });
  const branded = { SERVICE_BRAND_NAME: 'Acme "Web", Inc.' };
  expect(serverOf({ HOST: 'a.example', FROM }, branded)?.from.name).toBe('Acme "Web", Inc.');
  expect(serverOf({ HOST: 'a.example', FROM: `Alerts <${FROM}>` }, branded)?.from.name).toBe('Alerts');
});

test('trusted certificates are read from their file, and the login is complete', () => {
  const ca = join(temporaryDirectory(), 'ca.pem');
  writeFileSync(ca, 'PEM');
  expect(serverOf({ HOST: 'a.example', FROM, CA: ca, USER: 'ann', PASSWORD: 'zq7secret' })).toMatchObject({
    ca: 'PEM',
    login: { user: 'ann', password: 'zq7secret' },
  });
});

test.each([
  [{ FROM }, 'SERVICE_SMTP_HOST is not set'],
  [{ PASSWORD: 'zq7secret' }, 'SERVICE_SMTP_HOST is not set'],
  [{ HOST: 'a.example' }, 'requires SERVICE_SMTP_FROM'],
  [{ HOST: 'a.example', FROM, USER: 'ann' }, 'must be set together'],
  [{ HOST: 'a.example', FROM, PASSWORD: 'zq7secret' }, 'must be set together'],
  [{ HOST: 'localhost', FROM, CA: '/ca.pem' }, 'requires TLS'],
  [{ HOST: 'a.example', FROM, CA: '/no/such/ca.pem' }, 'SERVICE_SMTP_CA: cannot read /no/such/ca.pem'],
  [{ HOST: 'smtp://a.example', FROM }, 'SERVICE_SMTP_HOST'],
  [{ HOST: 'a.example', FROM, PORT: '0' }, 'SERVICE_SMTP_PORT'],
  [{ HOST: 'a.example', FROM, TLS: 'none' }, 'must be one of starttls, tls'],
  [{ HOST: 'a.example', FROM: 'alerts' }, 'SERVICE_SMTP_FROM'],
  [{ HOST: 'a.example', FROM: `A\r\nBcc: x@y.z <${FROM}>` }, 'SERVICE_SMTP_FROM'],
  [{ HOST: 'a.example', FROM: `${FROM}\nBcc: x@y.z` }, 'SERVICE_SMTP_FROM'],
])('%j is refused: %s', (settings, words) => {
  let refusal = '';
  try {
    serverOf(settings);
  } catch (error) {
    refusal = (error as Error).message;
  }
  expect(refusal).toContain(words);
  expect(refusal).not.toContain('zq7secret');
});
