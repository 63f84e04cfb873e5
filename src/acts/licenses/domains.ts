import { bindDomain, blockDomain, unbindDomain, unblockDomain } from '../../operator/license-domains.ts';
import { vouchForDomain, withdrawVouching } from '../../operator/vouch-for-domain.ts';
import { readDomainControls } from '../../storage/sites/domain-controls.ts';
import { flag } from '../field.ts';
import { ANY_DOMAIN, licenseAct, SITE_DOMAIN } from './fields.ts';

const EXAMPLE = { domain: 'shop.example.com' };

export const bind = licenseAct({
  verb: 'bind',
  about: 'While the license has a free site.',
  fields: { domain: SITE_DOMAIN },
  api: { operationId: 'bindDomain', summary: 'Register a domain', body: 'DomainToBind', example: EXAMPLE },
  command: { about: 'register a domain', example: 'lic_1 --domain shop.example.com' },
  forms: [{ title: 'Register a domain', submit: 'Register a domain' }],
  plan: (license, { domain }, by, { db, offer }) => bindDomain(db, license, domain, offer.catalog, by),
});

export const unbind = licenseAct({
  verb: 'unbind',
  about: 'Its site is free for another one.',
  fields: {
    domain: ANY_DOMAIN,
    block: flag({
      about: 'whether to keep it from being registered again',
      flags: '--block',
      help: 'and keep it from being registered again',
    }),
  },
  api: {
    operationId: 'unbindDomain',
    summary: 'Give a domain up',
    description: 'Its site is free for another one. With `block` the domain is kept out as well.',
    body: 'DomainToUnbind',
    example: EXAMPLE,
  },
  command: { about: 'give a domain up', example: 'lic_1 --domain shop.example.com --block' },
  forms: [{ title: 'Release a domain', submit: 'Release' }],
  button: { submit: 'Release', ask: (domain) => `Release ${domain}? Its site is free for another one.` },
  plan: (license, { domain, block = false }, by) => unbindDomain(license, domain, block, by),
});

export const block = licenseAct({
  verb: 'block',
  about: 'It is given up, if it is registered, and its sites are refused until it is unblocked.',
  fields: { domain: ANY_DOMAIN },
  api: {
    operationId: 'blockDomain',
    summary: 'Keep a domain out of a license',
    description:
      'It is given up, if it is registered, and its sites are refused until it is unblocked. Its `www.` is blocked with it, other subdomains are not.',
    body: 'DomainToBlock',
    example: EXAMPLE,
  },
  command: {
    about: 'give a domain up and keep it out, its subdomains not',
    example: 'lic_1 --domain shop.example.com',
  },
  forms: [{ title: 'Block a domain', submit: 'Block a domain' }],
  button: {
    submit: 'Block',
    ask: (domain) => `Block ${domain}? Its sites are refused until it is unblocked.`,
  },
  plan: (license, { domain }, by) => blockDomain(license, domain, by),
});

export const unblock = licenseAct({
  verb: 'unblock',
  about: 'It is registered by its next use.',
  fields: { domain: ANY_DOMAIN },
  api: {
    operationId: 'unblockDomain',
    summary: 'Let a blocked domain be registered again',
    body: 'DomainToUnblock',
    example: EXAMPLE,
  },
  command: { about: 'let a blocked domain be registered again', example: 'lic_1 --domain shop.example.com' },
  button: { submit: 'Unblock' },
  plan: (license, { domain }, by) => unblockDomain(license, domain, by),
});

export const verifyDomain = licenseAct({
  verb: 'verify-domain',
  about:
    'Where its customer cannot prove that a domain is his. Scans, credentials and trust states take your word for it.',
  fields: {
    domain: ANY_DOMAIN,
    withdraw: flag({
      about: 'true takes your word back',
      flags: '--withdraw',
      help: 'take that back',
      label: 'take my word back',
    }),
  },
  api: {
    operationId: 'verifyDomain',
    summary: 'Vouch that a license controls a registered domain',
    description:
      'Where it cannot prove it by itself. Scans, credentials and trust states take your word for it.',
    body: 'DomainToVerify',
    example: EXAMPLE,
  },
  command: {
    about: 'vouch that the license controls a registered domain, where it cannot prove it by itself',
    example: 'lic_1 --domain shop.example.com',
  },
  forms: [{ title: 'Vouch for a domain', submit: 'Vouch' }],
  async plan(license, { domain, withdraw = false }, by, { db }) {
    const control = await readDomainControls(db).find(license.id, domain);
    return (withdraw ? withdrawVouching : vouchForDomain)(license, domain, control, by);
  },
});
