import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  NOTIFICATION_TYPES,
  type NotificationData,
  type NotificationType,
} from '../../../src/domain/notification/event.ts';
import { type KnownEvent, messageTo } from '../../../src/domain/notification/messages.ts';
import { WITHHELD } from '../../../src/domain/notification/outgoing.ts';
import '../../support/properties.ts';

const ADDRESSES = { console: 'https://ops.example', portal: 'https://service.example' };
const DATA: NotificationData = {
  license: 'lic_7',
  site_id: 'Abc123Abc123Abc123Abcd',
  domain: 'shop.example',
  alert: 'malware',
  days: 1,
  findings: 2,
  outcome: 'done',
  enabled: true,
  credentials: 1,
  added: 1,
  withdrawn: 3,
  sites: 1_200,
  vulnerabilities: 1,
  problem: 'the disk is full',
  action: 'license.issue',
  subject: 'lic_7',
  changed: 'note,customer',
};
const known = (type: NotificationType, data: NotificationData = DATA): KnownEvent => ({
  event: {
    id: 'evt_1',
    type,
    at: 5,
    severity: 'high',
    data,
    personal: { reason: 'a call from Jo' },
  },
  customer: 'Acme',
  email: 'jo@acme.example',
});
const shown = (event: KnownEvent, { licenseId = null as number | null, isPersonalIncluded = false } = {}) =>
  messageTo({ licenseId, isPersonalIncluded }, [event], ADDRESSES).events[0];

test.each(NOTIFICATION_TYPES)('%s has one line of text and a page, for operators and tenants', (type) => {
  const forOperators = shown(known(type));
  const forTenants = shown(known(type), { licenseId: 7 });
  for (const { summary } of [forOperators, forTenants]) expect(summary).toMatch(/^[A-Za-z0-9][^\n]{5,120}$/);
  expect(forOperators.summary + forTenants.summary).not.toMatch(/undefined|NaN|null|Acme/);
  expect(forOperators.link).toStartWith('https://ops.example/console');
  expect(forTenants.link).toBe('https://service.example/portal/sites/Abc123Abc123Abc123Abcd');
  expect(forTenants).toEqual(expect.not.objectContaining({ personal: expect.anything() }));
  expect(forTenants.data).toEqual(
    expect.not.objectContaining({ license: expect.anything(), changed: expect.anything() }),
  );
});

test('counts have the right singular and plural', () => {
  const summaryOf = (type: NotificationType, data: NotificationData) => shown(known(type, data)).summary;
  expect(summaryOf('vulnerability.found', { vulnerabilities: 1_200, sites: 1 })).toBe(
    '1,200 vulnerabilities found on 1 site',
  );
  expect(summaryOf('vulnerability.fixed', { vulnerabilities: 1, domain: 'a.example' })).toBe(
    '1 vulnerability fixed on a.example',
  );
  expect(summaryOf('license.expiring', { license: 'lic_1', days: 7 })).toBe(
    'License lic_1 expires in 7 days',
  );
});

test('customers, addresses and reasons reach only targets of operators that include personal data', () => {
  const personal = { reason: 'a call from Jo', customer: 'Acme', email: 'jo@acme.example' };
  expect(shown(known('audit'), { isPersonalIncluded: true }).personal).toEqual(personal);
  for (const target of [{}, { licenseId: 7 }, { licenseId: 7, isPersonalIncluded: true }])
    expect(JSON.stringify(shown(known('audit'), target))).not.toMatch(/Jo|Acme/);
});

test('without configured addresses there is no link', () => {
  const { events } = messageTo({ licenseId: null, isPersonalIncluded: false }, [known('audit')], {
    console: undefined,
    portal: undefined,
  });
  expect('link' in events[0]).toBe(false);
});

test('the privacy gate checks outgoing data: a refused value is withheld, and the event still arrives', () => {
  const texts = fc.constantFrom('jo@acme.example', '10.0.0.1', 'sk_live_4eC39HqLyjWDarjtT1zdp7dc');
  const names = fc.constantFrom('alert', 'domain', 'problem', 'subject', 'another_one');
  fc.assert(
    fc.property(texts, names, (text, name) => {
      const { data } = shown(known('alert.opened', { ...DATA, [name]: `x ${text}` }));
      expect(data).toEqual({ ...DATA, [name]: WITHHELD });
    }),
  );
  expect(shown(known('alert.opened')).data).toEqual(DATA);
});
