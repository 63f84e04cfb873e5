import { describe, expect, test } from 'bun:test';
import { TENANT_TYPES } from '../../../src/domain/notification/target.ts';
import { openTargetSecret } from '../../../src/domain/notification/target-secret.ts';
import {
  type AddedTarget,
  addTarget,
  type WantedTarget,
} from '../../../src/operator/notifications/add-target.ts';
import type { NewTarget } from '../../../src/storage/notifications/target-jobs.ts';

const KEY = new Uint8Array(32).fill(7);
const BY = { actor: 'operator:otto', now: 1_000 } as const;

const planned = (wanted: Partial<WantedTarget>, { all = [] as { name: string }[], http = false } = {}) =>
  addTarget(
    { name: 'ops', address: 'https://hooks.example.com/t/secret-path', licenseId: null, ...wanted },
    { all, targetKey: KEY, allowPrivate: http },
    BY,
  );

function added(wanted: Partial<WantedTarget>): AddedTarget & { readonly target: NewTarget } {
  const plan = planned(wanted);
  if ('refused' in plan) throw new Error(plan.refused);
  const [job] = plan.jobs;
  return { ...plan, target: job?.input as NewTarget };
}

const of = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `t${at}` }));
const TENANT = { licenseId: 1 };

test.each<[Partial<WantedTarget>, RegExp, { all?: { name: string }[] }?]>([
  [{ name: 'two\r\nlines' }, /The name must start/],
  [{ name: 'Ops' }, /The name must start/],
  [{ name: '' }, /The name must start/],
  [{ name: 'x'.repeat(41) }, /The name must start/],
  [{ name: '<script>' }, /The name must start/],
  [{}, /already exists/, { all: [{ name: 'ops' }] }],
  [{}, /limit of 100 targets/, { all: of(100) }],
  [TENANT, /limit of 5 targets/, { all: of(5) }],
  [{ address: 'http://hooks.example.com/' }, /not encrypted/],
  [{ address: 'ftp://hooks.example.com/' }, /must start with https/],
  [{ address: 'https://user:password@hooks.example.com/' }, /user or password/],
  [{ address: 'https://hooks.example.com/\r\nHost: x' }, /control or non-ASCII/],
  [{ address: `https://hooks.example.com/${'x'.repeat(2_000)}` }, /more than 2000 characters/],
  [{ address: 'mailto:a@example.com,b@example.com' }, /not one mailbox/],
  [{ address: 'mailto:a@example.com?bcc=b@example.com' }, /not one mailbox/],
  [{ address: 'mailto:a@example.com%0d%0aBcc:b@example.com' }, /not one mailbox/],
  [{ address: 'syslog+tls://siem.example.com/path' }, /host and a port only/],
  [{ format: 'cef' }, /Use standard, slack/],
  [{ address: 'mailto:a@example.com', format: 'slack' }, /Use text/],
  [{ address: 'mailto:a@example.com', ca: 'x' }, /Leave them out/],
  [{ address: 'syslog+unix:///run/log.sock', ca: 'x' }, /Leave them out/],
  [{ digestMs: 8 * 86_400_000 }, /longer than 7 days/],
  [{ ...TENANT, address: 'syslog+tls://siem.example.com' }, /https:\/\/ or mailto:/],
  [{ ...TENANT, events: ['audit'] }, /not available/],
  [{ ...TENANT, events: ['system.problem'] }, /not available/],
])('%j is refused in words that repeat nothing of it', (wanted, words, grounds = {}) => {
  const plan = planned(wanted, grounds);
  expect('refused' in plan && plan.refused).toMatch(words);
  expect(JSON.stringify(plan)).not.toMatch(/hooks\.example|secret-path|password@/);
});

describe('a new target', () => {
  test('has the defaults of its kind: everything but audit at once, mail collected for 15 minutes', () => {
    expect(added({}).target).toMatchObject({
      kind: 'webhook',
      format: 'standard',
      digestMs: 0,
      minSeverity: 'info',
    });
    const mail = added({ address: 'mailto:a@example.com' }).target;
    expect(mail).toMatchObject({ kind: 'mail', format: 'text', digestMs: 900_000 });
    expect(mail.events).not.toContain('audit');
    expect(mail.events).toContain('alert.opened');
  });

  test('receives the selected events, each once, in a fixed order', () => {
    const { events } = added({ events: ['audit', 'alert.opened', 'audit'] }).target;
    expect(events).toEqual(['alert.opened', 'audit']);
  });

  test('of a tenant receives only events of its license', () => {
    expect(added(TENANT).target.events).toEqual(TENANT_TYPES);
  });

  test('has a secret of 32 bytes that only the installation can open, if deliveries are signed with it', () => {
    const { secret = '', target } = added({});
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(target.secret).not.toContain(secret.slice(6));
    expect(openTargetSecret(KEY, target.publicId, target.secret ?? '')).toBe(secret);
    for (const wanted of [{ format: 'slack' as const }, { address: 'mailto:a@example.com' }])
      expect([added(wanted).secret, added(wanted).target.secret]).toEqual([undefined, null]);
  });

  test('stores no path, mailbox, customer or secret in the audit log', () => {
    for (const address of ['https://hooks.example.com/t/secret-path?token=x', 'mailto:anna@example.com']) {
      const { jobs, secret = 'none' } = added({ address, customers: ['Example Ltd'] });
      const entry = JSON.stringify(jobs.find(({ name }) => name === 'audit'));
      expect(entry).toContain('notification.add');
      for (const hidden of ['secret-path', 'token=x', 'anna', 'Example Ltd', secret])
        expect(entry).not.toContain(hidden);
    }
  });
});
