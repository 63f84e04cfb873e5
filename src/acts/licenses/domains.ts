import { bindDomain, blockDomain, unbindDomain, unblockDomain } from '../../operator/license-domains.ts';
import { vouchForDomain, withdrawVouching } from '../../operator/vouch-for-domain.ts';
import { readDomainControls } from '../../storage/sites/domain-controls.ts';
import { flag } from '../field.ts';
import { ANY_DOMAIN, licenseAct, SITE_DOMAIN } from './fields.ts';

const example = { domain: 'shop.example.com' };

export const bind = licenseAct({
  verb: 'bind',
  title: 'Register a domain',
  about: 'While the license has a free site.',
  fields: { domain: SITE_DOMAIN },
  api: { operationId: 'bindDomain', body: 'DomainToBind', example },
  command: {},
  forms: [{}],
  plan: (license, { domain }, by, { db, offer }) => bindDomain(db, license, domain, offer.catalog, by),
});

export const unbind = licenseAct({
  verb: 'unbind',
  title: 'Release a domain',
  about: 'Its site is free for another one.',
  submit: 'Release',
  fields: {
    domain: ANY_DOMAIN,
    block: flag({
      about: 'whether to keep it from being registered again',
      flags: '--block',
      help: 'also block it from being registered again',
    }),
  },
  api: {
    operationId: 'unbindDomain',
    summary: 'Give a domain up',
    description: 'Its site is free for another one. With `block` the domain is kept out as well.',
    body: 'DomainToUnbind',
    example,
  },
  command: {},
  forms: [{}],
  button: { ask: (domain) => `Release ${domain}? Its site is free for another one.` },
  plan: (license, { domain, block = false }, by) => unbindDomain(license, domain, block, by),
});

export const block = licenseAct({
  verb: 'block',
  title: 'Block a domain',
  about: 'It is given up, if it is registered, and its sites are refused until it is unblocked.',
  submit: 'Block',
  fields: { domain: ANY_DOMAIN },
  api: {
    operationId: 'blockDomain',
    summary: 'Keep a domain out of a license',
    description:
      'It is given up, if it is registered, and its sites are refused until it is unblocked. Its `www.` is blocked with it, other subdomains are not.',
    body: 'DomainToBlock',
    example,
  },
  command: { about: 'release a domain and block it, without its subdomains' },
  forms: [{}],
  button: { ask: (domain) => `Block ${domain}? Its sites are refused until it is unblocked.` },
  plan: (license, { domain }, by) => blockDomain(license, domain, by),
});

export const unblock = licenseAct({
  verb: 'unblock',
  title: 'Unblock a domain',
  about: 'It is registered by its next use.',
  submit: 'Unblock',
  fields: { domain: ANY_DOMAIN },
  api: {
    operationId: 'unblockDomain',
    summary: 'Let a blocked domain be registered again',
    body: 'DomainToUnblock',
    example,
  },
  command: {},
  button: {},
  plan: (license, { domain }, by) => unblockDomain(license, domain, by),
});

export const verifyDomain = licenseAct({
  verb: 'verify-domain',
  title: 'Vouch for a domain',
  about:
    'For a customer who cannot prove control of a domain. Scans, credentials and trust states rely on your attestation.',
  submit: 'Vouch',
  fields: {
    domain: ANY_DOMAIN,
    withdraw: flag({
      about: 'true takes your word back',
      flags: '--withdraw',
      help: 'withdraw the attestation',
      label: 'withdraw my attestation',
    }),
  },
  api: {
    operationId: 'verifyDomain',
    summary: 'Vouch that a license controls a registered domain',
    description:
      'Where it cannot prove it by itself. Scans, credentials and trust states take your word for it.',
    body: 'DomainToVerify',
    example,
  },
  command: { about: 'attest that a license controls a registered domain that it cannot prove' },
  forms: [{}],
  async plan(license, { domain, withdraw = false }, by, { db }) {
    const control = await readDomainControls(db).find(license.id, domain);
    return (withdraw ? withdrawVouching : vouchForDomain)(license, domain, control, by);
  },
});
