import { counted } from '../../lib/counted.ts';
import type { NotificationData, NotificationEvent, NotificationType } from './event.ts';

/** An event as it is stored, without what depends on its recipient. */
export interface StoredEvent extends Pick<NotificationEvent, 'id' | 'at' | 'severity' | 'data' | 'personal'> {
  readonly type: NotificationType;
}

type Words = (data: NotificationData, license: string) => string;

const numberOf = (value: NotificationData[string] | undefined, one: string, many?: string): string =>
  counted(Number(value ?? 0), one, many);

const onSite = ({ domain }: NotificationData): string => (domain ? ` on ${domain}` : '');
const site = ({ domain }: NotificationData): string => (domain ? `The site ${domain}` : 'A site');
const alertOf = ({ alert }: NotificationData): string => (alert ? ` ${alert}` : '');
const found = (data: NotificationData): string =>
  data.domain ? onSite(data) : ` on ${numberOf(data.sites, 'site')}`;
const vulnerabilities = ({ vulnerabilities }: NotificationData): string =>
  numberOf(vulnerabilities, 'vulnerability', 'vulnerabilities');

/** What happened, by type: one line without names of customers. The license is named for operators, who have many. */
const WORDS: Readonly<Record<NotificationType, Words>> = {
  'alert.opened': (data) => `Alert${alertOf(data)} opened${onSite(data)}`,
  'alert.closed': (data) => `Alert${alertOf(data)} closed${onSite(data)}`,
  'alert.acknowledged': (data) => `Alert${alertOf(data)} acknowledged${onSite(data)}`,
  'site.silent': (data) => `${site(data)} no longer reports`,
  'site.back': (data) => `${site(data)} reports again`,
  'vulnerability.found': (data) => `${vulnerabilities(data)} found${found(data)}`,
  'vulnerability.exploited': (data) => `${vulnerabilities(data)} known to be exploited${found(data)}`,
  'vulnerability.fixed': (data) => `${vulnerabilities(data)} fixed${found(data)}`,
  'license.issued': (_, license) => `${license} issued`,
  'license.changed': (_, license) => `${license} changed`,
  'license.suspended': (_, license) => `${license} suspended`,
  'license.resumed': (_, license) => `${license} resumed`,
  'license.revoked': (_, license) => `${license} revoked`,
  'license.expired': (_, license) => `${license} expired`,
  'license.expiring': ({ days }, license) => `${license} expires in ${numberOf(days, 'day')}`,
  'license.refused': (data, license) => `${license} refused${data.domain ? ` for ${data.domain}` : ''}`,
  'payment.failed': (_, license) => `Payment failed: ${license}`,
  'payment.recovered': (_, license) => `Payment received: ${license}`,
  'trial.started': (_, license) => `Trial started: ${license}`,
  'scan.finished': (data) =>
    data.outcome === 'done'
      ? `Scan finished${onSite(data)}: ${numberOf(data.findings, 'finding')}`
      : `Scan failed${onSite(data)}`,
  'trust.changed': (data) => `Public trust state ${data.enabled ? 'changed' : 'disabled'}${onSite(data)}`,
  'credential.revoked': (data) => `${numberOf(data.credentials, 'credential')} revoked${onSite(data)}`,
  'feed.changed': (data) => `Threat feed changed: ${numberOf(data.added, 'threat')} added or changed`,
  'feed.withdrawn': (data) => `Threat feed changed: ${numberOf(data.withdrawn, 'threat')} withdrawn`,
  'system.problem': ({ problem }) => `Problem: ${problem ?? 'unknown'}`,
  'system.recovered': ({ problem }) => `Resolved: ${problem ?? 'unknown'}`,
  audit: ({ action, subject }) => `${action ?? 'Audit entry'}${subject ? ` ${subject}` : ''}`,
};

/** The addresses of pages for recipients; undefined = not configured. */
export interface PageAddresses {
  /** Of the console, without a path. */
  readonly console: string | undefined;
  /** Of the portal, without a path. */
  readonly portal: string | undefined;
}

const CONSOLE_PAGES: readonly (readonly [prefix: string, path: string])[] = [
  ['alert.', '/console/alerts'],
  ['site.', '/console/sites'],
  ['vulnerability.', '/console/vulnerabilities'],
  ['payment.', '/console/payments'],
  ['feed.', '/console/feed'],
  ['audit', '/console/audit'],
];
const LICENSE_TYPES = /^(?:license|trial|scan|trust|credential)\./;

function consolePath({ type, data }: StoredEvent): string {
  if (LICENSE_TYPES.test(type) && /^lic_[0-9]+$/.test(String(data.license)))
    return `/console/licenses/${data.license}`;
  return CONSOLE_PAGES.find(([prefix]) => type.startsWith(prefix))?.[1] ?? '/console';
}

const portalPath = ({ data }: StoredEvent): string =>
  typeof data.site_id === 'string' ? `/portal/sites/${encodeURIComponent(data.site_id)}` : '/portal';

/**
 * An event as a target receives it.
 *
 * @param isTenant whether it belongs to a tenant, who has one license and does not see what its operator notes of it
 */
export function eventFor(
  event: StoredEvent,
  { isTenant, addresses }: { readonly isTenant: boolean; readonly addresses: PageAddresses },
): NotificationEvent {
  const { license: name, changed: _, ...rest } = event.data;
  const license = isTenant || !name ? 'License' : `License ${name}`;
  const origin = isTenant ? addresses.portal : addresses.console;
  const path = isTenant ? portalPath(event) : consolePath(event);
  return {
    ...event,
    data: isTenant ? rest : event.data,
    summary: WORDS[event.type](event.data, license),
    ...(origin === undefined ? {} : { link: origin + path }),
  };
}
