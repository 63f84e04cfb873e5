import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { DAY_MS } from '../../src/lib/clock.ts';
import { readFile } from '../../src/lib/read-file.ts';
import { credentialSources } from '../../src/operator/unit-credentials.ts';
import { judgeCertificate, loadCertificate } from '../../src/settings/certificate.ts';
import { loadConfig } from '../../src/settings/config.ts';
import { tlsSettings } from '../support/certificate.ts';

const SOON = 'the TLS certificate expires soon';
const judge = (days: number, atDay: number) => {
  const { problems, warnings } = judgeCertificate({ startsAt: 0, endsAt: days * DAY_MS }, atDay * DAY_MS);
  return [problems, warnings];
};

test.each([
  [90, 15],
  [47, 47 / 6],
  [6, 1],
  [398, 30],
])('a certificate of %d days ends soon with less than %d left, which is not yet a problem', (days, left) => {
  expect(judge(days, days - left)).toEqual([[], []]);
  expect(judge(days, days - left * 0.99)).toEqual([[], [SOON]]);
  expect(judge(days, days - 0.01)).toEqual([[], [SOON]]);
});

test('a certificate is a problem before its start and from its end on', () => {
  expect(judge(90, -1)).toEqual([['the TLS certificate is not valid yet'], []]);
  expect(judge(90, 90)).toEqual([['the TLS certificate has expired'], []]);
});

test("a unit's credentials come from the path in its last lines, and encrypted ones are systemd's alone", () => {
  const lines = [
    '=gone:/etc/gone',
    '=',
    '=tls-cert',
    '=tls-key',
    'Encrypted=secret:/etc/secret',
    ' = tls-cert:/a b:c.pem ',
  ];
  const text = lines.map((line) => `LoadCredential${line}\n# LoadCredential=commented\n`).join('');
  expect([...credentialSources(text)]).toEqual([
    ['tls-cert', '/a b:c.pem'],
    ['tls-key', 'tls-key'],
  ]);
});

test('a chain that TLS would reject after its first certificate is refused where it is read', () => {
  const tls = tlsSettings();
  const load = () => loadCertificate(loadConfig(tls), 'public', readFile);
  expect(load()?.cert).toStartWith('-----BEGIN CERTIFICATE-----');
  const broken = '-----BEGIN CERTIFICATE-----\n!!!!\n-----END CERTIFICATE-----\n';
  writeFileSync(tls.SERVICE_TLS_CERT, broken, { flag: 'a' });
  expect(load).toThrow(/^SERVICE_TLS_CERT: .* cannot be used with the key in /);
});
