import { isIP } from 'node:net';
import { textInRanges } from '../../lib/address-range.ts';
import { OWN_FILES } from '../../lib/open-files.ts';
import { isSocketPath } from '../../lib/socket-address.ts';
import { type Config, isLoopback } from '../../settings/config.ts';
import { type Finding, failure, warning } from './finding.ts';
import { numberOf, type Unit } from './unit.ts';

const ALL_ADDRESSES = ['any', '0.0.0.0/0', '::/0'];
const isOfThisHost = textInRanges(['127.0.0.0/8', '::1']);
const isLocal = (range: string) =>
  range === 'localhost' || isOfThisHost(range.slice(0, range.includes('/') ? range.indexOf('/') : undefined));

const wordsOf = (value = ''): string[] => value.split(/\s+/).filter((word) => word !== '');

/** Whether a unit allows only connections within this host. */
export function isShutIn({ properties: { IPAddressAllow, IPAddressDeny } }: Unit): boolean {
  const deniesAll = wordsOf(IPAddressDeny).some((range) => ALL_ADDRESSES.includes(range));
  return deniesAll && wordsOf(IPAddressAllow).every(isLocal);
}

/** Finds where a unit, with its drop-ins, prevents what its settings need. */
export function judgeDropIns(unit: Unit, config: Config, firstFreePort: number): Finding[] {
  return [
    ...(isShutIn(unit) ? judgeShutIn(unit.id, config) : []),
    ...judgePorts(unit, config, firstFreePort),
    ...judgeOpenFiles(unit, config),
  ];
}

function judgeShutIn(id: string, config: Config): Finding[] {
  const { host, adminHost, adminPort, stripeSecretKey, aiUrl, oidcIssuer } = config;
  const { surfaceScans, databaseUrl, limitsUrl, smtpHost } = config;
  const findings: Finding[] = [];
  const allow = `systemctl edit ${id}: set IPAddressAllow= to`;
  const isAdminOpen = adminPort !== 'off' && !isLoopback(adminHost);
  const open = [...(isLoopback(host) ? [] : [host]), ...(isAdminOpen ? [adminHost] : [])];
  if (open.length > 0) {
    const what = `the service listens on ${open.join(' and ')}, but ${id} blocks other hosts`;
    const todo = `${allow} the addresses of the clients, under [Service], then restart it`;
    findings.push(failure('unit-lets-nobody-in', what, todo));
  }
  const callers = [
    ...(isElsewhere(databaseUrl) ? ['the database (SERVICE_DATABASE_URL)'] : []),
    ...(isElsewhere(limitsUrl) ? ['SERVICE_LIMITS_URL'] : []),
    ...(stripeSecretKey === undefined ? [] : ['Stripe']),
    ...(isElsewhere(aiUrl) ? ['SERVICE_AI_URL'] : []),
    ...(isElsewhere(oidcIssuer) ? ['SERVICE_OIDC_ISSUER'] : []),
    ...(smtpHost === undefined || isLoopback(smtpHost) ? [] : ['SERVICE_SMTP_HOST']),
    ...(surfaceScans ? ['surface scans (SERVICE_SURFACE_SCANS=0 turns them off)'] : []),
  ];
  if (callers.length > 0) {
    const grave = stripeSecretKey === undefined && !isElsewhere(databaseUrl) ? warning : failure;
    const what = `${id} blocks outbound connections, which these require: ${callers.join(', ')}`;
    findings.push(grave('unit-lets-nothing-out', what, `${allow} their addresses, or any, under [Service]`));
  }
  return findings;
}

/** Whether a URL leads to another host; a socket, which has none, does not. */
function isElsewhere(url: string | undefined): boolean {
  const host = URL.parse(url ?? '')?.hostname.replace(/^\[|\]$/g, '') ?? '';
  if (host === '' || host === 'localhost') return false;
  return isIP(host) === 0 || !isLoopback(host);
}

function judgePorts({ id, properties }: Unit, config: Config, firstFreePort: number): Finding[] {
  const { host, port, adminHost, adminPort } = config;
  const { User, AmbientCapabilities, PrivateUsers } = properties;
  const ports = [
    ...(isSocketPath(host) ? [] : [port]),
    ...(isSocketPath(adminHost) || adminPort === 'off' ? [] : [adminPort]),
  ];
  const low = ports.filter((port) => port > 0 && port < firstFreePort);
  const mayBind = wordsOf(AmbientCapabilities).includes('cap_net_bind_service') && PrivateUsers !== 'yes';
  if (low.length === 0 || mayBind || !User || User === 'root') return [];
  const what = `${id} cannot use the port ${low.join(', ')} without CAP_NET_BIND_SERVICE and PrivateUsers=no`;
  const todo = `install the drop-in redoubt-443.conf for ${id}, or set a port of at least ${firstFreePort}`;
  return [failure('unit-port', what, todo)];
}

function judgeOpenFiles({ id, properties: { LimitNOFILE } }: Unit, { connections }: Config): Finding[] {
  const needed = connections + OWN_FILES;
  if ((numberOf(LimitNOFILE) ?? needed) >= needed) return [];
  const what = `${id} can open ${LimitNOFILE} files, but SERVICE_CONNECTIONS=${connections} requires more`;
  const todo = `systemctl edit ${id}: set LimitNOFILE=${needed} or more under [Service], or lower SERVICE_CONNECTIONS`;
  return [warning('unit-open-files', what, todo)];
}
