import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { NOTIFICATION_TYPES } from '../../../src/domain/notification/event.ts';
import {
  firstDueAt,
  isWanted,
  type SelectedBy,
  type TargetFilter,
  TENANT_TYPES,
} from '../../../src/domain/notification/target.ts';
import { parseTargetAddress } from '../../../src/domain/notification/target-address.ts';
import {
  newTargetSecret,
  openTargetSecret,
  sealTargetSecret,
  secretBytes,
} from '../../../src/domain/notification/target-secret.ts';
import { SEVERITIES } from '../../../src/domain/severity.ts';
import '../../support/properties.ts';

const types = fc.constantFrom(...NOTIFICATION_TYPES);
const severities = fc.constantFrom(...SEVERITIES);
const ids = fc.integer({ min: 1, max: 3 });
const names = fc.constantFrom('Acme', 'Bolt');
const targets = fc.record<TargetFilter>({
  events: fc.uniqueArray(types),
  minSeverity: severities,
  licenses: fc.uniqueArray(ids, { maxLength: 2 }),
  customers: fc.uniqueArray(names, { maxLength: 1 }),
  licenseId: fc.option(ids),
});
const events = fc.record<SelectedBy>({
  type: types,
  severity: severities,
  licenseId: fc.option(ids),
  customer: fc.option(names),
});

describe('an event', () => {
  test('reaches a target only if it has its type and at least its severity', () => {
    fc.assert(
      fc.property(targets, events, (target, event) => {
        if (!isWanted(target, event)) return;
        expect(target.events).toContain(event.type);
        expect(SEVERITIES.indexOf(event.severity)).toBeGreaterThanOrEqual(
          SEVERITIES.indexOf(target.minSeverity),
        );
      }),
    );
  });

  test("never reaches a tenant's target unless it is of its own license, and never an event for operators only", () => {
    fc.assert(
      fc.property(targets, events, ids, (target, event, licenseId) => {
        if (!isWanted({ ...target, licenseId }, event)) return;
        expect(event.licenseId).toBe(licenseId);
        expect(TENANT_TYPES).toContain(event.type);
      }),
    );
    expect(TENANT_TYPES.filter((type) => /^(?:audit|feed|system)|acknowledged/.test(type))).toEqual([]);
  });

  test('reaches a target of operators with filters exactly if its license or its customer is one of them', () => {
    fc.assert(
      fc.property(targets, events, (target, event) => {
        const all = { ...target, events: NOTIFICATION_TYPES, minSeverity: 'info' as const, licenseId: null };
        const isListed =
          (event.licenseId !== null && target.licenses.includes(event.licenseId)) ||
          (event.customer !== null && target.customers.includes(event.customer));
        const isFiltered = target.licenses.length + target.customers.length > 0;
        expect(isWanted(all, event)).toBe(isListed || !isFiltered);
      }),
    );
  });

  test('is due at once if it is critical, otherwise at the end of its digest', () => {
    expect(SEVERITIES.map((severity) => firstDueAt({ digestMs: 60 }, severity, 1000))).toEqual([
      1060, 1060, 1060, 1060, 1000,
    ]);
  });
});

describe('the address of a target', () => {
  test.each([
    ['https://hooks.example/T0?a=1', 'webhook', 'https://hooks.example/T0?a=1'],
    ['HTTPS://Hooks.Example', 'webhook', 'https://hooks.example/'],
    ['mailto:alerts@example.com', 'mail', 'mailto:alerts@example.com'],
    ['syslog+tls://siem.example', 'syslog', 'syslog+tls://siem.example:6514'],
    ['syslog+tls://[2606:4700::1111]:601', 'syslog', 'syslog+tls://[2606:4700::1111]:601'],
    ['syslog+unix:///run/systemd/journal/syslog', 'syslog', 'syslog+unix:///run/systemd/journal/syslog'],
  ] as const)('%s gives its kind', (text, kind, address) => {
    expect(parseTargetAddress(text, { allowPrivate: false })).toEqual({ kind, address });
  });

  test.each([
    '',
    'hooks.example',
    'http://hooks.example/',
    'ftp://hooks.example/',
    'https://user:secret@hooks.example/',
    'https://hooks.example/#part',
    'https://hooks.example/\r\nX-More: 1',
    'https://hoöks.example/',
    `https://hooks.example/${'a'.repeat(2_000)}`,
    'mailto:',
    'mailto:a@example.com,b@example.com',
    'mailto:a@example.com?bcc=b@example.com',
    'mailto:a@example.com%0d%0aBcc:b@example.com',
    'mailto:a@localhost',
    'syslog://siem.example',
    'syslog+tls://',
    'syslog+tls://siem.example/path',
    'syslog+unix://host/path',
    'syslog+unix://',
    'syslog+unix:///%00abc',
    'syslog+unix:///run/a%0ab',
    'https://hooks.example:0/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[::1]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[fe80::1]/',
    'https://[fd00:ec2::254]/',
    'https://169.254.169.254/',
    'https://10.0.0.1/',
    'https://localhost/',
    'https://a.localhost./',
    'syslog+tls://127.0.0.1',
    'mailto:a@-hooks.example',
    `mailto:a@${'b.'.repeat(150)}example`,
  ])('%j is refused, with a sentence', (text) => {
    expect(parseTargetAddress(text, { allowPrivate: false })).toEqual({
      refused: expect.stringMatching(/^The address .+\.$/),
    });
  });

  test('may lack TLS where that is allowed', () => {
    const allowed = parseTargetAddress('http://10.0.0.1:8080/hook', { allowPrivate: true });
    expect(allowed).toEqual({ kind: 'webhook', address: 'http://10.0.0.1:8080/hook' });
  });

  test.each(['https://[::1]/', 'https://127.1/', 'http://localhost:8080/', 'https://100.100.100.200/'])(
    '%s leads to this host or a metadata service, which nothing allows',
    (text) => {
      const read = parseTargetAddress(text, { allowPrivate: true });
      expect(read).toEqual({ refused: expect.stringContaining('Use another one') });
    },
  );
});

test('a secret opens with its key for its target, and with no other', () => {
  const [key, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const secret = newTargetSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(secretBytes(secret)).toHaveLength(32);
  const sealed = sealTargetSecret(key, 'tgt_1', secret);
  expect(sealed).not.toContain(secret.slice(6, 20));
  expect(openTargetSecret(key, 'tgt_1', sealed)).toBe(secret);
  expect(openTargetSecret(key, 'tgt_2', sealed)).toBeUndefined();
  expect(openTargetSecret(other, 'tgt_1', sealed)).toBeUndefined();
});
