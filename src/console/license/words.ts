import type { Plan } from '../../domain/license/catalog.ts';
import type { Hold, LicenseState } from '../../domain/license/license.ts';
import type { Binding, RefusalReason } from '../../domain/license/verification.ts';
import { counted } from '../../lib/counted.ts';
import { titled } from '../../pages/identifier-words.ts';

export { titled, worded } from '../../pages/identifier-words.ts';

// Texts of a license's page, in English.

export const HOLD_WORDS: Readonly<Record<Hold, string>> = {
  operator: 'by an operator',
  payment: 'missing payment',
  dispute: 'disputed payment',
};

/** Why a domain is refused. */
export const REFUSED_WORDS: Readonly<Record<RefusalReason, string>> = {
  unknown_key: 'unknown key',
  revoked: 'license revoked',
  suspended: 'license suspended',
  expired: 'license expired',
  pending: 'trial not confirmed',
  malformed_domain: 'not a domain',
  blocked_domain: 'domain blocked',
  site_limit_reached: 'site limit reached',
};

const sites = (allowed: number): string =>
  allowed === 1 ? 'the only site is in use' : `all ${allowed.toLocaleString('en')} sites are in use`;

export const WORDS = {
  verdict: 'License checks',
  check: 'Check a domain',
  checkSubmit: 'Check',
  tabs: 'Parts of the license',
  summary: 'Summary',
  sitesTab: (count: number) => `Sites ${count.toLocaleString('en')}`,
  activity: 'Activity',
  limits: 'Limits and modules',
  more: 'More actions',
  cancel: 'Cancel',
  extend: 'Extend',
  changePlan: 'Change plan',
  rotate: 'Rotate key',
  editCustomer: 'Edit customer',
  suspend: 'Suspend',
  resume: 'Resume',
  bind: 'Register a domain',
  unbind: 'Release a domain',
  block: 'Block a domain',
  vouch: 'Vouch for a domain',
  forget: 'Delete customer',
  revoke: 'Revoke',
  unblock: 'Unblock',
  addSite: 'Add a site',
  extendYear: 'Extend by a year',
  sitesOf: (used: number, allowed: number) => `${used.toLocaleString('en')} of ${counted(allowed, 'site')}`,
  ends: 'ends',
  ended: 'ended',
  itEnded: 'It ended',
  valid: (plan: Plan) => `License checks are valid, with plan ${titled(plan)}.`,
  lastCheck: 'Last check',
  neverChecked: 'No site has checked this license yet.',
  all: {
    suspended: (holds: readonly string[]) =>
      `All checks are refused: the license is suspended${holds.length === 0 ? '' : ` (${holds.join(', ')})`}.`,
    expired: 'All checks are refused: the license has expired.',
    revoked: 'All checks are refused: the license is revoked.',
    pending: 'All checks are refused: the trial waits for its card.',
    final: 'This cannot be undone. Issue a new license.',
    pendingUntil: 'There is time until',
    pendingDetail: 'The next check asks the payment processor again.',
  } satisfies Partial<Record<LicenseState, unknown>> & Record<string, unknown>,
  pastDue: 'A payment is past due.',
  suspendedFrom: 'The license is suspended from',
  domain: {
    registered: (domain: string) => `${domain} is accepted: it is registered.`,
    test_license: (domain: string) => `${domain} is accepted: a test license is bound to no domains.`,
    development_host: (domain: string) => `${domain} is accepted: development hosts use no site.`,
    free_site: (domain: string) => `${domain} is accepted: a site is free, and the first check registers it.`,
    malformed_domain: () => 'The text is not a domain.',
    blocked_domain: (domain: string) => `${domain} is refused: it is blocked.`,
    site_limit_reached: (domain: string, allowed: number) => `${domain} is refused: ${sites(allowed)}.`,
  } satisfies Record<Binding, (domain: string, allowed: number) => string>,
  checks: (count: number, since: string) => `${counted(count, 'check')} since ${since}, the last`,
  otherDomains: (count: number) => `${counted(count, 'other domain')} refused`,
  sites: 'Sites',
  allSites: (count: number) => (count === 1 ? '1 site' : `All ${counted(count, 'site')}`),
  noSites: 'No sites. A site appears with its first telemetry.',
  siteColumns: ['Site', 'State', 'Score', 'Open alerts', 'Plugin', 'Last seen'],
  moreSites: 'All sites of this license',
  domains: 'Registered domains',
  noDomains: 'No registered domains. The first check of a domain registers it.',
  blocked: 'blocked',
  moreDomains: (count: number) => `${count} more. Use the forms in the menu for them.`,
  refused: 'Refused domains',
  noRefused: 'No refused domains. The newest 50 are listed here.',
  refusedColumns: ['Domain', 'Reason', 'Checks', 'Last', 'Now'],
  refusedNow: 'refused',
  acceptedNow: 'accepted',
  refusedWritten: 'Written every five seconds; a crash loses at most the last ones.',
  customer: 'Customer',
  edit: 'Edit',
  noCustomer: 'No customer. Add one with Edit customer.',
  contact: {
    name: 'Name',
    email: 'E-mail',
    externalId: 'Id in your own system',
    licenses: 'Licenses',
    subscription: 'Subscription',
    note: 'Note',
  },
  ofCustomer: 'All licenses of this customer',
  today: 'Used today',
  resets: 'resets at 00:00 UTC',
  events: 'Events',
  stored: 'Stored',
  recent: 'Recent activity',
  allActivity: 'All activity',
  noActivity: 'No activity yet.',
  activityColumns: ['When', 'What', 'Who and why'],
  auditLog: 'Audit log of this license',
  by: (actor: string) => `by ${actor}`,
  times: (count: number) => (count === 1 ? 'once' : `${count.toLocaleString('en')} times`),
  checkRefused: (domain: string, reason: RefusalReason) =>
    `License check for ${domain} refused: ${REFUSED_WORDS[reason]}`,
  requestRefused: (route: string, code: string) => `Request to ${route} refused: ${code}`,
  terms: 'Terms',
  keys: 'Key',
  volume: 'Daily limits',
  modules: 'Modules',
  modulesNow: 'Usable now',
  noModules: 'none',
  never: 'never',
  facts: {
    state: 'State',
    plan: 'Plan',
    kind: 'Kind',
    environment: 'For',
    sites: 'Sites',
    ends: 'Ends',
    granted: 'Granted plan',
    grantedUntil: 'Granted until',
    suspended: 'Suspended',
    pastDue: 'Payment past due, suspended from',
    issued: 'Issued',
    revoked: 'Revoked',
    key: 'Key',
    previousKey: 'Previous key',
    worksUntil: 'works until',
    added: 'Added',
    removed: 'Removed',
  },
  environments: { live: 'production', test: 'development' },
  letter: {
    title: 'Text for the customer',
    issued: (key: string) => `Your license key is:\n\n${key}\n\nKeep it secret. It is shown only once.`,
    rotated: (key: string, until: string | null) =>
      `Your new license key is:\n\n${key}\n\n${
        until === null ? 'The previous key no longer works.' : `The previous key works until ${until}.`
      } Enter the new key on each of your sites.`,
  },
} as const;
