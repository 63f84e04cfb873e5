import type { TObject } from '@sinclair/typebox';
import { t } from 'elysia';
import { bodySchema } from '../../http/body.ts';
import { nullable } from '../../http/contract/answers.ts';
import { changeLicense } from '../../operator/change-license.ts';
import { forgetCustomer } from '../../operator/forget-customer.ts';
import { resumeLicense, suspendLicense } from '../../operator/hold-license.ts';
import { bindDomain, blockDomain, unbindDomain, unblockDomain } from '../../operator/license-domains.ts';
import { revokeLicense } from '../../operator/revoke-license.ts';
import { vouchForDomain, withdrawVouching } from '../../operator/vouch-for-domain.ts';
import { readDomainControls } from '../../storage/sites/domain-controls.ts';
import { reasonField } from './fields/act.ts';
import { DomainField, HoldName, moduleList, noteFields, PlanName, termFields } from './fields/license.ts';
import { domainIn, momentIn, notesIn, siteDomainIn } from './fields/wanted.ts';
import type { LicenseAct } from './license-act.ts';

const define = <Body extends TObject>(act: LicenseAct<Body>) => act as unknown as LicenseAct;

const EXAMPLE_DOMAIN = 'shop.example.com';

const change = define({
  verb: 'change',
  operationId: 'changeLicense',
  summary: 'Change the terms of a license, and what is noted of it',
  description:
    'What is left out stays as it is; null takes a note away, leaves a number to the plan, or lets the license never end. What is granted so ' +
    'holds whatever is paid.',
  body: bodySchema(
    'LicenseChange',
    {
      plan: t.Optional(PlanName),
      sites: t.Optional(nullable(termFields.sites)),
      expires_at: t.Optional(nullable(termFields.expires_at)),
      daily_events: t.Optional(nullable(termFields.daily_events)),
      daily_bytes: t.Optional(nullable(termFields.daily_bytes)),
      clear_modules: t.Optional(
        t.Boolean({ description: "true first drops the license's own modules, added and taken away" }),
      ),
      allow_modules: t.Optional(moduleList('modules to add')),
      deny_modules: t.Optional(moduleList('modules to take away')),
      ...noteFields,
      ...reasonField,
    },
    { expires_at: '2028-11-23T09:30:00Z', reason: 'renewed by order 1311' },
  ),
  codes: ['EXTERNAL_ID_TAKEN'],
  plan: (license, body, by, { db, offer }) =>
    changeLicense(
      db,
      license,
      {
        ...notesIn(body),
        plan: body.plan,
        sites: body.sites,
        expires: momentIn('expires_at', body.expires_at),
        dailyEvents: body.daily_events,
        dailyBytes: body.daily_bytes,
        clearModules: body.clear_modules,
        allowModules: body.allow_modules ?? [],
        denyModules: body.deny_modules ?? [],
      },
      offer,
      by,
    ),
});

const suspend = define({
  verb: 'suspend',
  operationId: 'suspendLicense',
  summary: 'Suspend a license',
  description: 'From the next request on it may do what the plan free may, until the hold is lifted.',
  body: bodySchema(
    'Suspension',
    { hold: HoldName, ...reasonField },
    { hold: 'dispute', reason: 'chargeback of order 1042' },
  ),
  plan: (license, { hold }, by) => suspendLicense(license, hold, by),
});

const resume = define({
  verb: 'resume',
  operationId: 'resumeLicense',
  summary: 'Lift a hold',
  description: 'Other holds stay. Where there is no such hold, nothing changes, and a notice says so.',
  body: bodySchema(
    'Resumption',
    { hold: HoldName, ...reasonField },
    { hold: 'dispute', reason: 'the dispute is won' },
  ),
  plan: (license, { hold }, by) => resumeLicense(license, hold, by),
});

const revoke = define({
  verb: 'revoke',
  operationId: 'revokeLicense',
  summary: 'Revoke a license for good',
  description:
    'Its key is refused from the next request on, an old one too, and its credentials are revoked. Nothing takes that back: to stop a ' +
    'license for a while, suspend it.',
  body: bodySchema('Revocation', reasonField, { reason: 'the order was refunded' }),
  plan: (license, _, by) => revokeLicense(license, by),
});

const bind = define({
  verb: 'bind',
  operationId: 'bindDomain',
  summary: 'Register a domain',
  description: 'While the license has a free site.',
  body: bodySchema('DomainToBind', { domain: DomainField, ...reasonField }, { domain: EXAMPLE_DOMAIN }),
  plan: (license, { domain }, by, { db, offer, config }) =>
    bindDomain(db, license, siteDomainIn('domain', domain, config), offer.catalog, by),
});

const unbind = define({
  verb: 'unbind',
  operationId: 'unbindDomain',
  summary: 'Give a domain up',
  description: 'Its site is free for another one. With `block` the domain is kept out as well.',
  body: bodySchema(
    'DomainToUnbind',
    {
      domain: DomainField,
      block: t.Optional(t.Boolean({ description: 'whether to keep it from being registered again' })),
      ...reasonField,
    },
    { domain: EXAMPLE_DOMAIN },
  ),
  plan: (license, { domain, block = false }, by, { config }) =>
    unbindDomain(license, domainIn('domain', domain, config), block, by),
});

const block = define({
  verb: 'block',
  operationId: 'blockDomain',
  summary: 'Keep a domain out of a license',
  description:
    'It is given up, if it is registered, and its sites are refused until it is unblocked. Its `www.` is blocked with it, other subdomains are not.',
  body: bodySchema('DomainToBlock', { domain: DomainField, ...reasonField }, { domain: EXAMPLE_DOMAIN }),
  plan: (license, { domain }, by, { config }) => blockDomain(license, domainIn('domain', domain, config), by),
});

const unblock = define({
  verb: 'unblock',
  operationId: 'unblockDomain',
  summary: 'Let a blocked domain be registered again',
  description: 'It is registered by its next use.',
  body: bodySchema('DomainToUnblock', { domain: DomainField, ...reasonField }, { domain: EXAMPLE_DOMAIN }),
  plan: (license, { domain }, by, { config }) =>
    unblockDomain(license, domainIn('domain', domain, config), by),
});

const verifyDomain = define({
  verb: 'verify-domain',
  operationId: 'verifyDomain',
  summary: 'Vouch that a license controls a registered domain',
  description:
    'Where it cannot prove it by itself. Scans, credentials and trust states take your word for it.',
  body: bodySchema(
    'DomainToVerify',
    {
      domain: DomainField,
      withdraw: t.Optional(t.Boolean({ description: 'true takes your word back' })),
      ...reasonField,
    },
    { domain: EXAMPLE_DOMAIN },
  ),
  plan: async (license, { domain: text, withdraw = false }, by, { db, config }) => {
    const domain = domainIn('domain', text, config);
    const control = await readDomainControls(db).find(license.id, domain);
    return (withdraw ? withdrawVouching : vouchForDomain)(license, domain, control, by);
  },
});

const forget = define({
  verb: 'forget',
  operationId: 'forgetCustomer',
  summary: 'Forget whose license it is',
  description: 'Customer, e-mail, external id and note go, in the audit log as well. The license stays.',
  body: bodySchema('Forgetting', reasonField, { reason: 'request for erasure' }),
  plan: (license, _, by, { db }) => forgetCustomer(db, license, by),
});

/** Every act on one license, but for those that show a key. */
export const LICENSE_ACTS: readonly LicenseAct[] = [
  change,
  suspend,
  resume,
  revoke,
  bind,
  unbind,
  block,
  unblock,
  verifyDomain,
  forget,
];
