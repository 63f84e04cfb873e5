import { bindDomain, blockDomain, unbindDomain, unblockDomain } from '../../operator/license-domains.ts';
import { vouchForDomain, withdrawVouching } from '../../operator/vouch-for-domain.ts';
import { readDomainControls } from '../../storage/sites/domain-controls.ts';
import { flag } from '../field.ts';
import { ANY_DOMAIN, licenseAct, SITE_DOMAIN } from './fields.ts';

const example = { domain: 'shop.example.com' };

export const bind = licenseAct({
  verb: 'bind',
  title: 'Register a domain',
  about: 'Takes one of the sites of the license.',
  fields: { domain: SITE_DOMAIN },
  api: { operationId: 'bindDomain', body: 'DomainToBind', example },
  command: {},
  forms: [{}],
  plan: (license, { domain }, by, { db, offer }) => bindDomain(db, license, domain, offer.catalog, by),
});

export const unbind = licenseAct({
  verb: 'unbind',
  title: 'Release a domain',
  about: 'Its site can then be used by another domain.',
  submit: 'Release',
  role: 'support',
  fields: {
    domain: ANY_DOMAIN,
    block: flag({
      about: 'whether to block it from being registered again',
      flags: '--block',
      help: 'also block it from being registered again',
      role: 'operator',
    }),
  },
  api: {
    operationId: 'unbindDomain',
    summary: 'Release a domain',
    description:
      'Its site can then be used by another domain. With `block`, the domain cannot be registered again until it is unblocked.',
    body: 'DomainToUnbind',
    example,
  },
  command: {},
  forms: [{}],
  button: { ask: (domain) => `Release ${domain}? Its site can then be used by another domain.` },
  plan: (license, { domain, block = false }, by) => unbindDomain(license, domain, block, by),
});

export const block = licenseAct({
  verb: 'block',
  title: 'Block a domain',
  about: 'Releases it if it is registered. Its sites are refused until it is unblocked.',
  submit: 'Block',
  fields: { domain: ANY_DOMAIN },
  api: {
    operationId: 'blockDomain',
    summary: 'Block a domain',
    description:
      'Releases it if it is registered. Its sites are refused until it is unblocked. Its `www.` is blocked with it; other subdomains are not.',
    body: 'DomainToBlock',
    example,
  },
  command: { about: 'release a domain, and block it and its www. name' },
  forms: [{}],
  button: { ask: (domain) => `Block ${domain}? Its sites are refused until it is unblocked.` },
  plan: (license, { domain }, by) => blockDomain(license, domain, by),
});

export const unblock = licenseAct({
  verb: 'unblock',
  title: 'Unblock a domain',
  about: 'Its next request registers it again.',
  submit: 'Unblock',
  fields: { domain: ANY_DOMAIN },
  api: {
    operationId: 'unblockDomain',
    summary: 'Unblock a domain',
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
      about: 'true: withdraw your attestation',
      flags: '--withdraw',
      help: 'withdraw the attestation',
      label: 'withdraw my attestation',
    }),
  },
  api: {
    operationId: 'verifyDomain',
    summary: 'Attest that a license controls a registered domain',
    description:
      'For a customer who cannot prove control of it. Scans, credentials and trust states rely on your attestation.',
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
