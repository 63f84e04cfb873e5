import { expect, test } from 'bun:test';
import { parseTargetAddress } from '../../../src/domain/notification/target-address.ts';
import { tenantReason } from '../../../src/domain/notification/tenant-reason.ts';
import { outcomeOfMailFault } from '../../../src/outside/notify/mail-outcome.ts';
import { failedBy } from '../../../src/outside/notify/outcomes.ts';
import { outcomeOfAnswer } from '../../../src/outside/notify/webhook-outcome.ts';

const PROBLEMS = [
  ...(['unresolvable', 'forbidden_address', 'unreachable', 'tls_failed', 'untrusted', 'expired'] as const),
  ...(['wrong_name', 'timeout', 'closed', 'malformed'] as const),
];
const FAULTS = [
  ...['EDNS', 'ETIMEDOUT', 'EABORT', 'ETLS', 'EAUTH', 'EMESSAGE', 'EPROTOCOL', 'ESOCKET'].map((code) => ({
    code,
  })),
  ...[
    { responseCode: 530 },
    { code: 'EENVELOPE', command: 'MAIL FROM' },
    { code: 'EENVELOPE', command: 'RCPT TO' },
  ],
  ...[{ originalCode: 'CERT_HAS_EXPIRED' }, { code: 'EAUTH', responseCode: 535 }],
];
const reasons = [
  ...PROBLEMS.map((problem) => failedBy(problem, 1)),
  ...FAULTS.map((fault) => outcomeOfMailFault(fault, 1)),
  ...[302, 401, 404, 410, 413, 429, 418, 500].map((status) =>
    outcomeOfAnswer({ status, retryAfter: undefined, isReusable: false }, 1, 0),
  ),
].flatMap((outcome) => (outcome.outcome === 'delivered' ? [] : [outcome.reason]));
const refusals = [
  'http://hooks.example/',
  'https://10.0.0.1/',
  'ftp://x/',
  'mailto:x',
  'https://u:p@x/',
].flatMap((text) => {
  const read = parseTargetAddress(text, { allowPrivate: false });
  return 'refused' in read ? [read.refused] : [];
});

test.each([...new Set([...reasons, ...refusals])])('a tenant can follow: %s', (reason) => {
  const shown = tenantReason(reason);
  expect(shown).not.toMatch(/SERVICE_|IPAddressAllow|--|\bunit\b/);
  expect(shown).toStartWith(reason.split('. ')[0] ?? '');
  expect(shown).toEndWith('.');
  // Says what to do, if the operator's words do.
  expect(shown.split('. ').length > 1).toBe(reason.split('. ').length > 1);
});

test('all reasons were tried', () =>
  expect([new Set(reasons).size > 25, refusals.length]).toEqual([true, 5]));

test('what only operators can do is asked of the provider', () => {
  expect(
    tenantReason(
      'The mail server refuses the login (535). Check SERVICE_SMTP_USER and SERVICE_SMTP_PASSWORD.',
    ),
  ).toBe('The mail server refuses the login (535). Contact your provider.');
});
